// Bounds of the runner of jobs.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// After a failure a job is run again: soon at first, since the cause may be temporary, then at
// growing intervals, since a damaged file does not repair itself.
inline constexpr Span job_retry_first = Span::seconds(1);
inline constexpr Span job_retry_max = Span::seconds(60);
inline constexpr std::uint64_t job_failures_per_line = 10;  // one log line for so many in a row
// How often a lane reads a virtual clock. A commit may make a job due at the commit's own instant,
// before the time that jobs read has reached it. The clock then stands still at that instant, and
// nothing else wakes the lane.
inline constexpr Span virtual_clock_looked_at_every = Span::seconds(1);
// The longest sleep of a lane: the machine's clock may be set forward meanwhile.
inline constexpr Span job_sleep_max = Span::seconds(3'600);

// For several servers on one store: how long a lease lasts unless its holder renews it, and how
// much time it has left when the holder does so. After a crash another server takes over within
// lease_time.
inline constexpr Span lease_time = Span::seconds(3);
inline constexpr Span lease_renewed_below = Span::seconds(2);

}  // namespace mayfly::limits
