// The filter language: the expressions that it lowers to, and its errors.
#include "dialect/native/filter/filter.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <fstream>
#include <string>

#include "base/limits.h"
#include "expr/evaluation/evaluate.h"
#include "expr/render.h"
#include "expr/testing.h"
#include "value/json/json.h"

namespace mayfly::native {
namespace {

std::string lowered(const std::string& text) {
  const auto parsed = parse_filter(text);
  return parsed ? render(**parsed) : "error: " + parsed.error().message;
}

TEST(NativeFilterTest, AFilterLowersToExpressions) {
  const std::pair<const char*, const char*> table[] = {
      {"age >= 3", ".age >= 3"},
      {"age>=3 and name='x'", R"(.age >= 3 and .name = "x")"},
      {"a = 1 or b = 2 and c = 3", ".a = 1 or .b = 2 and .c = 3"},
      {"(a = 1 or b = 2) and c = 3", "(.a = 1 or .b = 2) and .c = 3"},
      {"not a = 1 and b", "not .a = 1 and .b"},
      {"not not a", "not not .a"},
      {"not exists(deleted)", "not exists(.deleted)"},
      {"status in [\"a\", 'b']", R"(.status in ["a", "b"])"},
      {"1 in ids", "1 in .ids"},
      {"a != null", ".a != null"},
      {"a = -1.5e3", ".a = -1500"},
      {"a = true or b = false", ".a = true or .b = false"},
      {"a.b[2][\"x y\"] < 3", R"(.a.b[2]["x y"] < 3)"},
      {".and = 1 and .not", ".and = 1 and .not"},
      {"first-name = 'x'", R"(.first-name = "x")"},
      {"länge = 1", ".länge = 1"},
      {"@revision > 1", "@revision > 1"},
      {"@id_number > 1", "@id_number > 1"},
      {"@expires_at < \"2026-09-01T00:00:00Z\"", R"(@expires_at < time("2026-09-01T00:00:00Z"))"},
      {"'2026-09-01T00:00:00Z' < @written_at", R"(time("2026-09-01T00:00:00Z") < @written_at)"},
      {"@expires_at = null", "@expires_at = null"},
      {"@created_at in ['2026-09-01T00:00:00Z']",
       R"(@created_at in [time("2026-09-01T00:00:00Z")])"},
      {"x = time('2026-09-01T00:00:00Z')", R"(.x = time("2026-09-01T00:00:00Z"))"},
      {"starts_with(lower(name), 'a')", R"(starts_with(lower(.name), "a"))"},
      {"'it\\'s \\\"\"' = a", R"("it's \"\"" = .a)"},
      {"array_length(a) = 2", "array_length(.a) = 2"},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(lowered(text), expected) << text;
}

// The rows of docs/functions.md end in "`CALL` → `RESULT` |" or "… (not in filters) |".
TEST(NativeFilterTest, ThePageOfFunctionsMarksTheCallsThatAFilterCannotWrite) {
  std::ifstream page(MAYFLY_SOURCE_DIR "/docs/functions.md");
  const RE2 row(R"(\| `\w+` \| .* \| `(.*)` → `.*`( \(not in filters\))? \|)");
  int calls = 0;
  int marked = 0;
  for (std::string line; std::getline(page, line);) {
    std::string call;
    std::string mark;
    if (!RE2::FullMatch(line, row, &call, &mark)) {
      EXPECT_FALSE(line.starts_with("| `")) << line;
      continue;
    }
    RE2::GlobalReplace(&call, R"(\\\|)", "|");  // a bar in a cell
    ++calls;
    if (!mark.empty()) ++marked;
    EXPECT_EQ(parse_filter(call).has_value(), mark.empty()) << call << ": " << lowered(call);
  }
  EXPECT_GT(calls, 150);
  EXPECT_LT(marked, calls / 5);
}

TEST(NativeFilterTest, ContainsLooksIntoArraysAndTexts) {
  const auto holds = [](const char* filter, const char* json) {
    const Value document = *parse_json(json);
    const auto expr = parse_filter(filter);
    return *truth(**expr, ValueScope(document), unbounded()) == Truth::yes;
  };
  EXPECT_TRUE(holds("a contains 'x'", R"({"a":["x","y"]})"));
  EXPECT_FALSE(holds("a contains 'z'", R"({"a":["x","y"]})"));
  EXPECT_TRUE(holds("not a contains 'z'", R"({"a":["x","y"]})"));
  EXPECT_TRUE(holds("a contains 'b'", R"({"a":"abc"})"));
  EXPECT_TRUE(holds("not a contains 'z'", R"({"a":"abc"})"));
  EXPECT_FALSE(holds("not a contains 'z'", R"({})"));
  EXPECT_TRUE(holds("not exists(a) and is_missing(a)", R"({})"));
  EXPECT_TRUE(holds("exists(a)", R"({"a":null})"));
}

TEST(NativeFilterTest, ErrorsAreShownWithACaret) {
  const std::pair<const char*, const char*> table[] = {
      {"", "the filter ends where a value is expected\n  \n  ^"},
      {"age >= ", "the filter ends where a value is expected\n  age >= \n         ^"},
      {"age > 3 x", "expected 'and', 'or' or the end\n  age > 3 x\n          ^"},
      {"a = 1 = 2", "expected 'and', 'or' or the end\n  a = 1 = 2\n        ^"},
      {"a and", "the filter ends where a value is expected\n  a and\n       ^"},
      {"(a = 1", "expected ')' here\n  (a = 1\n        ^"},
      {"a = 'x", "this text is not closed\n  a = 'x\n      ^"},
      {"a = 'x\\q'", "this text has a broken escape\n  a = 'x\\q'\n      ^"},
      {"a = 01", "this is no number\n  a = 01\n      ^"},
      {"a = 5x", "this is no number\n  a = 5x\n      ^"},
      {"a == 1", "expected a value, a field or a function\n  a == 1\n     ^"},
      {"a & b", "this character means nothing here\n  a & b\n    ^"},
      {"nope(a)", "there is no function of this name\n  nope(a)\n  ^"},
      {"matches(a, '(')",
       "this pattern is malformed, or too long\n  matches(a, '(')\n             ^"},
      {"lower(a, b)", "lower takes 1 arguments\n  lower(a, b)\n  ^"},
      {"a in [b]", "expected a value, a field or a function\n  a in [b]\n        ^"},
      {"a in [1", "expected ']' or ',' in this list\n  a in [1\n         ^"},
      {"a.", "expected a name\n  a.\n    ^"},
      {"a[x]", "expected a position or a name in quotes\n  a[x]\n    ^"},
      {"a[-1]", "expected a position or a name in quotes\n  a[-1]\n    ^"},
      {"é = 'ü' ?", "this character means nothing here\n  é = 'ü' ?\n          ^"},
      {"@expires_at < 'soon'",
       "expected a time in RFC 3339, as in \"2026-09-01T00:00:00Z\"\n"
       "  @expires_at < 'soon'\n                ^"},
      {"@ttl > 1",
       "expected one of id, id_number, revision, author, updater, created_at, written_at, "
       "updated_at, expires_at, removed_at after '@'\n  @ttl > 1\n   ^"},
  };
  for (const auto& [text, expected] : table) {
    EXPECT_EQ(lowered(text), std::string("error: ") + expected) << text;
  }
}

TEST(NativeFilterTest, ALongFilterIsShownInPart) {
  const std::string text = std::string(300, 'a') + " = ? " + std::string(300, 'b');
  const std::string message = lowered(text);
  EXPECT_LT(message.size(), 400u);
  const std::size_t caret = message.rfind('^') - message.rfind('\n');
  const std::size_t line = message.find('\n') + 1;
  EXPECT_EQ(message[line + caret - 1], '?');
}

TEST(NativeFilterTest, FiltersHaveBounds) {
  const auto code = [](const std::string& text) {
    const auto parsed = parse_filter(text);
    return parsed ? "fine" : name_of(parsed.error().code);
  };
  const std::size_t deep = limits::filter_depth_max + 1;
  EXPECT_STREQ(code(std::string(deep, '(') + "a" + std::string(deep, ')')), "too_large");
  EXPECT_STREQ(code(std::string(30, '(') + "a" + std::string(30, ')')), "fine");
  std::string nots;
  for (std::size_t i = 0; i < deep; ++i) nots += "not ";
  EXPECT_STREQ(code(nots + "a"), "too_large");
  EXPECT_STREQ(code("a in " + std::string(deep, '[') + std::string(deep, ']')), "too_large");
  std::string many = "a = 0";
  for (std::size_t i = 0; i < 1'000; ++i) many += " or a = 1";
  EXPECT_STREQ(code(many), "fine");
  for (std::size_t i = 0; i < limits::filter_nodes_max; ++i) many += " or a = 1";
  EXPECT_STREQ(code(many), "too_large");
  std::string path = "a";
  for (std::size_t i = 0; i < 200; ++i) path += ".a";
  EXPECT_STREQ(code(path + " = 1"), "invalid");
}

TEST(NativeFilterTest, ASortIsAListOfFields) {
  const auto keys = parse_sort("-age,a.b,@written_at,-@id");
  ASSERT_TRUE(keys.has_value());
  std::string text;
  for (const query::SortKey& key : *keys) {
    text += (key.is_descending ? "-" : "+") + render(*key.value) + " ";
  }
  EXPECT_EQ(text, "-.age +.a.b +@written_at -@id ");
}

}  // namespace
}  // namespace mayfly::native
