// Runs the examples in the rows of the library.
#include "expr/function.h"

#include <gtest/gtest.h>
#include <cmath>

#include <limits>
#include <set>

#include "expr/aggregate.h"
#include "expr/evaluation/evaluate.h"
#include "expr/render.h"
#include "expr/testing.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

// The parts between commas, except commas within quotes, brackets or braces.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      part += text[i++];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '(' || c == '[' || c == '{'))
      ++depth;
    else if (!quoted && (c == ')' || c == ']' || c == '}'))
      --depth;
    if (!quoted && depth == 0 && c == ',') {
      parts.push_back(std::move(part));
      part.clear();
    } else if (part.size() + (c == ' ' ? 0 : 1) > 0) {
      part += text[i];
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

Value parsed(const std::string& text);

// Values of the kinds that JSON cannot express: name(argument, …).
Value typed(const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> texts;
  for (const std::string& argument : arguments) texts.push_back(parsed(argument).text());
  if (name == "time") return *parse_rfc3339(texts[0]);
  if (name == "date") return *parse_date(texts[0]);
  if (name == "reference") return Reference{texts[0], texts[1]};
  EXPECT_EQ(name, "binary");
  EXPECT_EQ(texts[0], "AAE=");
  return Binary{std::string("\0\1", 2)};
}

Value parsed(const std::string& text) {
  if (text == "missing") return {};
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "infinity") return std::numeric_limits<double>::infinity();
  if (text == "-infinity") return -std::numeric_limits<double>::infinity();
  const std::size_t open = text.find('(');
  if (text.back() == ')' && text[0] != '"') {
    return typed(text.substr(0, open), parts_of(text.substr(open + 1, text.size() - open - 2)));
  }
  const Result<Value> value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : Value();
}

TEST(FunctionTest, EveryExampleHolds) {
  const Value nothing;
  for (const Family& family : function_families()) {
    for (const Function& function : family.functions) {
      EXPECT_FALSE(function.examples.empty()) << function.name;
      for (const Example& example : function.examples) {
        ExprList arguments;
        for (const std::string& part : parts_of(example.arguments)) {
          arguments.push_back(expr::literal(parsed(part)));
        }
        const ExprPtr call = expr::call(function, std::move(arguments));
        const Result<Value> value = evaluate(*call, ValueScope(nothing), unbounded());
        ASSERT_TRUE(value) << render(*call);
        EXPECT_EQ(render_literal(*value), render_literal(parsed(std::string(example.result))))
            << render(*call);
        if (function.gives_truth) {
          EXPECT_TRUE(value->is_missing() || value->is(Kind::boolean)) << function.name;
        }
        EXPECT_FALSE(function.is_never_missing && value->is_missing()) << function.name;
        const bool begins_infinite = example.arguments.find("infinity") != std::string_view::npos ||
                                     example.arguments.find("nan") != std::string_view::npos;
        if (value->is(Kind::real) && !std::isfinite(value->real()) && !begins_infinite) {
          EXPECT_TRUE(family.may_be_infinite && !function.is_finite) << function.name;
        }
      }
    }
  }
}

TEST(FunctionTest, EveryRowIsCompleteAndItsNameIsUnique) {
  std::set<std::string_view> names;
  for (const Family& family : function_families()) {
    for (const Function& function : family.functions) {
      EXPECT_TRUE(names.insert(function.name).second) << function.name;
      EXPECT_EQ(find_function(function.name), &function);
      EXPECT_LE(function.arguments_min, function.arguments_max) << function.name;
      EXPECT_TRUE(function.summary.ends_with('.')) << function.name;
    }
  }
  EXPECT_EQ(find_function("no such function"), nullptr);
}

TEST(FunctionTest, EveryExampleOfAnAggregateHolds) {
  for (const Aggregate& aggregate : aggregates()) {
    EXPECT_FALSE(aggregate.examples.empty()) << aggregate.name;
    EXPECT_EQ(find_aggregate(aggregate.name), &aggregate);
    for (const Example& example : aggregate.examples) {
      const std::unique_ptr<Accumulator> accumulator = aggregate.start();
      for (const std::string& part : parts_of(example.arguments)) accumulator->add(parsed(part));
      EXPECT_EQ(render_literal(accumulator->result()),
                render_literal(parsed(std::string(example.result))))
          << aggregate.name << "(" << example.arguments << ")";
    }
  }
}

// Any values as arguments give a value, or fail for their size; nothing crashes.
TEST(FunctionTest, EveryFunctionAcceptsEveryKind) {
  const std::vector<Value> values = {{},
                                     nullptr,
                                     true,
                                     0,
                                     -1,
                                     std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::max(),
                                     1.5,
                                     std::numeric_limits<double>::quiet_NaN(),
                                     std::numeric_limits<double>::infinity(),
                                     -1e308,
                                     "",
                                     "a",
                                     "\xC3",
                                     "\xFF\x80",
                                     "día",
                                     "hours",
                                     Instant{0},
                                     limits::instant_max,
                                     limits::instant_min,
                                     Date{-719162},
                                     Binary{"\0x"},
                                     Reference{"c", "1"},
                                     Array{1, "a", nullptr, Array{}},
                                     Object{{"a", 1}}};
  const Value nothing;
  for (const Family& family : function_families()) {
    for (const Function& function : family.functions) {
      const std::size_t most = std::min<std::size_t>(function.arguments_max, 3);
      for (std::size_t i = 0; i < values.size() * values.size(); ++i) {
        ExprList arguments;
        for (std::size_t n = 0; n < most; ++n) {
          const std::size_t pick = n == 0 ? i : n == 1 ? i / values.size() : i * 7 + n;
          arguments.push_back(expr::literal(values[pick % values.size()]));
        }
        const Result<Value> value =
            evaluate(*expr::call(function, arguments), ValueScope(nothing), unbounded());
        EXPECT_TRUE(value || value.error().code == Code::too_large) << function.name;
      }
    }
  }
}

TEST(FunctionTest, TextsAndArraysDoNotGrowWithoutBound) {
  const Value row(Object{{"t", std::string(1'000'000, 'a')}, {"a", Array(600'000, Value(1))}});
  const auto code_of = [&](const ExprPtr& e) {
    const Result<Value> value = evaluate(*e, ValueScope(row), unbounded());
    return value ? "ok" : std::string(name_of(value.error().code));
  };
  const ExprPtr t = expr::body("t");
  const ExprPtr a = expr::body("a");
  EXPECT_EQ(code_of(expr::call("concat", {t, t})), "ok");
  EXPECT_EQ(code_of(expr::call("concat", {t, t, t})), "too_large");
  EXPECT_EQ(code_of(expr::call("repeat", {t, expr::literal(INT64_MAX)})), "too_large");
  EXPECT_EQ(code_of(expr::call("replace", {t, expr::literal("a"), t})), "too_large");
  EXPECT_EQ(code_of(expr::call("array_concat", {a, a})), "too_large");
}

}  // namespace
}  // namespace mayfly
