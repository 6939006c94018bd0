// Bounds of the clock (base/limits.h is the table of all other bounds).
#pragma once

#include "base/clock.h"

namespace mayfly::limits {

// How far ahead of time the clock's floor is written to disk. A start right after a crash waits
// that long. The floor is renewed three times in that time.
inline constexpr Span clock_floor_ahead = Span::millis(300);
inline constexpr Span clock_floor_every = Span::millis(100);
inline constexpr Span clock_ahead_warned = Span::seconds(1);  // more than a crash explains
inline constexpr Span clock_ahead_ready_max =
    Span::seconds(5);  // expirations are late by that much: such a server should get no requests
inline constexpr Span clock_behind_max = Span::seconds(
    5);  // while a commit stalls: as long as a flush may take before the server is not ready
inline constexpr Span clock_ahead_unrecorded_max =
    Span::seconds(60);  // a machine's clock that was set back; a virtual clock differs by days

}  // namespace mayfly::limits
