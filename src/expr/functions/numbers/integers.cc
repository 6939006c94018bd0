// Arithmetic on whole numbers of 64 bits; overflow wraps around.
#include <limits>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

// Two's complement, in which overflow is defined.
std::int64_t wrapped(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}
std::uint64_t bits_of(std::int64_t n) {
  return static_cast<std::uint64_t>(n);
}

template <std::int64_t (*operation)(std::int64_t, std::int64_t)>
Result<Value> of_two_integers(const Arguments& a) {
  const auto left = whole_number(a[0]);
  const auto right = whole_number(a[1]);
  return left && right ? Value(operation(*left, *right)) : Value();
}

// Missing if the second is zero.
template <std::int64_t (*operation)(std::int64_t, std::int64_t)>
Result<Value> of_divisor(const Arguments& a) {
  return whole_number(a[1]) == 0 ? Value() : of_two_integers<operation>(a);
}

std::int64_t add_integers(std::int64_t a, std::int64_t b) {
  return wrapped(bits_of(a) + bits_of(b));
}
std::int64_t subtract_integers(std::int64_t a, std::int64_t b) {
  return wrapped(bits_of(a) - bits_of(b));
}
std::int64_t multiply_integers(std::int64_t a, std::int64_t b) {
  return wrapped(bits_of(a) * bits_of(b));
}
// Dividing the least number by -1 would overflow 64 bits, which raises a signal.
std::int64_t divide_integers(std::int64_t a, std::int64_t b) {
  return b == -1 ? subtract_integers(0, a) : a / b;
}
std::int64_t remainder(std::int64_t a, std::int64_t b) {
  return b == -1 ? 0 : a % b;
}
std::int64_t integer_and(std::int64_t a, std::int64_t b) {
  return a & b;
}
std::int64_t integer_or(std::int64_t a, std::int64_t b) {
  return a | b;
}
std::int64_t integer_xor(std::int64_t a, std::int64_t b) {
  return a ^ b;
}
std::int64_t integer_shift_left(std::int64_t a, std::int64_t by) {
  return wrapped(bits_of(a) << (by & 63));
}
std::int64_t integer_shift_right(std::int64_t a, std::int64_t by) {
  return a >> (by & 63);
}

Result<Value> integer_not(const Arguments& a) {
  const auto n = whole_number(a[0]);
  return n ? Value(~*n) : Value();
}

}  // namespace

std::span<const Function> integer_functions() {
  static const Function table[] = {
      binary("integer_add", "The sum of two whole numbers.", of_two_integers<add_integers>,
             {{"20, 10", "30"},
              {"20, 10.0", "30"},
              {"20, 0.5", "missing"},
              {"9223372036854775807, 1", "-9223372036854775808"}}),
      binary("integer_subtract", "The difference of two whole numbers.",
             of_two_integers<subtract_integers>, {{"20, 10", "10"}, {R"("20", 10)", "missing"}}),
      binary("integer_multiply", "The product of two whole numbers.",
             of_two_integers<multiply_integers>,
             {{"5, -2", "-10"}, {"4611686018427387904, 4", "0"}}),
      binary("integer_divide", "The whole quotient of two whole numbers, cut towards zero.",
             of_divisor<divide_integers>,
             {{"10, 3", "3"},
              {"-10, 3", "-3"},
              {"10, 0", "missing"},
              {"10.5, 3", "missing"},
              {"-9223372036854775808, -1", "-9223372036854775808"}}),
      binary("integer_remainder", "The rest of that division, with the sign of the dividend.",
             of_divisor<remainder>,
             {{"12, 5", "2"},
              {"-12, 5", "-2"},
              {"12, -5", "2"},
              {"12, 0", "missing"},
              {"-9223372036854775808, -1", "0"}}),
      binary("integer_and", "The bits that are set in both.", of_two_integers<integer_and>,
             {{"15, 25", "9"}, {"15, 0.5", "missing"}}),
      binary("integer_or", "The bits that are set in one of the two.", of_two_integers<integer_or>,
             {{"56, 100", "124"}}),
      binary("integer_xor", "The bits that are set in exactly one of the two.",
             of_two_integers<integer_xor>, {{"56, 100", "92"}}),
      unary("integer_not", "Every bit turned over.", integer_not,
            {{"65", "-66"}, {"0.1", "missing"}}),
      binary("integer_shift_left", "The bits moved to the left, by the last 6 bits of the second.",
             of_two_integers<integer_shift_left>,
             {{"16, 4", "256"}, {"16, 0.4", "missing"}, {"1, 64", "1"}}),
      binary("integer_shift_right", "The bits moved to the right; the sign stays.",
             of_two_integers<integer_shift_right>,
             {{"16, 4", "1"}, {"-16, 2", "-4"}, {"16, 0.4", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
