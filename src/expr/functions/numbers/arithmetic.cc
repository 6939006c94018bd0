// Arithmetic. Whole numbers stay whole while they fit 64 bits, and become reals beyond.
#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/functions/families.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

bool are_numbers(const Arguments& a) {
  return a[0].is_number() && a[1].is_number();
}
bool are_integers(const Arguments& a) {
  return a[0].is(Kind::integer) && a[1].is(Kind::integer);
}
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

Result<Value> add_numbers(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  std::int64_t sum = 0;
  if (are_integers(a) && !__builtin_add_overflow(a[0].integer(), a[1].integer(), &sum)) return sum;
  return a[0].number() + a[1].number();
}

Result<Value> subtract_numbers(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  std::int64_t rest = 0;
  if (are_integers(a) && !__builtin_sub_overflow(a[0].integer(), a[1].integer(), &rest)) {
    return rest;
  }
  return a[0].number() - a[1].number();
}

Result<Value> multiply_numbers(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  std::int64_t product = 0;
  if (are_integers(a) && !__builtin_mul_overflow(a[0].integer(), a[1].integer(), &product)) {
    return product;
  }
  return a[0].number() * a[1].number();
}

Result<Value> divide_numbers(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  if (are_integers(a) && a[1].integer() > 0 && a[0].integer() % a[1].integer() == 0) {
    return a[0].integer() / a[1].integer();
  }
  return a[0].number() / a[1].number();
}

Result<Value> divide_integers(const Arguments& a) {
  if (!are_integers(a) || a[1].integer() == 0) return Value();
  if (a[0].integer() == least && a[1].integer() == -1) return -static_cast<double>(least);
  return a[0].integer() / a[1].integer();
}

Result<Value> modulo(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  if (!are_integers(a) || a[1].integer() == 0) return std::fmod(a[0].number(), a[1].number());
  return a[1].integer() == -1 ? std::int64_t{0} : a[0].integer() % a[1].integer();
}

Result<Value> negate_number(const Arguments& a) {
  if (a[0].is(Kind::integer) && a[0].integer() != least) return -a[0].integer();
  return a[0].is_number() ? Value(-a[0].number()) : Value();
}

Result<Value> absolute(const Arguments& a) {
  if (a[0].is(Kind::integer) && a[0].integer() != least) return std::abs(a[0].integer());
  return a[0].is_number() ? Value(std::abs(a[0].number())) : Value();
}

// Applies to reals; whole numbers are returned unchanged.
template <double (*function)(double)>
Result<Value> rounded(const Arguments& a) {
  if (a[0].is(Kind::integer)) return a[0];
  return a[0].is(Kind::real) ? Value(function(a[0].real())) : Value();
}

double ceiling(double x) {
  return std::ceil(x);
}
double floor_of(double x) {
  return std::floor(x);
}
double truncated(double x) {
  return std::trunc(x);
}
double root(double x) {
  return std::sqrt(x);
}
double exponential(double x) {
  return std::exp(x);
}

Result<Value> round(const Arguments& a) {
  const auto requested_digits = a.size() > 1 ? whole_number(a[1]) : 0;
  if (!a[0].is_number() || !requested_digits) return Value();
  const std::int64_t digits = *requested_digits;
  if (a[0].is(Kind::integer) && digits >= 0) return a[0];
  if (digits > 300) return a[0];
  if (digits < -300) return 0.0;
  const double scale = std::pow(10.0, static_cast<double>(std::abs(digits)));
  const double x = a[0].number();
  const double scaled = digits < 0 ? x / scale : x * scale;
  if (!std::isfinite(scaled)) return a[0];
  return digits < 0 ? std::round(scaled) * scale : std::round(scaled) / scale;
}

Result<Value> power(const Arguments& a) {
  if (!are_numbers(a)) return Value();
  return std::pow(a[0].number(), a[1].number());
}

Result<Value> logarithm(const Arguments& a) {
  if (!a[0].is_number() || (a.size() > 1 && !a[1].is_number())) return Value();
  const double natural = std::log(a[0].number());
  return a.size() > 1 ? natural / std::log(a[1].number()) : natural;
}

