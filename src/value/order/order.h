// The total order of values: missing < null < false < true < numbers < texts < times < dates <
// binary < references < arrays < objects. Numbers compare by exact mathematical value, whether
// integer or real (2 equals 2.0; NaN precedes every other number and equals itself; -0 equals 0).
// Texts compare by their UTF-8 bytes, which is code point order. Arrays compare item by item, then
// by length. Objects compare as lists of members sorted by name; members whose value is missing are
// ignored.
#pragma once

#include <compare>
#include <vector>

#include "value/value.h"

namespace mayfly {

// The first real that is too large for an integer.
inline constexpr double two_to_63 = 9223372036854775808.0;

std::strong_ordering order(const Value& a, const Value& b);
inline bool same(const Value& a, const Value& b) {
  return order(a, b) == 0;
}

// Whether it is null or missing.
inline bool is_nothing(const Value& value) {
  return value.is_missing() || value.is_null();
}
// The same order, except that null and missing are equal and greater than everything else.
std::strong_ordering order_null_greatest(const Value& a, const Value& b);

// The exact comparison of an integer with a real that order() uses.
std::strong_ordering order_numbers(std::int64_t a, double b);

// The members that are not missing, sorted by name: the list that order() and sort keys compare.
// Points into the object.
std::vector<const Object::Member*> members_by_name(const Object& object);

}  // namespace mayfly
