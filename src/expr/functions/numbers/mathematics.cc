// Functions of reals: roots, powers, angles.
#include <cmath>
#include <numbers>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

constexpr double half_turn_degrees = 180;
constexpr double degrees_of_radian = half_turn_degrees / std::numbers::pi;

double logarithm_10(double x) {
  return std::log10(x);
}
double square(double x) {
  return x * x;
}
double sine(double x) {
  return std::sin(x);
}
double cosine(double x) {
  return std::cos(x);
}
double tangent(double x) {
  return std::tan(x);
}
double cotangent(double x) {
  return 1 / std::tan(x);
}
double arcsine(double x) {
  return std::asin(x);
}
double arccosine(double x) {
  return std::acos(x);
}
double arctangent(double x) {
  return std::atan(x);
}
double degrees(double x) {
  return x * degrees_of_radian;
}
double radians(double x) {
  return x * std::numbers::pi / half_turn_degrees;
}

Result<Value> arctangent_of_point(const Arguments& a) {
  if (!a[0].is_number() || !a[1].is_number()) return Value();
  return std::atan2(a[0].number(), a[1].number());
}

Result<Value> pi(const Arguments&) {
  return std::numbers::pi;
}

Result<Value> bin(const Arguments& a) {
  if (!a[0].is_number() || (a.size() > 1 && !a[1].is_number())) return Value();
  const double size = a.size() > 1 ? a[1].number() : 1;
  if (size == 0) return Value();
  return std::floor(a[0].number() / size) * size;
}

}  // namespace

std::span<const Function> mathematics_functions() {
  static const Function table[] = {
      unary("logarithm_10", "The logarithm to base 10.", of_real<logarithm_10>,
            {{"1000", "3"}, {"0", "-infinity"}, {R"("10")", "missing"}}),
      unary("square", "The number times itself.", of_real<square>, {{"-3", "9"}, {"1.5", "2.25"}}),
      {.name = "pi",
       .summary = "The ratio of a circle's circumference to its diameter.",
       .arguments_min = 0,
       .arguments_max = 0,
       .apply = pi,
       .examples = {{"", "3.141592653589793"}},
       .is_never_missing = true},
      unary("sine", "The sine of an angle in radians.", of_real<sine>,
            {{"0", "0"}, {"45.175643", "0.929607286611012"}}),
      unary("cosine", "The cosine of an angle in radians.", of_real<cosine>, {{"0", "1"}}),
      unary("tangent", "The tangent of an angle in radians.", of_real<tangent>, {{"0", "0"}}),
      unary("cotangent", "The cotangent of an angle in radians.", of_real<cotangent>,
            {{"0", "infinity"}, {"null", "missing"}}),
      unary("arcsine", "The angle in radians whose sine this is; nan beyond 1.", of_real<arcsine>,
            {{"-1", "-1.5707963267948966"}, {"2", "nan"}}),
      unary("arccosine", "The angle in radians whose cosine this is; nan beyond 1.",
            of_real<arccosine>, {{"-1", "3.141592653589793"}, {"1", "0"}}),
      unary("arctangent", "The angle in radians whose tangent this is.", of_real<arctangent>,
            {{"0", "0"}, {"infinity", "1.5707963267948966"}}),
      binary("arctangent_of_point",
             "The angle in radians to a point, whose y is given first and then its x.",
             arctangent_of_point,
             {{"35.175643, 129.44", "0.265344532064832"}, {R"(1, "1")", "missing"}}),
      unary("degrees", "An angle in radians as degrees.", of_real<degrees>,
            {{"3.141592653589793", "180"}}),
      unary("radians", "An angle in degrees as radians.", of_real<radians>,
            {{"180", "3.141592653589793"}, {"13", "0.22689280275926285"}}),
      n_ary("bin", 1, 2, "The greatest multiple of a size (1 if none is given) that is not beyond.",
            bin,
            {{"37.752, 10", "30"},
             {"37.752, -100", "100"},
             {"37.752, 0.01", "37.75"},
             {"37.752", "37"},
             {"37.752, 0", "missing"},
             {R"("37", 1)", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
