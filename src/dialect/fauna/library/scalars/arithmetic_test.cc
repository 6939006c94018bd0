#include "dialect/fauna/library/scalars/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

constexpr Whole int_max{INT32_MAX, false};
constexpr Whole int_min{INT32_MIN, false};
constexpr Whole long_max{INT64_MAX, true};
constexpr Whole long_min{INT64_MIN, true};

std::string operation(const FqlValue& left, std::string_view symbol, const FqlValue& right) {
  TestRun run;
  const BinaryFunction apply = find_binary_operator(symbol);
  if (apply == nullptr) return "no such operator";
  return outcome(run, apply(run, left, right));
}

struct OperationCase {
  FqlValue left;
  const char* symbol;
  FqlValue right;
  const char* outcome;
};

void expect_all(std::span<const OperationCase> cases) {
  for (const OperationCase& c : cases) {
    EXPECT_EQ(operation(c.left, c.symbol, c.right), c.outcome)
        << debug_text(c.left) << " " << c.symbol << " " << debug_text(c.right);
  }
}

TEST(FqlArithmeticTest, WholeNumbersGrowToTheNextKind) {
  const OperationCase cases[] = {
      {1, "+", 2, "3"},
      {int_max, "+", 1, "2147483648L"},
      {Whole{2'147'483'648, true}, "-", 1, "2147483647"},
      {long_max, "+", 1, "9.223372036854776E18"},
      {int_min, "-", 1, "-2147483649L"},
      {long_min, "-", 1, "-9.223372036854776E18"},
      {int_max, "*", int_max, "4611686014132420609L"},
      {long_max, "*", 2, "1.8446744073709552E19"},
      {1, "+", 2.5, "3.5"},
      {2.0, "*", 3, "6.0"},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, DivisionOfWholeNumbersIsWhole) {
  const OperationCase cases[] = {
      {7, "/", 2, "3"},
      {-7, "/", 2, "-3"},
      {7.0, "/", 2, "3.5"},
      {7, "/", 0, "divide_by_zero: Attempted integer division by zero."},
      {7, "%", 0, "divide_by_zero: Attempted integer division by zero."},
      {7, "/", 0.0, "Math.Infinity"},
      {-7, "%", 3, "-1"},
      {7.5, "%", 2, "1.5"},
      {7.5, "%", 0, "Math.NaN"},
      {long_min, "/", -1, "9.223372036854776E18"},
      {long_min, "%", -1, "0"},
      {int_min, "/", -1, "2147483648L"},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, PowersAreExactWhileTheyFit) {
  const OperationCase cases[] = {
      {2, "**", 10, "1024"},
      {2, "**", 62, "4611686018427387904L"},
      {2, "**", 63, "9.223372036854776E18"},
      {-2, "**", 63, "-9223372036854775808L"},
      {2, "**", -1, "0.5"},
      {0, "**", 0, "1"},
      {5, "**", 0, "1"},
      {1, "**", long_max, "1"},
      {-1, "**", long_max, "-1"},
      {2.0, "**", 2, "4.0"},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, BitsAreThoseOfWholeNumbers) {
  const OperationCase cases[] = {
      {6, "&", 3, "2"}, {5.9, "&", 3, "1"},          {6, "|", 3, "7"},
      {6, "^", 3, "5"}, {std::nan(""), "|", 1, "1"}, {1e30, "&", long_max, "9223372036854775807L"},
  };
  expect_all(cases);
  TestRun run;
  EXPECT_EQ(outcome(run, find_unary_operator("~")(run, 5)), "-6");
  EXPECT_EQ(outcome(run, find_unary_operator("~")(run, "a")),
            "invalid_function_invocation: The function `~` does not exist on `String`");
}

TEST(FqlArithmeticTest, TheSmallestNumberHasNoNegation) {
  TestRun run;
  const UnaryFunction negate = find_unary_operator("-");
  EXPECT_EQ(outcome(run, negate(run, 5)), "-5");
  EXPECT_EQ(outcome(run, negate(run, -2.5)), "2.5");
  EXPECT_EQ(outcome(run, negate(run, int_min)), "-2147483648");
  EXPECT_EQ(outcome(run, negate(run, Whole{INT32_MIN, true})), "2147483648L");
  EXPECT_EQ(outcome(run, negate(run, long_min)), "-9223372036854775808L");
}

TEST(FqlArithmeticTest, AnyValueCanBeAddedToAString) {
  FqlObject object;
  object.append("a", 1);
  const OperationCase cases[] = {
      {"a", "+", "b", "\"ab\""},
      {"a", "+", 2.0, "\"a2\""},
      {"a", "+", FqlValue(), "\"anull\""},
      {"a", "+", array_of({1, "x"}), R"("a[1, \"x\"]")"},
      {"a", "+", object, R"("a{ a: 1 }")"},
      {"a", "+", TransactionTime{}, "\"a[transaction time]\""},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, ValuesOtherThanNumbersAreRefused) {
  const OperationCase cases[] = {
      {2, "+", "2", "invalid_argument: expected value for `other` of type Number, received String"},
      {FqlValue(), "+", 1,
       "invalid_function_invocation: The function `+` does not exist on `Null`"},
      {"a", "*", 1, "invalid_function_invocation: The function `*` does not exist on `String`"},
      {document("9"), "-", 1,
       "invalid_function_invocation: The function `-` does not exist on `NullDoc`"},
      {1, "**", FqlValue(),
       "invalid_argument: expected value for `other` of type Number, received Null"},
      {1, "<>", 2, "no such operator"},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, AllValuesCompare) {
  const OperationCase cases[] = {
      {1, "<", 2.5, "true"},
      {1, "==", 1.0, "true"},
      {FqlValue(), "<=", 30, "false"},
      {FqlValue(), "<=", FqlValue(), "true"},
      {"a", ">", "b", "false"},
      {"a", "!=", 1, "true"},
      {Id{"5"}, "==", "5", "true"},
      {array_of({1, 2}), "<", array_of({1, 3}), "true"},
      {array_of({1, 2}), "<", array_of({1, 2}), "false"},
      {array_of({1, 2}), ">=", array_of({1, 2}), "true"},
      {document("9"), "==", FqlValue(), "true"},
      {document("9"), "!=", FqlValue(), "false"},
      {std::nan(""), "==", std::nan(""), "false"},
  };
  expect_all(cases);
}

TEST(FqlArithmeticTest, AStringHasABound) {
  const std::string half(std::size_t{9} << 20, 'a');
  EXPECT_EQ(operation(half, "+", half),
            "value_too_large: Value too large: string size 18874368 exceeds limit 16777216");
}

}  // namespace
}  // namespace mayfly::fauna
