// Stand-ins: what stands for a value where room is bounded. Order is kept, though not strictly:
// where a <= b, the stand-in of a is not above that of b. So whoever looks for the stand-ins of a
// range finds all values of the range, and maybe more.
#pragma once

#include <cstddef>

#include "value/value.h"

namespace mayfly {

// The least room that a stand-in needs: that of a number.
inline constexpr std::size_t stand_in_bytes_min = 16;

struct StandIn {
  Value value;
  bool is_exact = false;  // no other value has this stand-in
};
// Its sort key takes at most `bytes_max` bytes, which are at least stand_in_bytes_min. A long text
// is cut, not always between characters; arrays and objects stand as empty ones.
StandIn stand_in(const Value& value, std::size_t bytes_max);
// Whether the values of this kind stand for themselves, so that their order is kept strictly.
bool stands_for_itself(Kind kind);

}  // namespace mayfly
