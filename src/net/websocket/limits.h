// The bounds of conversations over WebSockets, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// A client that says nothing is asked whether it is there; one that has not answered when it would
// be asked again has gone.
inline constexpr Span ping_every = Span::seconds(60);
// While more than this of the answers has not been taken, no further message is answered.
inline constexpr std::size_t unsent_answers_max = 64 << 10;

}  // namespace mayfly::limits
