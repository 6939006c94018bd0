#include "dialect/fauna/library/scalars/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <iterator>
#include <optional>

#include "dialect/fauna/library/display.h"
#include "dialect/fauna/values/order.h"

namespace mayfly::fauna {
namespace {

bool are_whole(const FqlValue& a, const FqlValue& b) {
  return a.is(FqlKind::whole) && b.is(FqlKind::whole);
}

tl::unexpected<Error> no_operator(Run& run, std::string_view symbol, const FqlValue& operand) {
  auto type = run.received_type(operand);
  if (!type) return tl::unexpected<Error>(std::move(type).error());
  return run.fail("invalid_function_invocation",
                  fmt::format("The function `{}` does not exist on `{}`", symbol, *type));
}

Result<void> check_numbers(Run& run, std::string_view symbol, const FqlValue& left,
                           const FqlValue& right) {
  if (!left.is_number()) return no_operator(run, symbol, left);
  if (!right.is_number()) return run.fail_argument_type("other", "Number", right);
  return {};
}

FqlValue subtract_numbers(const FqlValue& a, const FqlValue& b) {
  std::int64_t n = 0;
  const bool fits =
      are_whole(a, b) && !__builtin_sub_overflow(a.whole().number, b.whole().number, &n);
  return fits ? whole_number(n) : FqlValue(a.number() - b.number());
}

FqlValue multiply_numbers(const FqlValue& a, const FqlValue& b) {
  std::int64_t n = 0;
  const bool fits =
      are_whole(a, b) && !__builtin_mul_overflow(a.whole().number, b.whole().number, &n);
  return fits ? whole_number(n) : FqlValue(a.number() * b.number());
}

// --- operators of the table below ---

Result<FqlValue> operator_add(Run& run, const FqlValue& left, const FqlValue& right) {
  if (left.is(FqlKind::text)) {
    const std::string other = TRY(display(run, right));
    TRY(run.check_text(left.text().size() + other.size()));
    return FqlValue(left.text() + other);
  }
  TRY(check_numbers(run, "+", left, right));
  return add_numbers(left, right);
}

Result<FqlValue> operator_subtract(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "-", left, right));
  return subtract_numbers(left, right);
}

Result<FqlValue> operator_multiply(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "*", left, right));
  return multiply_numbers(left, right);
}

Result<void> check_divisor(Run& run, const FqlValue& left, const FqlValue& right) {
  if (!are_whole(left, right) || right.whole().number != 0) return {};
  return run.fail("divide_by_zero", "Attempted integer division by zero.");
}

// The only quotient that does not fit 64 bits.
bool divides_beyond(const FqlValue& left, const FqlValue& right) {
  return left.whole().number == INT64_MIN && right.whole().number == -1;
}

Result<FqlValue> operator_divide(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "/", left, right));
  TRY(check_divisor(run, left, right));
  if (!are_whole(left, right) || divides_beyond(left, right)) {
    return FqlValue(left.number() / right.number());
  }
  return whole_number(left.whole().number / right.whole().number);
}

Result<FqlValue> operator_modulo(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "%", left, right));
  TRY(check_divisor(run, left, right));
  if (!are_whole(left, right)) return FqlValue(std::fmod(left.number(), right.number()));
  if (divides_beyond(left, right)) return FqlValue(0);
  return whole_number(left.whole().number % right.whole().number);
}

Result<FqlValue> operator_power(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "**", left, right));
  return power_of(left, right);
}

std::int64_t bits_of(const FqlValue& n) {
  return n.is(FqlKind::whole) ? n.whole().number : to_whole(n.real());
}

Result<FqlValue> operator_and(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "&", left, right));
  return whole_number(bits_of(left) & bits_of(right));
}

Result<FqlValue> operator_or(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "|", left, right));
  return whole_number(bits_of(left) | bits_of(right));
}

Result<FqlValue> operator_xor(Run& run, const FqlValue& left, const FqlValue& right) {
  TRY(check_numbers(run, "^", left, right));
  return whole_number(bits_of(left) ^ bits_of(right));
}

Result<std::partial_ordering> compared(Run& run, const FqlValue& left, const FqlValue& right) {
  return compare(run.meter(), left, right);
}

Result<FqlValue> operator_less(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(TRY(compared(run, left, right)) < 0);
}

Result<FqlValue> operator_less_or_equal(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(TRY(compared(run, left, right)) <= 0);
}

Result<FqlValue> operator_greater(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(TRY(compared(run, left, right)) > 0);
}

Result<FqlValue> operator_greater_or_equal(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(TRY(compared(run, left, right)) >= 0);
}

Result<FqlValue> operator_equal(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(TRY(run.equal(left, right)));
}

