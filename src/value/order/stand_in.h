// Truncated values: what replaces a long value in an index key of bounded size. They keep the
// order, but not the difference: if a <= b, the truncated value of a is not greater than that of b.
// So a search for the truncated values of a range finds all values of the range, and maybe more.
#pragma once

#include <cstddef>

#include "value/value.h"

namespace mayfly {

// The least size bound of a truncated value: the size of a number's key.
inline constexpr std::size_t stand_in_bytes_min = 16;

struct StandIn {
  Value value;
  bool is_exact = false;  // no other value is truncated to this one
};
// Its sort key has at most `bytes_max` bytes, which must be at least stand_in_bytes_min. A long
// text is cut, not always between characters; arrays and objects become empty ones.
StandIn stand_in(const Value& value, std::size_t bytes_max);
// Whether values of this kind are never truncated, so that their order is kept strictly.
bool stands_for_itself(Kind kind);

}  // namespace mayfly
