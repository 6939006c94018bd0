// Bounds of one evaluation, in steps and bytes; no test reads a running clock.
#include "expr/evaluation/meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/threads/run_permit.h"
#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "expr/expr.h"
#include "expr/render.h"

namespace mayfly {
namespace {

using expr::call;
using expr::literal;

Instant noon() {
  return Instant{10};
}

std::string many_letters(std::size_t n) {
  return std::string(n, 'a');
}

// The deadline is checked within one evaluation, even with few but long calls.
TEST(MeterTest, ADeadlineEndsOneEvaluation) {
  const Value row(Object{{"t", many_letters(100'000)}, {"list", Array(2'000, Value(1))}});
  const ExprPtr sum = call("add", {literal(1), literal(2)});
  const struct {
    const char* name;
    ExprPtr expr;
  } rows[] = {
      {"a long text", call("contains", {expr::body("t"), literal("b")})},
      {"many calls", call("array", ExprList(2'000, sum))},
      {"a long list", call("array_length", {expr::body("list")})},
      {"lists that are compared", call("equal", {expr::body("list"), expr::body("list")})},
  };
  for (const auto& one : rows) {
    Meter in_time(noon, Instant{11});
    EXPECT_TRUE(evaluate(*one.expr, ValueScope(row), in_time)) << one.name;
    Meter late(noon, Instant{10});
    EXPECT_EQ(evaluate(*one.expr, ValueScope(row), late).error().code, Code::timed_out) << one.name;
  }
}

class CountedPermit final : public RunPermit {
 public:
  Result<void> renew() override {
    ++renewals;
    if (!is_ended) return {};
    return fail(Code::timed_out, "cancelled");
  }
  bool is_cancelled() const override { return is_ended; }
  void report_peak(std::size_t bytes) override { peak = std::max(peak, bytes); }

  int renewals = 0;
  bool is_ended = false;
  std::size_t peak = 0;
};

TEST(MeterTest, ThePermitOfTheRequestIsRenewedRegularly) {
  CountedPermit permit;
  const RunPermitScope scope(permit);
  Meter meter;
  EXPECT_TRUE(meter.tick(1'023));
  EXPECT_EQ(permit.renewals, 0);
  EXPECT_TRUE(meter.tick());
  EXPECT_EQ(permit.renewals, 1);
  permit.is_ended = true;
  EXPECT_TRUE(meter.tick(1'023));
  EXPECT_EQ(meter.tick().error().message, "cancelled");
}

TEST(MeterTest, TheMemoryOfAnEvaluationIsReportedToThePermit) {
  CountedPermit permit;
  const RunPermitScope scope(permit);
  Meter meter;
  const Value row(Object{{"t", many_letters(1'000'000)}});
  const ExprPtr doubled = call("concat", {expr::body("t"), expr::body("t")});
  EXPECT_TRUE(evaluate(*doubled, ValueScope(row), meter));
  EXPECT_GE(permit.peak, 2'000'000U);
}

// Shared parts take no memory twice, but they are traversed and written as often as they are
// reached.
TEST(MeterTest, SharedPartsCountAsOftenAsTheyAreReached) {
  Value doubled = Array{Value(many_letters(1'000))};
  for (int i = 0; i < 60; ++i) doubled = Array{doubled, doubled};
  EXPECT_GT(weight(doubled), limits::query_bytes_max);
  const ExprPtr all = expr::slot(0);
  for (const ExprPtr& e : {call("equal", {all, all}), call("to_text", {all}),
                           call("array_sort", {all}), call("array_contains", {all, all})}) {
    Meter meter;
    EXPECT_EQ(evaluate(*e, ValueScope(doubled), meter).error().code, Code::too_large) << render(*e);
  }
}

TEST(MeterTest, BuiltTextsAreCounted) {
  const ExprPtr text = literal(Value(many_letters(1'000'000)));
  std::string json = "[";
  while (json.size() < 1'000'000) json += "[],";
  const ExprPtr parsed = call("text_to_array", {literal(Value(json + "0]"))});
  const struct {
    const char* name;
    ExprPtr expr;
    const char* expected;
  } rows[] = {
      {"60 MB of texts", call("array", ExprList(60, text)), "made"},
      {"70 MB of texts", call("array", ExprList(70, text)), "too_large"},
      {"what stands in a text", parsed, "made"},
      {"the same, ten times", call("array", ExprList(10, parsed)), "too_large"},
  };
  for (const auto& row : rows) {
    Meter meter;
    const auto value = evaluate(*row.expr, ValueScope(Value()), meter);
    EXPECT_STREQ(value ? "made" : name_of(value.error().code), row.expected) << row.name;
  }
}

TEST(MeterTest, FoldingConstantsStopsAndLeavesTheRestToTheRows) {
  const ExprPtr costly = call("length", {call("upper", {literal(Value(many_letters(2'000'000)))})});
  const ExprPtr folded = fold(call("array", ExprList(100, costly)));
  const auto* list = folded->as<expr::FunctionCall>();
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(list->arguments.front()->as<expr::Literal>());
  EXPECT_FALSE(list->arguments.back()->as<expr::Literal>());
}

}  // namespace
}  // namespace mayfly
