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
// Costly requests (passwords to be hashed) that wait for the one thread that they have, or have it.
// Each takes some 50 ms, so the last of them waits about 3 s, and at most costly_turn_max for each;
// one more would only wait longer. Networks have the thread in turn.
inline constexpr std::size_t costly_requests_max = 64;
// Of them, those of one client, so that clients of three other networks find places at any time.
inline constexpr std::size_t costly_requests_of_client_max = 16;
// A costly request whose thread has worked for longer (a load of many users, a long query) gives
// its place to the next, between two passwords, and goes on as other long requests: one login takes
// half of that.
inline constexpr Span costly_turn_max = Span::millis(100);
// Memory that the parsed value of a large message is taken to need, in bytes for each of its own,
// until it is parsed and can be measured. Documents need about that much; brackets need 40.
inline constexpr std::size_t parsed_bytes_per_byte = 8;
// How long an orderly end takes at most: answers under way, and then what stops only now and then.
inline constexpr Span shutdown_time_max{drain_time_max.micros + Span::seconds(5).micros};

}  // namespace mayfly::limits
