// The bounds of conversations over WebSockets, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Each client is pinged at this interval. If nothing has arrived from it by the next ping, it is
// disconnected.
inline constexpr Span ping_every = Span::seconds(60);
// While more than this many bytes of answers are unsent, no further message is answered.
inline constexpr std::size_t unsent_answers_max = 64 << 10;

}  // namespace mayfly::limits
