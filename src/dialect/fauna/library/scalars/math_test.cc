// Both families of Math functions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "dialect/fauna/library/testing.h"

namespace mayfly::fauna {
namespace {

struct MathCase {
  const char* function;
  Values arguments;
  const char* outcome;
};

void expect_math(std::span<const MathCase> cases) {
  for (const MathCase& c : cases) {
    EXPECT_EQ(of_static("Math", c.function, c.arguments), c.outcome)
        << c.function << " " << debug_text(array_of(c.arguments));
  }
}

constexpr Whole least_int{INT32_MIN, false};
constexpr Whole least_long{INT64_MIN, true};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(FqlMathTest, FunctionsOfRealsReturnDoubles) {
  const MathCase cases[] = {
      {"E", {}, "2.718281828459045"},
      {"PI", {}, "3.141592653589793"},
      {"NaN", {}, "Math.NaN"},
      {"Infinity", {}, "Math.Infinity"},
      {"acos", {1}, "0.0"},
      {"asin", {0}, "0.0"},
      {"atan", {0}, "0.0"},
      {"cos", {0}, "1.0"},
      {"cosh", {0}, "1.0"},
      {"degrees", {std::numbers::pi}, "180.0"},
      {"exp", {0}, "1.0"},
      {"hypot", {3, 4}, "5.0"},
      {"log", {1}, "0.0"},
      {"log10", {1'000}, "3.0"},
      {"radians", {180}, "3.141592653589793"},
      {"sin", {0}, "0.0"},
      {"sinh", {0}, "0.0"},
      {"sqrt", {16}, "4.0"},
      {"tan", {0}, "0.0"},
      {"tanh", {0}, "0.0"},
  };
  expect_math(cases);
}

TEST(FqlMathTest, UndefinedResultsAreRefused) {
  const MathCase cases[] = {
      {"log", {0}, "invalid_argument: invalid argument `x`: x must be positive"},
      {"log10", {-1}, "invalid_argument: invalid argument `x`: x must be positive"},
      {"sqrt", {-1}, "invalid_argument: invalid argument `x`: x must be nonnegative"},
      {"acos", {2}, "invalid_argument: invalid argument `x`: argument must lie in [-1, 1]"},
      {"asin", {-1.5}, "invalid_argument: invalid argument `x`: argument must lie in [-1, 1]"},
      {"sqrt", {nan}, "Math.NaN"},
  };
  expect_math(cases);
}

TEST(FqlMathTest, WholeNumbersStayWhole) {
  const MathCase cases[] = {
      {"abs", {-5}, "5"},
      {"abs", {-5.5}, "5.5"},
      {"abs", {least_int}, "2147483648L"},
      {"abs", {least_long}, "9.223372036854776E18"},
      {"ceil", {1.2}, "2.0"},
      {"ceil", {3}, "3"},
      {"floor", {-1.2}, "-2.0"},
      {"floor", {3}, "3"},
      {"sign", {-2.5}, "-1"},
      {"sign", {0}, "0"},
      {"sign", {7}, "1"},
      {"sign", {nan}, "Math.NaN"},
      {"max", {1, 3}, "3"},
      {"max", {3, 1.5}, "3.0"},
      {"max", {1, nan}, "Math.NaN"},
      {"max", {nan, 1}, "Math.NaN"},
      {"min", {1, 3}, "1"},
      {"min", {nan, 1}, "Math.NaN"},
      {"min", {1, nan}, "Math.NaN"},
      {"pow", {2, 10}, "1024"},
      {"pow", {2, -1}, "0.5"},
  };
  expect_math(cases);
}

TEST(FqlMathTest, DecimalsAreRoundedOrCut) {
  const MathCase cases[] = {
      {"round", {3.14159, 2}, "3.14"},
      {"round", {2.5, 0}, "3.0"},
      {"round", {-2.5, 0}, "-3.0"},
      {"round", {1'555.5, -2}, "1600.0"},
      {"round", {15, -1}, "20L"},
      {"round", {-15, -1}, "-20L"},
      {"round", {15, 3}, "15L"},
      {"round", {15, -19}, "0L"},
      {"round", {Whole{INT64_MAX, true}, -1}, "9.223372036854776E18"},
      {"round", {1.5, 400}, "1.5"},
      {"round", {1.5, -400}, "0.0"},
      {"trunc", {3.149, 2}, "3.14"},
      {"trunc", {-3.149, 2}, "-3.14"},
      {"trunc", {19, -1}, "10L"},
      {"trunc", {nan, 2}, "Math.NaN"},
  };
  expect_math(cases);
}

TEST(FqlMathTest, ElementsAreAddedUp) {
  const MathCase cases[] = {
      {"sum", {array_of({1, 2, 6})}, "9"},
      {"sum", {array_of({})}, "0"},
      {"sum", {array_of({1, 2.5})}, "3.5"},
      {"sum",
       {array_of({1, "2"})},
       "invalid_argument: invalid argument `numbers`: all array elements must be numbers"},
      {"mean", {array_of({1, 2})}, "1.5"},
      {"mean", {array_of({})}, "Math.NaN"},
      {"mean",
       {array_of({FqlValue()})},
       "invalid_argument: invalid argument `numbers`: all array elements must be numbers"},
  };
  expect_math(cases);
}

}  // namespace
}  // namespace mayfly::fauna