Result<FqlValue> operator_not_equal(Run& run, const FqlValue& left, const FqlValue& right) {
  return FqlValue(!TRY(run.equal(left, right)));
}

Result<FqlValue> operator_negate(Run& run, const FqlValue& operand) {
  if (!operand.is_number()) return no_operator(run, "-", operand);
  if (operand.is(FqlKind::real)) return FqlValue(-operand.real());
  const Whole n = operand.whole();
  // The smallest number has no negation of its kind and stays unchanged.
  if (n.number == INT64_MIN || (n.number == INT32_MIN && !n.is_long)) return operand;
  return whole_number(-n.number);
}

Result<FqlValue> operator_complement(Run& run, const FqlValue& operand) {
  if (!operand.is_number()) return no_operator(run, "~", operand);
  return whole_number(~bits_of(operand));
}

template <class Operator>
struct OperatorRow {
  std::string_view symbol;
  Operator apply;
};

constexpr OperatorRow<BinaryFunction> binary_operators[] = {
    {"+", operator_add},        {"-", operator_subtract},
    {"*", operator_multiply},   {"/", operator_divide},
    {"%", operator_modulo},     {"**", operator_power},
    {"&", operator_and},        {"|", operator_or},
    {"^", operator_xor},        {"<", operator_less},
    {">", operator_greater},    {"<=", operator_less_or_equal},
    {"==", operator_equal},     {">=", operator_greater_or_equal},
    {"!=", operator_not_equal},
};

constexpr OperatorRow<UnaryFunction> unary_operators[] = {{"-", operator_negate},
                                                          {"~", operator_complement}};

// Exact as long as the result fits 64 bits.
std::optional<std::int64_t> whole_power(std::int64_t base, std::int64_t exponent) {
  std::int64_t power = 1;
  while (true) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(power, base, &power)) return std::nullopt;
    exponent /= 2;
    if (exponent == 0) return power;
    if (__builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
}

}  // namespace

BinaryFunction find_binary_operator(std::string_view symbol) {
  const auto* const row =
      std::ranges::find(binary_operators, symbol, &OperatorRow<BinaryFunction>::symbol);
  return row == std::end(binary_operators) ? nullptr : row->apply;
}

UnaryFunction find_unary_operator(std::string_view symbol) {
  const auto* const row =
      std::ranges::find(unary_operators, symbol, &OperatorRow<UnaryFunction>::symbol);
  return row == std::end(unary_operators) ? nullptr : row->apply;
}

std::optional<FqlValue> calculate_whole(BinaryOperator op, std::int64_t a, std::int64_t b) {
  std::int64_t n = 0;
  switch (op) {
    case BinaryOperator::add:
      if (__builtin_add_overflow(a, b, &n)) return std::nullopt;
      return whole_number(n);
    case BinaryOperator::subtract:
      if (__builtin_sub_overflow(a, b, &n)) return std::nullopt;
      return whole_number(n);
    case BinaryOperator::multiply:
      if (__builtin_mul_overflow(a, b, &n)) return std::nullopt;
      return whole_number(n);
    case BinaryOperator::divide:
    case BinaryOperator::remainder:
      if (b == 0 || b == -1) return std::nullopt;
      return whole_number(op == BinaryOperator::divide ? a / b : a % b);
    case BinaryOperator::less: return FqlValue(a < b);
    case BinaryOperator::less_equal: return FqlValue(a <= b);
    case BinaryOperator::greater: return FqlValue(a > b);
    case BinaryOperator::greater_equal: return FqlValue(a >= b);
    case BinaryOperator::equal: return FqlValue(a == b);
    case BinaryOperator::not_equal: return FqlValue(a != b);
    default: return std::nullopt;
  }
}

FqlValue add_numbers(const FqlValue& a, const FqlValue& b) {
  std::int64_t n = 0;
  const bool fits =
      are_whole(a, b) && !__builtin_add_overflow(a.whole().number, b.whole().number, &n);
  return fits ? whole_number(n) : FqlValue(a.number() + b.number());
}

FqlValue power_of(const FqlValue& base, const FqlValue& exponent) {
  if (are_whole(base, exponent) && exponent.whole().number >= 0) {
    const auto power = whole_power(base.whole().number, exponent.whole().number);
    if (power) return whole_number(*power);
  }
  return FqlValue(std::pow(base.number(), exponent.number()));
}

std::int64_t to_whole(double d) {
  constexpr double limit = 9'223'372'036'854'775'808.0;  // 2 to the power of 63
  if (std::isnan(d)) return 0;
  if (d >= limit) return INT64_MAX;
  if (d <= -limit) return INT64_MIN;
  return static_cast<std::int64_t>(d);
}

}  // namespace mayfly::fauna
