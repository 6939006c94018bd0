#include "dialect/fauna/run/run.h"

#include <gtest/gtest.h>

#include "dialect/fauna/library/testing.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/weight.h"

namespace mayfly::fauna {
namespace {

std::string failed(const Run& run) {
  return run.failure() ? run.failure()->code + ": " + run.failure()->message : "";
}

TEST(FqlRunTest, AnArityRendersTheNumberOfArguments) {
  EXPECT_EQ((Arity{0, 0}.text()), "no arguments");
  EXPECT_EQ((Arity{1, 1}.text()), "exactly 1 argument");
  EXPECT_EQ((Arity{2, 2}.text("parameter")), "exactly 2 parameters");
  EXPECT_EQ((Arity{0, 1}.text()), "0 or 1 arguments");
  EXPECT_EQ((Arity{1, 2}.text()), "1 or 2 arguments");
  EXPECT_EQ((Arity{1, 3}.text()), "between 1 and 3 arguments");
  EXPECT_EQ((Arity{1, Arity::any}.text()), "at least 1 argument");
  EXPECT_EQ((Arity{2, Arity::any}.text()), "at least 2 arguments");
  EXPECT_EQ((Arity{0, Arity::any}.text()), "any number of arguments");
}

TEST(FqlRunTest, TheFirstFailureIsKept) {
  TestRun run;
  const Result<FqlValue> first = run.fail("abort", "Query aborted.");
  const Result<FqlValue> second = run.fail_argument("x", "x must be positive");
  EXPECT_EQ(first.error().message, "Query aborted.");
  EXPECT_EQ(second.error().message, "invalid argument `x`: x must be positive");
  EXPECT_EQ(failed(run), "abort: Query aborted.");
}

TEST(FqlRunTest, AWrongArgumentIsNamedWithBothTypes) {
  TestRun run;
  const Result<FqlValue> result = run.fail_argument_type("other", "Number", FqlValue("2"));
  EXPECT_EQ(outcome(run, result),
            "invalid_argument: expected value for `other` of type Number, received String");
}

TEST(FqlRunTest, AMissingDocumentIsANullDoc) {
  TestRun run;
  run.documents["1"] = {};
  EXPECT_EQ(run.received_type(document("1")).value(), "Doc");
  EXPECT_EQ(run.received_type(document("2")).value(), "NullDoc");
  EXPECT_FALSE(run.is_null(document("1")).value());
  EXPECT_TRUE(run.is_null(document("2")).value());
  EXPECT_TRUE(run.equal(document("2"), FqlValue()).value());
  EXPECT_FALSE(run.equal(FqlValue(), document("1")).value());
}

TEST(FqlRunTest, WhatAQueryMakesHasABound) {
  TestRun run;
  EXPECT_TRUE(run.make(limits::fql_made_bytes_max - 1));
  EXPECT_TRUE(run.make(1));
  EXPECT_FALSE(run.make(1));
  EXPECT_EQ(failed(run),
            "value_too_large: Value too large: the query makes more than 536870912 bytes.");
  TestRun elements;
  EXPECT_TRUE(elements.check_elements(16'000));
  EXPECT_FALSE(elements.check_elements(16'001));
  EXPECT_EQ(failed(elements),
            "value_too_large: Value too large: array size 16001 exceeds limit 16000");
  TestRun texts;
  EXPECT_FALSE(texts.check_text((16 << 20) + 1));
  EXPECT_EQ(failed(texts),
            "value_too_large: Value too large: string size 16777217 exceeds limit 16777216");
}

TEST(FqlRunTest, StepsEndAtTheDeadline) {
  TestRun run(Meter([] { return Instant{2}; }, Instant{1}));
  const auto result = run.step(2'000);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::timed_out);
  EXPECT_EQ(run.counts().operations, 2'000U);
  EXPECT_FALSE(run.failure());
}

TEST(FqlRunTest, EffectsBeyondALimitAreRefused) {
  TestRun run;
  EXPECT_TRUE(run.check_effect(Effect::write, "`create`"));
  {
    const Run::EffectScope checks(run, {Effect::read, "check constraints"});
    const Run::EffectScope wider(run, {Effect::write, "nothing"});
    EXPECT_TRUE(run.check_effect(Effect::read, "Reading a field"));
    EXPECT_FALSE(run.check_effect(Effect::write, "`create`"));
    EXPECT_EQ(failed(run),
              "invalid_effect: `create` performs a write, which is not allowed in check "
              "constraints.");
  }
  EXPECT_TRUE(run.check_effect(Effect::write, "`create`"));
}

TEST(FqlRunTest, ACallNeedsTheRightNumberOfArguments) {
  const FqlValue same = function_of_one([](const FqlValue& x) { return x; });
  const FqlValue two[] = {1, 2};
  TestRun called;
  EXPECT_EQ(outcome(called, called.call(*same.function(), two)),
            "invalid_function_invocation: callee function expects exactly 1 argument, but 2 were "
            "provided.");
  const FqlValue pair = function_of(2, [](fauna::Run&, auto) { return Result<FqlValue>(1); });
  TestRun back;
  EXPECT_EQ(outcome(back, back.call_back(*pair.function(), "mapper", {two, 1})),
            "invalid_argument: `mapper` should accept 1 parameter, provided function requires "
            "exactly 2 parameters.");
  TestRun none;
  const FqlValue nothing = function_of(0, [](fauna::Run&, auto) { return Result<FqlValue>(1); });
  EXPECT_EQ(outcome(none, none.call(*nothing.function(), {two, 1})),
            "invalid_function_invocation: callee function expects no arguments, but 1 was "
            "provided.");
}

TEST(FqlRunTest, NestedCallsHaveABound) {
  FqlValue self;
  int depth = 0;
  self = function_of(0, [&](fauna::Run& run, auto) {
    ++depth;
    return run.call(*self.function(), {});
  });
  TestRun run;
  EXPECT_EQ(outcome(run, run.call(*self.function(), {})),
            "stack_overflow: number of stack frames exceeded limit of 2048");
  EXPECT_EQ(depth, 2'048);
  self = FqlValue();
}

TEST(FqlRunTest, APredicateReturnsABooleanOrNull) {
  struct Case {
    FqlValue returned;
    const char* outcome;
  };
  const Case cases[] = {
      {true, "true"},
      {false, "false"},
      {FqlValue(), "false"},
      {5, "type_mismatch: expected type: Boolean, received Int"},
      {document("1"), "type_mismatch: expected type: Boolean, received NullDoc"},
  };
  for (const Case& c : cases) {
    TestRun run;
    const FqlValue predicate = function_of_one([&](const FqlValue&) { return c.returned; });
    const FqlValue argument = 1;
    const auto result = run.call_predicate(*predicate.function(), "predicate", {&argument, 1});
    EXPECT_EQ(result ? (*result ? "true" : "false") : failed(run), c.outcome);
  }
}

TEST(FqlRunTest, SharedPartsCountEachTimeTheyAreShown) {
  FqlValue value = FqlArray{1};
  for (int i = 0; i < 60; ++i) value = FqlArray{value, value};
  TestRun run(Meter([] { return Instant{2}; }, Instant{1}));
  const auto weight = weigh(run, value);
  ASSERT_FALSE(weight);
  EXPECT_EQ(weight.error().code, Code::timed_out);
  TestRun small;
  EXPECT_EQ(weigh(small, FqlArray{FqlValue("abc"), FqlValue(1)}).value(), 6U);
}

TEST(FqlRunTest, NestedArraysAndObjectsHaveABound) {
  FqlValue value = 1;
  for (int i = 0; i < 500; ++i) {
    FqlObject object;
    object.append("a", array_of({value}));
    value = object;
  }
  TestRun run;
  EXPECT_EQ(value.depth(), 1'000);
  EXPECT_TRUE(run.check_depth(value));
  EXPECT_TRUE(run.equal(value, value).value());
  EXPECT_FALSE(run.check_depth(array_of({1, value})));
  EXPECT_EQ(failed(run), "value_too_large: Value too large: nested deeper than 1000");
  EXPECT_EQ(of_method(array_of({}), "append", {value}),
            "value_too_large: Value too large: nested deeper than 1000");
}

}  // namespace
}  // namespace mayfly::fauna
