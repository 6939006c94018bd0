// The indexes of a policy: which there are, that queries use and report them, and that they change
// no answer.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

std::string policy(const std::string& included, const std::string& composites = "") {
  return R"("indexingPolicy":{"includedPaths":[)" + included + (included.empty() ? "" : ",") +
         R"({"path":"/*"}],"compositeIndexes":[)" + composites + "]}";
}
std::string path(const std::string& text) {
  return R"({"path":")" + text + R"("})";
}

CollectionPtr collection_of(Account& account, const std::string& name = "c") {
  const CatalogPtr catalog = account.database->catalog();
  return catalog->find_collection(catalog->find_database("d")->id, name);
}

// Names and fields of the indexes with truncated keys.
std::string indexes_of(Account& account) {
  std::string told;
  for (const Index& index : collection_of(account)->indexes) {
    if (index.entries != Entries::cut) continue;
    EXPECT_TRUE(index.is_ready);
    told += index.name + ";";
  }
  return told;
}

std::string query_body(const std::string& text) {
  std::string body = R"({"query":)";
  render_json_text(text, body);
  return body + "}";
}

Answer ask(Account& account, const std::string& text, const std::string& target = documents,
           std::vector<net::Pair> headers = {}) {
  headers.emplace_back("x-ms-documentdb-isquery", "True");
  headers.push_back(first_range);
  headers.emplace_back("x-ms-documentdb-populatequerymetrics", "True");
  headers.emplace_back("x-ms-cosmos-populateindexmetrics-v2", "true");
  return account.send("POST", target, query_body(text), std::move(headers));
}

std::string indexed_rows(Account& account, const std::string& text) {
  const Answer answer = ask(account, text);
  return answer.status == 200 ? render_json(answer.body.member("Documents")) : answer.message();
}

std::string loaded_by(const Answer& answer) {
  const std::string metrics = answer.header("x-ms-documentdb-query-metrics");
  const std::string word = "retrievedDocumentCount=";
  const std::string rest = metrics.substr(metrics.find(word) + word.size());
  return rest.substr(0, rest.find(';'));
}

std::string utilization_in(const Answer& answer) {
  std::string text;
  const std::string header = answer.header("x-ms-cosmos-index-utilization");
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool is_escaped = header[i] == '%';
    text +=
        is_escaped ? static_cast<char>(std::stoi(header.substr(i + 1, 2), nullptr, 16)) : header[i];
    if (is_escaped) i += 2;
  }
  const auto parsed = parse_json(text);
  return parsed ? render_json(parsed->member("Utilized")) : text;
}

TEST(PolicyIndexes, AreMadeOfNamedPathsAndComposites) {
  const auto plain = Account::with_container();
  EXPECT_EQ(indexes_of(*plain), "");
  EXPECT_EQ(collection_of(*plain)->indexes.size(), 2u);
  const auto account = Account::with_container(
      policy(path("/n/?") + "," + path("/a/b/?") + "," + path("/t/[]/?") + "," + path("/s/*") +
                 "," + path("/_ts/?") + "," + path(R"(/\"x/y\"/?)") + "," + path("/n/?"),
             R"([{"path":"/k"},{"path":"/n","order":"descending"}],)"
             R"([{"path":"/k","order":"descending"},{"path":"/n"}])"));
  EXPECT_EQ(indexes_of(*account), "policy .n;policy .a.b;policy #" +
                                      encode_hex(sha256(R"(.["x/y"])")).substr(0, 32) +
                                      ";policy .k, .n descending;");
}

TEST(PolicyIndexes, FollowTheReplacedPolicy) {
  const auto account = Account::with_container(policy(path("/n/?")));
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    account->create("d" + n, R"("n":)" + n + R"(,"m":)" + std::to_string(i % 100));
  }
  const auto replace = [&](const std::string& more) {
    EXPECT_EQ(account->send("PUT", container, Account::definition(more)).status, 200);
  };
  replace(policy(path("/m/?")));
  EXPECT_EQ(indexes_of(*account), "policy .m;");
  const Answer found = ask(*account, "SELECT VALUE c.n FROM c WHERE c.m = 7");
  EXPECT_EQ(render_json(found.body.member("Documents")), "[7,107,207,307,407]");
  EXPECT_EQ(loaded_by(found), "5");
  replace("");
  EXPECT_EQ(indexes_of(*account), "");
  EXPECT_EQ(indexed_rows(*account, "SELECT VALUE c.n FROM c WHERE c.m = 7"), "[7,107,207,307,407]");
}

TEST(PolicyIndexes, AreUsedAndReported) {
  const auto account = Account::with_container(
      policy(path("/n/?"), R"([{"path":"/k","order":"descending"},{"path":"/n"}])"));
  for (int i = 0; i < 50; ++i) {
    account->create("d" + std::to_string(i),
                    R"("n":)" + std::to_string(i) + R"(,"k":)" + (i % 2 == 0 ? "true" : "false"));
  }
  const auto told = [&](const std::string& condition) {
    const Answer answer = ask(*account, "SELECT VALUE c.n FROM c WHERE " + condition);
    return loaded_by(answer) + " " + render_json(answer.body.member("Documents")) + " " +
           utilization_in(answer);
  };
  const std::string by_n = R"({"SingleIndexes":[{"IndexSpec":"/n/?"}],"CompositeIndexes":[]})";
  const std::string by_both =
      R"({"SingleIndexes":[],"CompositeIndexes":[{"IndexSpecs":["/k DESC","/n ASC"]}]})";
  EXPECT_EQ(told("c.n = 7"), "1 [7] " + by_n);
  EXPECT_EQ(told("c.n = 7 AND c.pk = 'a'"), "1 [7] " + by_n);
  EXPECT_EQ(told("c.n > 46"), "3 [47,48,49] " + by_n);
  EXPECT_EQ(told("c.n > 46 AND c.n < 49 AND c.pk = 'a'"), "2 [47,48] " + by_n);
  EXPECT_EQ(told("c.k = true AND c.n >= 46"), "2 [46,48] " + by_both);
  EXPECT_EQ(told("c.n > 46 ORDER BY c.n DESC"), "3 [49,48,47] " + by_n);
  EXPECT_EQ(told("c.k = true AND c.n > 44 ORDER BY c.k DESC, c.n ASC"), "2 [46,48] " + by_both);
  EXPECT_EQ(told("c.m = 7"), R"(50 [] {"SingleIndexes":[],"CompositeIndexes":[]})");
}

TEST(PolicyIndexes, TakeWhateverADocumentHolds) {
  const auto account = Account::with_container(policy(path("/n/?")));
  const std::string text(1'000'000, 'x');
  EXPECT_EQ(account->create("1", R"("n":")" + text + "\"").status, 201);
  EXPECT_EQ(account->create("2", R"("n":")" + text + "y\"").status, 201);
  EXPECT_EQ(account->create("3", R"("n":[1,2])").status, 201);
  EXPECT_EQ(account->create("4", R"("n":{"a":[]})").status, 201);
  EXPECT_EQ(account->create("5").status, 201);
  EXPECT_EQ(account->create("6", R"("n":"xx")").status, 201);
  EXPECT_EQ(indexed_rows(*account, "SELECT VALUE c.id FROM c WHERE c.n > 'xx'"), R"(["1","2"])");
  EXPECT_EQ(indexed_rows(*account, "SELECT VALUE c.id FROM c WHERE c.n = [1,2]"), R"(["3"])");
  EXPECT_EQ(indexed_rows(*account, "SELECT VALUE c.id FROM c WHERE c.n = [1]"), "[]");
  EXPECT_EQ(indexed_rows(*account, "SELECT VALUE c.id FROM c WHERE STARTSWITH(c.n, '" +
                                       std::string(400, 'x') + "')"),
            R"(["1","2"])");
  EXPECT_EQ(
      indexed_rows(*account, "SELECT VALUE c.id FROM c WHERE ENDSWITH(c.n, 'xy') AND c.n > 'x'"),
      R"(["2"])");
}

TEST(PolicyIndexes, LeaveRoomForUniqueKeysOfSixteenPaths) {
  std::string paths;
  for (int i = 0; i < 16; ++i) paths += (i > 0 ? ",\"/u" : "\"/u") + std::to_string(i) + "\"";
  std::string keys;
  for (int i = 0; i < 10; ++i)
    keys += std::string(i > 0 ? "," : "") + R"({"paths":[)" + paths + "]}";
  std::string included;
  for (int i = 0; i < 80; ++i)
    included += (i > 0 ? "," : "") + path("/p" + std::to_string(i) + "/?");
  const auto account = Account::with_container(R"("uniqueKeyPolicy":{"uniqueKeys":[)" + keys +
                                               "]}," + policy(included));
  EXPECT_EQ(collection_of(*account)->indexes.size(), limits::indexes_per_collection_max);
  EXPECT_EQ(account->create("1", R"("u0":1,"u15":"x")").status, 201);
  EXPECT_EQ(account->create("2", R"("u0":1,"u15":"y")").status, 201);
  EXPECT_EQ(account->create("3", R"("u0":1,"u15":"y")").status, 409);
}

// --- two containers of one definition, one without its indexes ---

template <class T>
T pick(const std::vector<T>& from) {
  return from[*rc::gen::inRange<std::size_t>(0, from.size())];
}

std::string literal() {
  static const std::string long_text(250, 'a');
  const std::string near = long_text + std::string(*rc::gen::inRange<std::size_t>(0, 60), 'a');
  return pick<std::string>({"0",
                            "1",
                            "2",
                            "2.5",
                            "-3",
                            "1e300",
                            "9007199254740993",
                            "true",
                            "false",
                            "null",
                            "\"\"",
                            "\"a\"",
                            "\"ab\"",
                            "\"b\"",
                            "\"" + near + "\"",
                            "\"" + near + "b\"",
                            "[]",
                            "[1]",
                            "[\"a\",1]",
                            "{}",
                            "{\"x\":1}"});
}

std::string member() {
  return pick<std::string>({"a", "b", "a.x", "c"});
}

std::string condition(int depth = 2) {
  const std::string value = "c." + member();
  switch (*rc::gen::inRange(0, depth > 0 ? 12 : 9)) {
    case 0: return value + " IN (" + literal() + ", " + literal() + ")";
    case 1: return value + " BETWEEN " + literal() + " AND " + literal();
    case 2: return "STARTSWITH(" + value + ", " + pick<std::string>({"'a'", "''", "'b'"}) + ")";
    case 3: return "IS_DEFINED(" + value + ")";
    case 4: return value + " = undefined";
    case 5: return literal() + " < " + value;
    case 9: return "NOT (" + condition(depth - 1) + ")";
    case 10: return "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
    case 11: return condition(depth - 1) + " AND " + condition(depth - 1);
    default:
      return value + pick<std::string>({" = ", " != ", " < ", " <= ", " > ", " >= "}) + literal();
  }
}

constexpr std::string_view composites =
    R"([{"path":"/a"},{"path":"/b","order":"descending"}],)"
    R"([{"path":"/b","order":"descending"},{"path":"/c"},{"path":"/a/x"}])";

std::string question() {
  std::string text =
      pick<std::string>({"SELECT VALUE c.id FROM c", "SELECT c.id, c.a FROM c",
                         "SELECT TOP 3 VALUE c.id FROM c", "SELECT VALUE COUNT(1) FROM c"});
  std::string where = condition();
  if (*rc::gen::inRange(0, 4) == 0) where = "c.pk = 'p' AND (" + where + ")";
  text += " WHERE " + where;
  return text + pick<std::string>({"", "", " ORDER BY c.a", " ORDER BY c.b DESC", " ORDER BY c.c",
                                   " ORDER BY c.a, c.b DESC", " ORDER BY c.a DESC, c.b",
                                   " ORDER BY c.b DESC, c.c, c.a.x"});
}

class Twins {
 public:
  Twins() {
    account.send("POST", "/dbs", R"({"id":"d"})");
    for (const char* name : {"i", "s"}) {
      const Answer made = account.send("POST", containers, definition(name));
      RC_ASSERT(made.status == 201);
    }
    drop_of_twin();
  }

  void step() {
    switch (*rc::gen::inRange(0, 8)) {
      case 0: replace(); break;
      case 1: RC_ASSERT(account.database->sweeper().run_due(1'000).has_value()); break;
      case 2: RC_ASSERT(account.database->store().compact({}, {}).has_value()); break;
      case 3: account.advance(*rc::gen::inRange(0, 6)); break;
      default: put(); break;
    }
  }

  void check() {
    const std::string text = question();
    std::vector<net::Pair> headers;
    if (*rc::gen::inRange(0, 5) == 0) {
      headers.emplace_back("x-ms-documentdb-partitionkey", R"(["p"])");
    }
    const std::size_t rows_max = *rc::gen::inRange<std::size_t>(1, 8);
    const std::string with = all_of("i", text, headers, rows_max);
    const std::string without = all_of("s", text, headers, 1'000);
    if (with != without) RC_FAIL(text + "\n" + with + "\n" + without);
  }

 private:
  std::string definition(const std::string& name) const {
    std::string text = R"({"id":")" + name + R"(","partitionKey":{"paths":["/pk"],"kind":"Hash"},)";
    text += R"("defaultTtl":)" + default_ttl_ + ",";
    return text + policy(included_, std::string(composites)) + "}";
  }

  void replace() {
    std::vector<std::string> paths;
    for (const char* one : {"/a/?", "/b/?", "/a/x/?", "/c/?"}) {
      if (*rc::gen::arbitrary<bool>()) paths.push_back(path(one));
    }
    included_.clear();
    for (const std::string& one : paths) included_ += (included_.empty() ? "" : ",") + one;
    default_ttl_ = pick<std::string>({"-1", "3", "7"});
    for (const char* name : {"i", "s"}) {
      RC_ASSERT(account.send("PUT", containers + "/" + name, definition(name)).status == 200);
    }
    drop_of_twin();
  }

  void drop_of_twin() {
    const CollectionPtr twin = collection_of(account, "s");
    for (const Index& index : twin->indexes) {
      if (index.entries != Entries::cut) continue;
      RC_ASSERT(account.database->drop_any_index(twin->id, index.name).has_value());
    }
  }

  void put() {
    const std::string key = pick<std::string>({"p", "q"});
    std::string body =
        R"({"id":"d)" + std::to_string(*rc::gen::inRange(0, 30)) + R"(","pk":")" + key + "\"";
    for (const char* name : {"a", "b", "c"}) {
      if (*rc::gen::inRange(0, 4) > 0) body += ",\"" + std::string(name) + "\":" + literal();
    }
    const int ttl = *rc::gen::inRange(0, 8);
    if (ttl > 0) body += R"(,"ttl":)" + std::to_string(ttl);
    for (const char* name : {"i", "s"}) {
      const Answer put = account.send("POST", containers + "/" + name + "/docs", body + "}",
                                      {{"x-ms-documentdb-partitionkey", "[\"" + key + "\"]"},
                                       {"x-ms-documentdb-is-upsert", "true"}});
      RC_ASSERT(put.status == 200 || put.status == 201);
    }
  }

  std::string all_of(const std::string& name, const std::string& text,
                     const std::vector<net::Pair>& headers, std::size_t rows_max) {
    std::string all;
    std::string token;
    do {
      std::vector<net::Pair> asked = headers;
      asked.emplace_back("x-ms-max-item-count", std::to_string(rows_max));
      if (!token.empty()) asked.emplace_back("x-ms-continuation", token);
      const Answer answer = ask(account, text, containers + "/" + name + "/docs", asked);
      if (answer.status != 200) return answer.message();
      for (const Value& row : answer.body.member("Documents").array()) all += render_json(row);
      token = answer.header("x-ms-continuation");
    } while (!token.empty());
    return all;
  }

  Account account;
  std::string included_ = path("/a/?") + "," + path("/b/?");
  std::string default_ttl_ = "-1";
};

RC_GTEST_PROP(PolicyIndexesProperty, ChangeNoAnswer, ()) {
  Twins twins;
  for (int i = 0; i < 60; ++i) {
    twins.step();
    if (i > 10) twins.check();
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
