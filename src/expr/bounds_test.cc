// Functions on texts that would take them a very long time. No time is measured: with a quadratic
// search these tests do not end.
#include <gtest/gtest.h>

#include <string>

#include "expr/evaluation/evaluate.h"
#include "expr/expr.h"
#include "expr/limits.h"
#include "expr/render.h"
#include "expr/testing.h"

namespace mayfly {
namespace {

using expr::call;
using expr::literal;

std::string letters(std::size_t n, char letter = 'a') {
  return std::string(n, letter);
}

std::string outcome_of(const ExprPtr& e, const Value& row) {
  const Result<Value> value = evaluate(*e, ValueScope(row), unbounded());
  return value ? render_literal(*value) : std::string(name_of(value.error().code));
}

TEST(BoundsTest, SearchingATextTakesLinearTime) {
  constexpr std::size_t n = 2'000'000;
  const Value row(Object{{"long", letters(n)}, {"half", letters(n / 2) + "b"}});
  const auto on = [](std::string_view function, ExprList more) {
    ExprList arguments{expr::body("long")};
    for (ExprPtr& one : more) arguments.push_back(std::move(one));
    return call(function, std::move(arguments));
  };
  const ExprPtr half = expr::body("half");
  const ExprPtr anywhere = call("concat", {literal("%"), half, literal("%")});
  const struct {
    const char* name;
    ExprPtr expr;
    const char* expected;
  } rows[] = {
      {"contains", on("contains", {half}), "false"},
      {"contains_ignoring_case", on("contains_ignoring_case", {half}), "false"},
      {"index_of", on("index_of", {half}), "-1"},
      {"last_index_of", on("last_index_of", {half}), "-1"},
      {"index_of_utf16", on("index_of_utf16", {half}), "-1"},
      {"last_index_of_utf16", on("last_index_of_utf16", {half}), "-1"},
      {"replace", call("length", {on("replace", {half, literal("")})}), "2000000"},
      {"split", call("array_length", {on("split", {half})}), "1"},
      {"split_at_text", call("array_length", {on("split_at_text", {half})}), "1"},
      {"trim", call("length", {on("trim", {half})}), "0"},
      {"like", on("like", {anywhere}), "false"},
  };
  for (const auto& one : rows) EXPECT_EQ(outcome_of(one.expr, row), one.expected) << one.name;
}

TEST(BoundsTest, SearchingAPhraseTakesLinearTime) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "a ";
  const Value row(Object{{"t", text}, {"long", text.substr(0, 500'000) + "b"}});
  const ExprPtr language = literal("english");
  const ExprPtr known = literal(Value(text.substr(0, 500'000) + "b"));
  for (const ExprPtr& phrase : {known, expr::body("long")}) {
    EXPECT_EQ(outcome_of(call("has_phrase", {expr::body("t"), phrase, language}), row), "false");
    const ExprPtr score =
        call("score_phrases", {expr::body("t"), call("array", {phrase}), language, literal(1),
                               literal(1), literal(Value(Array{Value(1)}))});
    EXPECT_EQ(outcome_of(score, row), "0");
  }
}

TEST(BoundsTest, LikeTakesAnyPattern) {
  constexpr std::size_t many = 100'000;
  const std::string wide = letters(many, '_');
  std::string large_set = "%[";
  for (std::size_t i = 0; i < many; ++i) large_set += i % 2 == 0 ? "\xC3\xA4" : "b";
  const struct {
    const char* name;
    std::string text;
    std::string pattern;
    const char* expected;
  } rows[] = {
      {"as many _", letters(many), wide, "true"},
      {"one more _", letters(many - 1), wide, "false"},
      {"_ between %", letters(many), "%" + wide + "%", "true"},
      {"one more between %", letters(many - 1), "%" + wide + "%", "false"},
      {"many %", letters(many), letters(many, '%'), "true"},
      {"many % and another", letters(many), letters(many, '%') + "b", "false"},
      {"brackets that nothing closes", letters(many, '['), letters(many, '['), "true"},
      {"a large set", letters(many), large_set + "]%", "false"},
      {"a segment of both, long", letters(many), "%" + letters(many / 2) + "_b%", "too_large"},
      {"a segment of both, short", letters(many), "%" + letters(100) + "_b%", "false"},
  };
  for (const auto& row : rows) {
    const ExprPtr e = call("like", {expr::slot(0), literal(Value(row.pattern))});
    EXPECT_EQ(outcome_of(e, Value(row.text)), row.expected) << row.name;
  }
}

TEST(BoundsTest, RegularExpressionsAreBounded) {
  std::string alternatives;
  for (int i = 1; i < 3'000; ++i) alternatives += (i > 1 ? "|x" : "x") + std::to_string(i);
  const struct {
    const char* name;
    std::string text;
    std::string pattern;
    const char* expected;
  } rows[] = {
      {"a long one", "b", letters(limits::pattern_bytes_max / 2), "false"},
      {"a longer one", "b", letters(limits::pattern_bytes_max + 1), "too_large"},
      {"alternatives by the thousand", "x17", alternatives, "too_large"},
      {"a program too large", "b", "(\\pL{900})", "too_large"},
      {"much work", letters(2'000'000), "(a|aa|aaa)*.{50}[b-c].{50}$", "too_large"},
      {"the same on a short text", letters(2'000), "(a|aa|aaa)*.{50}[b-c].{50}$", "false"},
      {"an ordinary one on a long text", letters(2'000'000) + "b", "^a+[b-c]$", "true"},
      {"malformed", "a", "(", "missing"},
  };
  for (const auto& row : rows) {
    const ExprPtr known = literal(Value(row.pattern));
    const ExprPtr made = call("concat", {known});  // compiled at evaluation
    EXPECT_EQ(outcome_of(call("matches", {expr::slot(0), known}), Value(row.text)), row.expected)
        << row.name;
    EXPECT_EQ(outcome_of(call("matches", {expr::slot(0), made}), Value(row.text)), row.expected)
        << row.name;
  }
}

TEST(BoundsTest, TooMuchWorkIsRefused) {
  std::string words;
  while (words.size() < 1'000'000) words += "a ";
  const Value row(Object{{"t", words}, {"many", Array(10'000, Value("a"))}});
  for (const char* function : {"has_any_word", "has_words_in_order", "has_words_then_prefix"}) {
    EXPECT_EQ(outcome_of(call(function, {expr::body("t"), expr::body("many")}), row), "too_large")
        << function;
  }
}

TEST(BoundsTest, PartsOfLargeObjectsAreComparedInTheOrderOfNames) {
  Object large;
  for (int i = 0; i < 60'000; ++i) large.append("m" + std::to_string(i), Value(i));
  const Value row(Object{{"items", Array{Value(large)}}, {"part", Value(large)}});
  EXPECT_EQ(outcome_of(call("array_contains_part", {expr::body("items"), expr::body("part")}), row),
            "true");
}

}  // namespace
}  // namespace mayfly
