// Bit operators of JavaScript: they use a number's whole part modulo 2^32.
#include <cmath>
#include <cstdint>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

// Converts through a double, even whole numbers: as in JavaScript, the lowest bits are lost beyond
// 2^53.
std::uint32_t low_bits(const Value& number) {
  const double x = number.number();
  if (!std::isfinite(x)) return 0;
  const double rest = std::fmod(std::trunc(x), 0x1p32);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(rest));
}

Value as_signed(std::uint32_t bits) {
  return std::int64_t{static_cast<std::int32_t>(bits)};
}

template <std::uint32_t (*operation)(std::uint32_t, std::uint32_t)>
Result<Value> of_two_bits(const Arguments& a) {
  if (!a[0].is_number() || !a[1].is_number()) return Value();
  return as_signed(operation(low_bits(a[0]), low_bits(a[1])));
}

std::uint32_t bits_and(std::uint32_t a, std::uint32_t b) {
  return a & b;
}
std::uint32_t bits_or(std::uint32_t a, std::uint32_t b) {
  return a | b;
}
std::uint32_t bits_xor(std::uint32_t a, std::uint32_t b) {
  return a ^ b;
}
std::uint32_t shift_left(std::uint32_t a, std::uint32_t by) {
  return a << (by & 31);
}
std::uint32_t shift_right(std::uint32_t a, std::uint32_t by) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> (by & 31));
}

Result<Value> shift_right_unsigned(const Arguments& a) {
  if (!a[0].is_number() || !a[1].is_number()) return Value();
  return std::int64_t{low_bits(a[0]) >> (low_bits(a[1]) & 31)};
}

Result<Value> bits_not(const Arguments& a) {
  return a[0].is_number() ? as_signed(~low_bits(a[0])) : Value();
}

}  // namespace

std::span<const Function> bit_functions() {
  static const Function table[] = {
      binary_symbol("bits_and", "&", "The bits that are set in both; numbers are cut to 32 bits.",
                    of_two_bits<bits_and>,
                    {{"3, 6", "2"}, {"7.9, -1", "7"}, {"nan, 1", "0"}, {"true, 1", "missing"}}),
      binary_symbol("bits_or", "|", "The bits that are set in one of the two.",
                    of_two_bits<bits_or>, {{"1, 6", "7"}, {"2147483648, 0", "-2147483648"}}),
      binary_symbol("bits_xor", "^", "The bits that are set in exactly one of the two.",
                    of_two_bits<bits_xor>, {{"3, 6", "5"}, {R"(3, "6")", "missing"}}),
      unary("bits_not", "Every one of the 32 bits turned over.", bits_not,
            {{"130679749712577953", "-1022657953"},
             {"0", "-1"},
             {"infinity", "-1"},
             {"null", "missing"}}),
      binary_symbol("shift_left", "<<", "The 32 bits moved to the left.", of_two_bits<shift_left>,
                    {{"1, 4", "16"}, {"1, 31", "-2147483648"}, {"1, 33", "2"}}),
      binary_symbol("shift_right", ">>", "The 32 bits moved to the right; the sign stays.",
                    of_two_bits<shift_right>, {{"-16, 2", "-4"}, {"16, 4", "1"}}),
      binary_symbol("shift_right_unsigned", ">>>",
                    "The 32 bits moved to the right, without a sign.", shift_right_unsigned,
                    {{"-1, 0", "4294967295"}, {"-1, 28", "15"}}),
  };
  return table;
}

}  // namespace mayfly
