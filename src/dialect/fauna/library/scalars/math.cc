// Math: functions of real numbers. All return a Double.
#include <cmath>
#include <limits>
#include <numbers>

#include "dialect/fauna/library/family.h"

namespace mayfly::fauna {
namespace {

template <double (*function)(double)>
Result<FqlValue> math_real(Run&, const FqlValue&, const Arguments& a) {
  return FqlValue(function(a[0].number()));
}

double degrees_of(double radians) {
  return radians * 180 / std::numbers::pi;
}

double radians_of(double degrees) {
  return degrees * std::numbers::pi / 180;
}

template <double (*function)(double)>
Result<FqlValue> math_of_positive(Run& run, const FqlValue&, const Arguments& a) {
  if (a[0].number() <= 0) return run.fail_argument("x", "x must be positive");
  return FqlValue(function(a[0].number()));
}

template <double (*function)(double)>
Result<FqlValue> math_of_ratio(Run& run, const FqlValue&, const Arguments& a) {
  if (std::abs(a[0].number()) > 1) {
    return run.fail_argument("x", "argument must lie in [-1, 1]");
  }
  return FqlValue(function(a[0].number()));
}

Result<FqlValue> math_sqrt(Run& run, const FqlValue&, const Arguments& a) {
  if (a[0].number() < 0) return run.fail_argument("x", "x must be nonnegative");
  return FqlValue(std::sqrt(a[0].number()));
}

Result<FqlValue> math_hypot(Run&, const FqlValue&, const Arguments& a) {
  return FqlValue(std::hypot(a[0].number(), a[1].number()));
}

Result<FqlValue> math_e(Run&, const FqlValue&, const Arguments&) {
  return FqlValue(std::numbers::e);
}

Result<FqlValue> math_pi(Run&, const FqlValue&, const Arguments&) {
  return FqlValue(std::numbers::pi);
}

Result<FqlValue> math_nan(Run&, const FqlValue&, const Arguments&) {
  return FqlValue(std::numeric_limits<double>::quiet_NaN());
}

Result<FqlValue> math_infinity(Run&, const FqlValue&, const Arguments&) {
  return FqlValue(std::numeric_limits<double>::infinity());
}

constexpr Effect no_effect = Effect::pure;
constexpr std::string_view of_one = "(x: Number) => Double";

}  // namespace

std::span<const Method> math_methods() {
  static const Method table[] = {
      {"Math", "E", "Double", "The base of natural logarithms.", "Math.E", "2.718281828459045",
       math_e, no_effect, true},
      {"Math", "PI", "Double", "A circle's circumference by its diameter.", "Math.PI",
       "3.141592653589793", math_pi, no_effect, true},
      {"Math", "NaN", "Double", "What is no number.", "Math.NaN", "Math.NaN", math_nan, no_effect,
       true},
      {"Math", "Infinity", "Double", "Larger than all numbers.", "Math.Infinity", "Math.Infinity",
       math_infinity, no_effect, true},
      {"Math", "acos", of_one, "The angle in radians with that cosine.", "Math.acos(1)", "0.0",
       math_of_ratio<::acos>, no_effect, true},
      {"Math", "asin", of_one, "The angle in radians with that sine.", "Math.asin(0)", "0.0",
       math_of_ratio<::asin>, no_effect, true},
      {"Math", "atan", of_one, "The angle in radians with that tangent.", "Math.atan(0)", "0.0",
       math_real<::atan>, no_effect, true},
      {"Math", "cos", of_one, "The cosine of an angle in radians.", "Math.cos(0)", "1.0",
       math_real<::cos>, no_effect, true},
      {"Math", "cosh", of_one, "The hyperbolic cosine.", "Math.cosh(0)", "1.0", math_real<::cosh>,
       no_effect, true},
      {"Math", "degrees", of_one, "Radians as degrees.", "Math.degrees(Math.PI)", "180.0",
       math_real<degrees_of>, no_effect, true},
      {"Math", "exp", of_one, "E to the power of the number.", "Math.exp(0)", "1.0",
       math_real<::exp>, no_effect, true},
      {"Math", "hypot", "(x: Number, y: Number) => Double",
       "The longest side of a right triangle with these two others.", "Math.hypot(3, 4)", "5.0",
       math_hypot, no_effect, true},
      {"Math", "log", of_one, "The natural logarithm of a positive number.", "Math.log(1)", "0.0",
       math_of_positive<::log>, no_effect, true},
      {"Math", "log10", of_one, "The logarithm of a positive number to the base of 10.",
       "Math.log10(1000)", "3.0", math_of_positive<::log10>, no_effect, true},
      {"Math", "radians", of_one, "Degrees as radians.", "Math.radians(180)", "3.141592653589793",
       math_real<radians_of>, no_effect, true},
      {"Math", "sin", of_one, "The sine of an angle in radians.", "Math.sin(0)", "0.0",
       math_real<::sin>, no_effect, true},
      {"Math", "sinh", of_one, "The hyperbolic sine.", "Math.sinh(0)", "0.0", math_real<::sinh>,
       no_effect, true},
      {"Math", "sqrt", of_one, "The square root of a number that is not negative.", "Math.sqrt(16)",
       "4.0", math_sqrt, no_effect, true},
      {"Math", "tan", of_one, "The tangent of an angle in radians.", "Math.tan(0)", "0.0",
       math_real<::tan>, no_effect, true},
      {"Math", "tanh", of_one, "The hyperbolic tangent.", "Math.tanh(0)", "0.0", math_real<::tanh>,
       no_effect, true},
  };
  return table;
}

}  // namespace mayfly::fauna
