// Queries within an expression.
#include "query/running/nested.h"

#include <gtest/gtest.h>

#include "db/testing.h"
#include "expr/evaluation/evaluate.h"
#include "expr/render.h"
#include "expr/testing.h"
#include "query/planning/planner.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::query {
namespace {

using expr::call;
using expr::literal;
using mayfly::testing::must;

const Value row_text = *parse_json(
    R"({"name":"a","items":[{"n":3,"k":"x"},{"n":1,"k":"y"},{"n":2,"k":"x"},{"k":"x"}]})");

class NestedTest : public ::testing::Test {
 protected:
  NestedTest() { row.value = row_text; }

  std::string rows(const QueryPtr& query, std::size_t rows_max = SIZE_MAX) {
    const auto values = run_nested(*plan_nested(*query), row, meter, rows_max);
    return values ? render_literal(Value(Array(*values))) : values.error().message;
  }
  static ExprPtr item(std::string_view name) {
    return expr::field(Field::body(std::string(name)), 1);
  }

  const QueryPtr items = unnest(outer(), 1, expr::body("items"));
  QueryRow row;
  Meter meter;
};

TEST_F(NestedTest, ItsRowsSeeTheSurroundingRow) {
  EXPECT_EQ(rows(project(outer(), expr::body("name"))), R"(["a"])");
  EXPECT_EQ(rows(project(items, call("array", {expr::body("name"), item("k")}))),
            R"([["a", "x"], ["a", "y"], ["a", "x"], ["a", "x"]])");
}

TEST_F(NestedTest, ItFiltersSortsAndSlices) {
  const QueryPtr some = filter(items, expr::equal(item("k"), literal("x")));
  EXPECT_EQ(rows(project(some, item("n"))), "[3, 2]");  // missing values are left out
  EXPECT_EQ(rows(project(sort(items, {{item("n"), true}}, Ties::ascending), item("n"))),
            "[3, 2, 1]");
  EXPECT_EQ(rows(slice(distinct(project(items, item("k"))), 1, 5)), R"(["y"])");
}

// The group is bound beside the surrounding row.
TEST_F(NestedTest, GroupsStandInASlotOfTheirOwn) {
  const QueryPtr groups =
      group(items, {{"k", item("k")}}, {{"c", find_aggregate("count"), item("n")}}, 2);
  const auto of_group = [](const char* name) { return expr::field(Field::body(name), 2); };
  EXPECT_EQ(
      rows(project(groups, call("array", {expr::body("name"), of_group("k"), of_group("c")}))),
      R"([["a", "x", 2], ["a", "y", 1]])");
  const QueryPtr none =
      group(filter(items, literal(false)), {}, {{"c", find_aggregate("count"), item("n")}}, 2);
  EXPECT_EQ(rows(project(none, of_group("c"))), "[0]");
}

TEST_F(NestedTest, QueriesNest) {
  const PlanTreePtr inner =
      plan_nested(*project(filter(unnest(outer(), 2, expr::body("items")),
                                  expr::less(expr::field(Field::body("n"), 2), item("n"))),
                           expr::field(Field::body("n"), 2)));
  const ExprPtr smaller = expr::foreign(
      "smaller", Effect::reads,
      [inner](const Scope& scope, std::span<const Value>, Meter& of_request) -> Result<Value> {
        return Value(Array(TRY(run_nested(*inner, scope, of_request, SIZE_MAX))));
      },
      {});
  EXPECT_EQ(rows(project(items, smaller)), "[[1, 2], [], [1], []]");
}

TEST_F(NestedTest, OnlyTheNeededRowsAreComputed) {
  const ExprPtr fails_later = expr::must(item("n"), "this row is not made");
  EXPECT_EQ(rows(project(items, fails_later)), "this row is not made");
  EXPECT_EQ(rows(project(items, fails_later), 2), "[3, 1]");
}

TEST_F(NestedTest, ItUsesTheMeterOfTheRequest) {
  Meter late([] { return Instant{2}; }, Instant{1});
  const QueryPtr many =
      unnest(unnest(unnest(items, 2, expr::body("items")), 3, expr::body("items")), 4,
             expr::body("items"));
  const QueryPtr more = unnest(unnest(many, 5, expr::body("items")), 6, expr::body("items"));
  const auto ended = run_nested(*plan_nested(*project(more, literal(1))), row, late, SIZE_MAX);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Code::timed_out);
}

// Values that the surrounding expression has built stay counted, whatever nested ones build.
TEST_F(NestedTest, WhatTheSurroundingExpressionBuiltStaysCounted) {
  must(meter.build(limits::query_bytes_max - 10));
  EXPECT_EQ(rows(project(items, item("k"))), R"(["x", "y", "x", "x"])");
  EXPECT_FALSE(meter.build(11));
}

TEST(QueryIdentity, TwoForeignCallsOfOneNameAreTwoQueries) {
  const auto query = [](std::string identity) {
    const auto nothing = [](const Scope&, std::span<const Value>, Meter&) { return Value(); };
    return project(
        values({}),
        call("array", {expr::foreign("f", Effect::reads, nothing, {}, std::move(identity))}));
  };
  EXPECT_EQ(fingerprint(*query("one")), fingerprint(*query("one")));
  EXPECT_NE(fingerprint(*query("one")), fingerprint(*query("other")));
  EXPECT_EQ(render(*query("one")), render(*query("other")));
}

}  // namespace
}  // namespace mayfly::query
