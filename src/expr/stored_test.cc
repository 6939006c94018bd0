// Stored expressions: parsing returns the stored expression, and others are refused.
#include "expr/stored.h"

#include <gtest/gtest.h>

#include "expr/limits.h"
#include "expr/render.h"

namespace mayfly {
namespace {

using expr::body;
using expr::call;
using expr::literal;

std::string kept(const ExprPtr& e) {
  const auto stored = StoredExpression::of(e);
  if (!stored) return std::string(name_of(stored.error().code)) + ": " + stored.error().message;
  const auto again = StoredExpression::parse(stored->text);
  EXPECT_TRUE(again && are_same(*again->expression, *stored->expression)) << stored->text;
  EXPECT_EQ(StoredExpression::of(again->expression)->text, stored->text);
  return render(*stored->expression);
}

TEST(StoredExpressionTest, AnExpressionOverTheBodyIsParsedUnchanged) {
  EXPECT_EQ(kept(call("lower", {body("email")})), "lower(.email)");
  EXPECT_EQ(StoredExpression::of(call("lower", {body("email")}))->text,
            R"({"call":"lower","of":[{"field":".email"}]})");
  const ExprPtr is_a = expr::equal(body("a b"), literal("x\""));
  const ExprPtr is_less = expr::negation(expr::less(body("n"), literal(0.5)));
  EXPECT_EQ(kept(expr::all_of({is_a, is_less})), R"(.["a b"] = "x\"" and not .n < 0.5)");
  EXPECT_EQ(kept(expr::any_of({expr::if_missing(is_a, literal(false)), is_less})),
            R"((.["a b"] = "x\"") ?? false or not .n < 0.5)");
  EXPECT_EQ(kept(call("concat", {body("a"), literal(" "), body("b")})), R"(concat(.a, " ", .b))");
  EXPECT_EQ(kept(literal(nullptr)), "null");
}

TEST(StoredExpressionTest, ALiteralKeepsItsKind) {
  const auto stored = [](const Value& value) {
    const auto written = StoredExpression::of(literal(value));
    const auto read = StoredExpression::parse(written->text);
    EXPECT_EQ(read->expression->as<expr::Literal>()->value.kind(), value.kind());
    EXPECT_TRUE(are_same(*read->expression, *written->expression));
    return written->text;
  };
  EXPECT_EQ(stored(Value(1)), R"({"literal":1})");
  EXPECT_EQ(stored(Value(1.5)), R"({"literal":1.5})");
  EXPECT_EQ(stored(Value(1.0)), R"({"real":1})");
  EXPECT_EQ(stored(Value(-0.0)), R"({"real":0})");
  EXPECT_EQ(stored(Value(1e300)), R"({"literal":1e+300})");
  EXPECT_EQ(stored(Value(Instant{5})), R"({"time":"1970-01-01T00:00:00.000005Z"})");
  EXPECT_EQ(stored(Value(Array{Value(1), Value("a")})), R"({"literal":[1,"a"]})");
  EXPECT_EQ(stored(Value(Array{Value(1), Value(2.0)})), R"({"list":[{"literal":1},{"real":2}]})");
}

TEST(StoredExpressionTest, WhatCouldNotBeReadAgainIsRefused) {
  const auto nested = [](int depth) {
    Value list = Array{Value(1.0)};
    for (int i = 1; i < depth; ++i) list = Array{std::move(list)};
    return StoredExpression::of(expr::equal(body("a"), literal(list)));
  };
  EXPECT_TRUE(nested(20));
  const auto refused = nested(63);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid);
}

TEST(StoredExpressionTest, AnExpressionThatReadsMoreThanTheBodyIsRefused) {
  EXPECT_EQ(kept(expr::metadata("written_at")),
            "invalid: @written_at cannot stand in an expression that is kept");
  EXPECT_EQ(kept(expr::slot(0)), "invalid: . cannot stand in an expression that is kept");
  EXPECT_EQ(kept(expr::field(Field::body("a"), 1)),
            "invalid: .a cannot stand in an expression that is kept");
  EXPECT_EQ(kept(expr::must(body("a"), "no")),
            "invalid: what may fail cannot stand in an expression that is kept");
  const auto call_it = [](const Scope&, std::span<const Value>, Meter&) -> Result<Value> {
    return Value(1);
  };
  EXPECT_EQ(kept(expr::foreign("f", Effect::pure, call_it, {})),
            "invalid: what an API computes cannot stand in an expression that is kept");
  EXPECT_EQ(kept(expr::each(expr::Each::Mode::any, 1, body("a"), expr::slot(1))),
            "invalid: a loop cannot stand in an expression that is kept");
  EXPECT_EQ(kept(literal(Value(Object{{"a", 1}}))).substr(0, 8), "invalid:");
}

TEST(StoredExpressionTest, AnExpressionHasABoundedNumberOfNodes) {
  const auto concat_of = [](std::size_t fields) {
    return call("concat", ExprList(fields, body("a")));
  };
  EXPECT_TRUE(StoredExpression::of(concat_of(limits::stored_expression_nodes_max - 1)));
  const auto refused = StoredExpression::of(concat_of(limits::stored_expression_nodes_max));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::too_large);
}

TEST(StoredExpressionTest, OtherTextsAreRefused) {
  for (const char* text :
       {"", "1", "[]", "{}", R"({"field":1})", R"({"field":"a..b"})", R"({"call":"lower"})",
        R"({"call":"lower","of":[]})", R"({"call":"no such","of":[]})", R"({"and":1})",
        R"({"not":[]})", R"({"if_missing":[{"field":".a"}]})", R"({"must":[{"field":".a"}]})"}) {
    EXPECT_FALSE(StoredExpression::parse(text)) << text;
  }
}

}  // namespace
}  // namespace mayfly