Result<Value> sign(const Arguments& a) {
  if (!a[0].is_number()) return Value();
  const double x = a[0].number();
  return Value(x > 0 ? 1 : x < 0 ? -1 : 0);
}

template <bool greatest>
Result<Value> extreme(const Arguments& a) {
  const Value* found = &a[0];
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_number()) return Value();
    const auto order_of = order(a[i], *found);
    if (greatest ? order_of > 0 : order_of < 0) found = &a[i];
  }
  return *found;
}

}  // namespace

std::span<const Function> arithmetic_functions() {
  static const Function table[] = {
      binary_symbol("add", "+", "The sum of two numbers.", add_numbers,
                    {{"1, 2", "3"},
                     {"1, 0.5", "1.5"},
                     {"9223372036854775807, 1", "9223372036854775808"},
                     {R"("a", 1)", "missing"}}),
      binary_symbol("subtract", "-", "The difference of two numbers.", subtract_numbers,
                    {{"1, 2", "-1"}, {"-9223372036854775808, 1", "-9223372036854775808.0"}}),
      binary_symbol("multiply", "*", "The product of two numbers.", multiply_numbers,
                    {{"3, 4", "12"},
                     {"9223372036854775807, 2", "18446744073709551614"},
                     {"2, null", "missing"}}),
      binary_symbol(
          "divide", "/", "The quotient of two numbers, with a fraction where there is one.",
          divide_numbers, {{"7, 2", "3.5"}, {"6, 3", "2"}, {"1, 0", "infinity"}, {"0, 0", "nan"}}),
      finite(binary_symbol("divide_integers", "div",
                           "The whole quotient of two whole numbers, cut towards zero.",
                           divide_integers,
                           {{"7, 2", "3"},
                            {"-7, 2", "-3"},
                            {"1, 0", "missing"},
                            {"7.5, 2", "missing"},
                            {"-9223372036854775808, -1", "9223372036854775808"}})),
      binary_symbol("modulo", "%", "The rest of a division; it has the sign of the dividend.",
                    modulo, {{"7, 3", "1"}, {"-7, 3", "-1"}, {"5.5, 2", "1.5"}, {"1, 0", "nan"}}),
      unary("negate", "The number with the other sign.", negate_number,
            {{"1", "-1"}, {"-9223372036854775808", "9223372036854775808"}}),
      unary("abs", "The number without its sign.", absolute,
            {{"-1.5", "1.5"}, {"null", "missing"}}),
      unary("ceiling", "The least whole number that is not less.", rounded<ceiling>,
            {{"1.2", "2"}, {"-1.2", "-1"}, {"3", "3"}}),
      unary("floor", "The greatest whole number that is not greater.", rounded<floor_of>,
            {{"1.8", "1"}, {"-1.2", "-2"}}),
      unary("truncate", "The number without its fraction.", rounded<truncated>,
            {{"1.8", "1"}, {"-1.8", "-1"}}),
      n_ary("round", 1, 2,
            "The nearest number with so many digits after the point, halves away from zero.", round,
            {{"2.5", "3"},
             {"-2.5", "-3"},
             {"3.14159, 2", "3.14"},
             {"1234, -2", "1200"},
             {"1.5, 0.5", "missing"}}),
      binary_symbol("power", "", "The first number raised to the second.", power,
                    {{"2, 10", "1024"}, {"2, -1", "0.5"}}),
      unary("square_root", "The square root; nan of a negative number.", of_real<root>,
            {{"9", "3"}, {"-1", "nan"}}),
      unary("exponential", "e raised to the number.", of_real<exponential>, {{"0", "1"}}),
      n_ary("logarithm", 1, 2, "The natural logarithm, or that to a base.", logarithm,
            {{"1", "0"}, {"0", "-infinity"}, {"8, 2", "3"}, {R"(8, "2")", "missing"}}),
      unary("sign", "-1, 0 or 1.", sign, {{"-2.5", "-1"}, {"0", "0"}}),
      n_ary("greatest", 1, any_number, "The greatest of the numbers.", extreme<true>,
            {{"1, 3, 2", "3"}, {"1, null", "missing"}}),
      n_ary("least", 1, any_number, "The least of the numbers.", extreme<false>,
            {{"2, 1.5, 3", "1.5"}}),
  };
  return table;
}

}  // namespace mayfly
