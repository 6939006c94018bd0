// Every bound of the memory storage: a value at the bound is accepted, one beyond it is refused.
#include "dialect/kuzzle/memory/glob.h"
#include "dialect/kuzzle/memory/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle::testing {
namespace {

constexpr int too_large = 413;

Answer ms(Server& s, const std::string& action, const std::string& key,
          const std::string& body = "{}", const std::string& more = "") {
  return s.send(R"("controller":"ms","action":")" + action + R"(","_id":")" + key + R"(","body":)" +
                body + (more.empty() ? "" : "," + more));
}

std::string value_of_bytes(std::size_t bytes) {
  return R"({"value":")" + std::string(bytes, 'x') + R"("})";
}

// `["0","1",…]`, each with the suffix.
std::string numbered_texts(std::size_t count, const std::string& behind = "") {
  std::string texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts += (i > 0 ? ",\"" : "\"") + std::to_string(i) + behind + '"';
  }
  return "[" + texts + "]";
}

TEST(MemoryBoundsTest, AKeyHasSoManyBytes) {
  Server s;
  const std::string longest(limits::memory_key_bytes_max, 'k');
  EXPECT_EQ(ms(s, "set", longest, R"({"value":"x"})").status, 200);
  EXPECT_EQ(ms(s, "get", longest).result(), R"("x")");
  EXPECT_EQ(ms(s, "set", longest + "k", R"({"value":"x"})").status, too_large);
  EXPECT_EQ(ms(s, "get", longest + "k").status, too_large);
  EXPECT_EQ(ms(s, "rename", longest, R"({"newkey":")" + longest + R"(k"})").status, too_large);
  EXPECT_EQ(ms(s, "get", longest).result(), R"("x")");
}

TEST(MemoryBoundsTest, AValueHasSoManyBytes) {
  Server s;
  const std::size_t most = limits::memory_value_bytes_max;
  EXPECT_EQ(ms(s, "set", "a", value_of_bytes(most)).status, 200);
  EXPECT_EQ(ms(s, "append", "a", R"({"value":"x"})").status, too_large);
  EXPECT_EQ(ms(s, "strlen", "a").result(), std::to_string(most));
  EXPECT_EQ(ms(s, "set", "b", value_of_bytes(most + 1)).status, too_large);
  EXPECT_EQ(ms(s, "get", "b").result(), "null");
  const std::string half = R"({"values":[")" + std::string(most / 2, 'x') + R"("]})";
  EXPECT_EQ(ms(s, "rpush", "l", half).status, 200);
  EXPECT_EQ(ms(s, "rpush", "l", half).status, 200);
  EXPECT_EQ(ms(s, "rpush", "l", R"({"values":["x"]})").status, too_large);
  EXPECT_EQ(ms(s, "llen", "l").result(), "2");
}

// A value is one document, in which some characters take six bytes.
TEST(MemoryBoundsTest, AValueOfEscapesEndsAtTheBoundOfADocument) {
  Server s;
  const auto of_escapes = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += R"(\u0001)";
    return R"({"value":")" + text + R"("})";
  };
  EXPECT_EQ(ms(s, "set", "a", of_escapes(limits::document_bytes_max / 8)).status, 200);
  EXPECT_EQ(ms(s, "set", "a", of_escapes(limits::memory_value_bytes_max / 2)).status, too_large);
  EXPECT_EQ(ms(s, "strlen", "a").result(), std::to_string(limits::document_bytes_max / 8));
}

TEST(MemoryBoundsTest, AValueAndARequestHaveSoManyMembers) {
  Server s;
  const std::size_t most = limits::memory_members_max;
  EXPECT_EQ(ms(s, "sadd", "s", R"({"members":)" + numbered_texts(most) + "}").status, 200);
  EXPECT_EQ(ms(s, "sadd", "s", R"({"members":["more"]})").status, too_large);
  EXPECT_EQ(ms(s, "scard", "s").result(), std::to_string(most));
  EXPECT_EQ(ms(s, "lpush", "l", R"({"values":)" + numbered_texts(most + 1) + "}").status,
            too_large);
  EXPECT_EQ(ms(s, "pfadd", "h", R"({"elements":)" + numbered_texts(most + 1) + "}").status,
            too_large);
  EXPECT_EQ(ms(s, "pfadd", "h", R"({"elements":)" + numbered_texts(most) + "}").status, 200);
  EXPECT_EQ(ms(s, "pfmerge", "h", R"({"sources":["h"]})").status, 200);
  EXPECT_EQ(ms(s, "pfadd", "h", R"({"elements":["more"]})").status, too_large);
  const std::string least = std::to_string(-static_cast<std::int64_t>(most) - 1);
  EXPECT_EQ(ms(s, "srandmember", "s", "{}", R"("count":)" + least).status, too_large);
}

