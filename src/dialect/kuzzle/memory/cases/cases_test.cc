// The commands of the memory storage by tables, a file for each family:
//
//   == TITLE                     a new server follows
//   ACTION KEY OBJECT → RESULT   KEY `-`: none. The object's names are in the body and beside it
//   … → ! MESSAGE                refused, with nothing changed but what the next lines show
//   sorted …                     arrays of the result are compared in the order of their texts
//   wait MICROS                  sets the clock this much after the database's now
//   until +MICROS                sets it this much after the section's beginning, 1800001000 s
//
// While the clock is not set, each commit takes the next microsecond.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle::testing {
namespace {

constexpr std::string_view arrow = " → ";

// Removes a word, or a quoted text, from the front.
std::string take_word(std::string_view& line) {
  if (line.starts_with('"')) {
    const std::size_t end = line.find('"', 1) + 1;
    const std::string quoted(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
    return parse_json(quoted)->text();
  }
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string word(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

Value with_sorted_arrays(Value value) {
  if (!value.is(Kind::array)) return value;
  Array& items = value.mutable_array();
  for (Value& item : items) item = with_sorted_arrays(item);
  // A cursor keeps its position.
  const bool is_page = items.size() == 2 && items[1].is(Kind::array);
  if (is_page) return value;
  std::sort(items.begin(), items.end(),
            [](const Value& a, const Value& b) { return render_json(a) < render_json(b); });
  return value;
}

std::string request_of(const std::string& action, const std::string& key, const Value& arguments) {
  Object request{{"controller", "ms"}, {"action", action}, {"body", arguments}};
  if (key != "-") request.set("_id", key);
  for (const auto& [name, value] : arguments.object()) {
    if (name != "index") request.set(name, value);  // beside the body it is another thing
  }
  return render_json(request);
}

class Section {
 public:
  // The private table is created before the section begins, at an instant that the test knows.
  Section() {
    EXPECT_EQ(server_.send(R"("controller":"ms","action":"incr","_id":"first")").status, 200);
    EXPECT_EQ(server_.send(R"("controller":"ms","action":"flushdb")").status, 200);
    EXPECT_EQ(server_.send(R"("controller":"ms","action":"persist","_id":"first")").status, 200);
    server_.clock.set(began_at);
  }

  void run(std::string_view line) {
    if (line.starts_with("wait ")) {
      return server_.clock.set(server_.database->now() + Span{number(line.substr(5))});
    }
    if (line.starts_with("until +")) {
      return server_.clock.set(began_at + Span{number(line.substr(7))});
    }
    const bool is_sorted = line.starts_with("sorted ");
    if (is_sorted) line.remove_prefix(std::string_view("sorted ").size());
    const std::size_t at = line.rfind(arrow);
    ASSERT_NE(at, std::string_view::npos);
    std::string_view request = line.substr(0, at);
    const std::string action = take_word(request);
    const std::string key = take_word(request);
    const auto arguments = parse_json(request);
    ASSERT_TRUE(arguments.has_value());
    compare(server_.send_text(request_of(action, key, *arguments)),
            std::string(line.substr(at + arrow.size())), is_sorted);
  }

 private:
  static std::int64_t number(std::string_view text) { return std::stoll(std::string(text)); }

  static void compare(const Answer& answer, const std::string& wanted, bool is_sorted) {
    if (wanted.starts_with("! ")) {
      EXPECT_EQ(answer.status, 400);
      EXPECT_EQ(answer["error.message"].is(Kind::text) ? answer["error.message"].text() : "",
                wanted.substr(2));
      return;
    }
    EXPECT_EQ(answer.status, 200) << answer.error();
    const Value result = answer["result"];
    EXPECT_EQ(render_json(is_sorted ? with_sorted_arrays(result) : result),
              render_json(*parse_json(wanted)));
  }

  static constexpr Instant began_at = Instant::from_seconds(1'800'001'000);

  Server server_;
};

class MemoryCasesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(MemoryCasesTest, EveryCommandAnswersAsInTheTable) {
  const std::string path =
      MAYFLY_SOURCE_DIR "/src/dialect/kuzzle/memory/cases/" + GetParam() + ".txt";
  std::ifstream file(path);
  ASSERT_TRUE(file.is_open()) << path;
  auto section = std::make_unique<Section>();
  int number = 0;
  int commands = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE(GetParam() + ".txt:" + std::to_string(++number) + ": " + line);
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("== ")) {
      section = std::make_unique<Section>();
      continue;
    }
    ++commands;
    section->run(line);
  }
  EXPECT_GT(commands, 10);
}

INSTANTIATE_TEST_SUITE_P(All, MemoryCasesTest,
                         ::testing::Values("texts", "bits", "keys", "scans", "lists", "sets",
                                           "hashes", "sorted_sets", "positions", "elements",
                                           "sort"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace mayfly::kuzzle::testing
