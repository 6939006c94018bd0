// Bounds of the clock (base/limits.h is the table of all others).
#pragma once

#include "base/clock.h"

namespace mayfly::limits {

// So far ahead of time the clock's floor is on disk. A start right after a crash waits for so long,
// and it is renewed three times meanwhile.
inline constexpr Span clock_floor_ahead = Span::millis(300);
inline constexpr Span clock_floor_every = Span::millis(100);
inline constexpr Span clock_ahead_warned = Span::seconds(1);  // beyond what a crash explains
inline constexpr Span clock_ahead_ready_max =
    Span::seconds(5);  // deaths come late by so much: no server to send requests to
inline constexpr Span clock_behind_max =
    Span::seconds(5);  // while a commit stalls: as long as a flush may take before it is not ready
inline constexpr Span clock_ahead_unnoted_max =
    Span::seconds(60);  // a machine's clock that was set back; a virtual clock leaves days

}  // namespace mayfly::limits