TEST(MemoryBoundsTest, ACommandNamesSoManyKeys) {
  Server s;
  const std::size_t most = limits::memory_keys_max;
  EXPECT_EQ(ms(s, "mget", "-", "{}", R"("keys":)" + numbered_texts(most)).status, 200);
  EXPECT_EQ(ms(s, "mget", "-", "{}", R"("keys":)" + numbered_texts(most + 1)).status, too_large);
  EXPECT_EQ(ms(s, "del", "-", R"({"keys":)" + numbered_texts(most + 1) + "}").status, too_large);
  std::string entries;
  for (std::size_t i = 0; i <= most; ++i) {
    entries +=
        (i > 0 ? "," : "") + std::string(R"({"key":"k)") + std::to_string(i) + R"(","value":"v"})";
  }
  EXPECT_EQ(ms(s, "mset", "-", R"({"entries":[)" + entries + "]}").status, too_large);
  EXPECT_EQ(ms(s, "dbsize", "-").result(), "0");
}

TEST(MemoryBoundsTest, ACommandReadsAndRepeatsSoManyBytes) {
  Server s;
  const std::size_t share = limits::memory_value_bytes_max - 100;
  const std::size_t fitting = limits::memory_read_bytes_max / share;
  for (std::size_t i = 0; i <= fitting; ++i) {
    ASSERT_EQ(ms(s, "set", std::to_string(i), value_of_bytes(share)).status, 200);
  }
  std::string keys = "0";
  for (std::size_t i = 1; i < fitting; ++i) keys += "," + std::to_string(i);
  EXPECT_EQ(s.ask("GET", "/ms/_mget?keys=" + keys, "").status, 200);
  EXPECT_EQ(s.ask("GET", "/ms/_mget?keys=0," + keys, "").status, too_large);
  EXPECT_EQ(ms(s, "exists", "-", "{}", R"("keys":"0,)" + keys + '"').result(),
            std::to_string(fitting + 1));
  EXPECT_EQ(ms(s, "hset", "h", R"({"field":"f",)" + value_of_bytes(share).substr(1)).status, 200);
  std::string fields = R"("f")";
  for (std::size_t i = 0; i < fitting; ++i) fields += R"(,"f")";
  EXPECT_EQ(ms(s, "hmget", "h", "{}", R"("fields":[)" + fields + "]").status, too_large);
  const std::string member(share, 'm');
  EXPECT_EQ(ms(s, "sadd", "s", R"({"members":[")" + member + R"("]})").status, 200);
  const std::string times = std::to_string(-static_cast<std::int64_t>(fitting));
  EXPECT_EQ(ms(s, "srandmember", "s", "{}", R"("count":)" + times).status, too_large);
}

// Most of it is key names, and members of one byte.
TEST(MemoryBoundsTest, TheCommandsOfOneRequestAnswerSoManyBytes) {
  Server s;
  const auto execute = [&](std::size_t count, const std::string& command) {
    std::string actions = command;
    for (std::size_t i = 1; i < count; ++i) actions += "," + command;
    return ms(s, "mexecute", "-", R"({"actions":[)" + actions + "]}").status;
  };
  const std::size_t name_bytes = limits::memory_key_bytes_max - 100;
  const std::string name(name_bytes, 'n');
  constexpr std::size_t names = 50;
  for (std::size_t i = 0; i < names; ++i) {
    ASSERT_EQ(ms(s, "setnx", std::to_string(i) + name, R"({"value":"x"})").status, 200);
  }
  const std::string scan = R"({"action":"scan","args":{"cursor":0,"count":1000}})";
  const std::size_t fitting = limits::memory_read_bytes_max / (names * (name_bytes + 100));
  // The test could not parse the JSON of larger answers.
  EXPECT_EQ(execute(fitting / 10, scan), 200);
  EXPECT_EQ(execute(2 * fitting, scan), too_large);
  const std::size_t members = limits::memory_members_max;
  EXPECT_EQ(ms(s, "rpush", "l", R"({"values":)" + numbered_texts(members) + "}").status, 200);
  const std::string range = R"({"action":"lrange","args":{"_id":"l","start":0,"stop":-1}})";
  const std::size_t lists = limits::memory_read_bytes_max / (members * sizeof(Value));
  EXPECT_EQ(execute(lists / 2, range), 200);
  EXPECT_EQ(execute(lists, range), too_large);
}

TEST(MemoryBoundsTest, SortLooksSoManyTimes) {
  Server s;
  const std::size_t members = limits::memory_sort_lookups_max / 10;
  EXPECT_EQ(ms(s, "rpush", "l", R"({"values":)" + numbered_texts(members) + "}").status, 200);
  EXPECT_EQ(ms(s, "sort", "l", R"({"get":)" + numbered_texts(10, "*") + "}").status, 200);
  EXPECT_EQ(ms(s, "sort", "l", R"({"get":)" + numbered_texts(11, "*") + "}").status, too_large);
}

TEST(MemoryBoundsTest, APatternHasSoManyBytesAndFewSteps) {
  Server s;
  const std::string key(limits::memory_key_bytes_max, 'a');
  EXPECT_EQ(ms(s, "set", key, R"({"value":"x"})").status, 200);
  // Without its bound on steps this would not end.
  std::string pattern;
  while (pattern.size() + 2 < limits::memory_pattern_bytes_max) pattern += "*a";
  pattern += "*b";
  EXPECT_EQ(ms(s, "keys", "-", "{}", R"("pattern":")" + pattern + '"').result(), "[]");
  EXPECT_EQ(ms(s, "keys", "-", "{}", R"("pattern":"x)" + pattern + '"').status, too_large);
  EXPECT_EQ(ms(s, "scan", "-", "{}", R"("cursor":0,"match":"x)" + pattern + '"').status, too_large);
}

TEST(MemoryBoundsTest, AScanVisitsEveryKeyOnceByPages) {
  Server s;
  constexpr int keys = 50;
  for (int i = 0; i < keys; ++i) ms(s, "incr", "k" + std::to_string(i));
  std::multiset<std::string> seen;
  std::string cursor = "0";
  int pages = 0;
  do {
    const Answer page = ms(s, "scan", "-", "{}", R"("count":7,"cursor":")" + cursor + '"');
    ASSERT_EQ(page.status, 200);
    const Array& parts = page["result"].array();
    cursor = parts[0].text();
    for (const Value& key : parts[1].array()) seen.insert(key.text());
    // Keys that expire or are added meanwhile do not affect the others.
    ms(s, "incr", "new" + std::to_string(++pages));
  } while (cursor != "0" && pages < keys);
  for (int i = 0; i < keys; ++i) EXPECT_EQ(seen.count("k" + std::to_string(i)), 1U) << i;
  EXPECT_GT(pages, 5);
  const std::string count = std::to_string(limits::memory_scan_count_max);
  EXPECT_EQ(ms(s, "scan", "-", "{}", R"("cursor":0,"count":)" + count).status, 200);
  EXPECT_EQ(ms(s, "scan", "-", "{}", R"("cursor":0,"count":)" + count + "0").status, too_large);
}

TEST(MemoryBoundsTest, PatternsTakeTheirTextsApartAsStepsAllow) {
  EXPECT_TRUE(memory::matches("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(memory::matches("a*b*c", "aXbYbZ"));
  EXPECT_TRUE(memory::matches("[^a]?[b-d]", "xyc"));
  EXPECT_TRUE(memory::matches("*[a]*", "bab"));
  EXPECT_TRUE(memory::matches("", ""));
  EXPECT_FALSE(memory::matches("", "a"));
  EXPECT_TRUE(memory::matches("[\\]]", "]"));
}

}  // namespace
}  // namespace mayfly::kuzzle::testing
