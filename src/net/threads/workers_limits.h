// Bounds of the pool of workers and of stopping a server, beside those of base/limits.h. They are
// separate because every file of the program includes those.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// A request that has run for longer is long. Most queries by an index finish before.
inline constexpr Span short_work_time_max = Span::millis(20);
// Paused long requests, so that short ones can run. Each has run for short_work_time_max and holds
// what it has read. A further one is refused.
inline constexpr std::size_t paused_requests_max = 64;
// If a request has held more memory than this, memory is returned to the system afterwards.
// Allocating it again costs some milliseconds.
inline constexpr std::size_t trim_above_bytes = 16 << 20;
// Costly requests (which hash passwords), queued or running on their single thread. Each takes some
// 50 ms, so the last one waits about 3 s, and at most costly_turn_max for each. A further one would
// only wait longer. The thread serves networks in turn.
inline constexpr std::size_t costly_requests_max = 64;
// Of these, those of one client, so that clients of three other networks always find places.
inline constexpr std::size_t costly_requests_of_client_max = 16;
// A costly request that has run for longer (a load of many users, a long query) leaves the thread
// to the next one, between two passwords, and continues as a long request. One login takes half of
// that.
inline constexpr Span costly_turn_max = Span::millis(100);
// Estimated memory for the parsed value of a large message, for each of its bytes, until it is
// parsed and measured. Documents need about that much; brackets need 40.
inline constexpr std::size_t parsed_bytes_per_byte = 8;
// The maximum duration of an orderly stop: answers in progress, and then jobs that check only
// periodically whether to stop.
inline constexpr Span shutdown_time_max{drain_time_max.micros + Span::seconds(5).micros};

}  // namespace mayfly::limits
