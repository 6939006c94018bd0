// Bounds of the pool of workers and of the end of a server, beside those of base/limits.h; apart
// from
// them because every file of the program includes those.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// A request that has worked for longer is a long one: most queries that an index serves are done.
inline constexpr Span short_work_time_max = Span::millis(20);
// Long requests that wait for others in the midst of their work, so that short ones go on. Each has
// worked for short_work_time_max and holds what it has read; one more is told to come later.
inline constexpr std::size_t paused_requests_max = 64;
// Memory that one request has held and that goes back to the system after it: taking it again costs
// some milliseconds.
inline constexpr std::size_t trim_above_bytes = 16 << 20;
// How long an orderly end takes at most: answers under way, and then what stops only now and then.
inline constexpr Span shutdown_time_max{drain_time_max.micros + Span::seconds(5).micros};

}  // namespace mayfly::limits
