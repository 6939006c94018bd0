// Bounds of the runner of jobs.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// After a failure a job is run again: at first soon, since the cause may have been a moment's, then
// ever later, since a damaged file does not repair itself.
inline constexpr Span job_retry_first = Span::seconds(1);
inline constexpr Span job_retry_max = Span::seconds(60);
inline constexpr std::uint64_t job_failures_per_line = 10;  // of the log, while it goes on failing
// A commit may make a job due at its own instant, which readers see a moment later. A virtual clock
// then stands there, and nothing more wakes the lane.
inline constexpr Span virtual_clock_looked_at_every = Span::seconds(1);
// The longest sleep of a lane: the machine's clock may be set forward meanwhile.
inline constexpr Span job_sleep_max = Span::seconds(3'600);

// Of several servers on one store: how long a server has a lease unless it renews it, and how much
// of that is left when it does so. After a crash another server takes over within the first.
inline constexpr Span lease_time = Span::seconds(3);
inline constexpr Span lease_renewed_below = Span::seconds(2);

}  // namespace mayfly::limits
