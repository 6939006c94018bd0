// Truncated values: what replaces a long value in an index key of bounded size. They keep the
// order, but not the difference: if a <= b, the truncated value of a is not greater than that of b.
// So a search for the truncated values of a range finds all values of the range, and maybe more.
#pragma once

#include <cstddef>

#include "value/value.h"

namespace mayfly {

// The least size bound of a truncated value: the size of a number's key.
inline constexpr std::size_t truncated_bytes_min = 16;

struct TruncatedValue {
  Value value;
  bool is_exact = false;  // no other value is truncated to this one
};
// Its sort key has at most `bytes_max` bytes, which must be at least truncated_bytes_min. A long
// text is cut, not always between characters; arrays and objects become empty ones.
TruncatedValue truncated_value(const Value& value, std::size_t bytes_max);
// Whether values of this kind are never truncated, so that their order is kept strictly.
bool is_never_truncated(Kind kind);

}  // namespace mayfly
