// The bounds of requests as the server takes them in, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// A longer body goes to a worker, whatever is asked with it: to parse it takes milliseconds, for
// which all other connections of the thread would wait.
inline constexpr std::size_t quick_body_bytes_max = 128 << 10;
// A client that holds more than this part of the memory that is left for others loses each body
// that stands still from one look to the next, and each answer that leaves too slowly. All of what
// is left is what it may hold: so one client alone gets half of the memory, and there is always
// room for one more.
inline constexpr std::size_t idle_share_divisor = 2;
// An answer leaves too slowly if all of it would take longer than this, at the rate since the last
// look. So a client that keeps memory takes all of it again every ten seconds.
inline constexpr Span short_send_time_max = Span::seconds(10);
// An answer up to this is kept though the share of its client has filled while it was made: a small
// one mostly tells that a change was made. As many as may be under way are 32 MiB.
inline constexpr std::size_t answer_always_kept_bytes = 64 << 10;
// What waits for the client of a stream counts as held from here on; streams_max times less is
// twenty megabytes.
inline constexpr std::size_t outlet_uncounted_bytes_max = 4 << 10;
// A text for many clients lies in memory once from here on; a shorter one is copied for each,
// which costs less than a write of its own.
inline constexpr std::size_t shared_text_bytes_min = 16 << 10;
// The last eighth of the connections is for clients that have fewer than so many: one client, or
// all behind one proxy, cannot take those of the others.
inline constexpr std::size_t reserved_connections_divisor = 8;
// An answer that becomes ready only when the time of its request is over still waits so long for
// the disk: a flush of a busy disk takes a fraction of that.
inline constexpr Span confirm_time_min = Span::seconds(1);
// A loop with one connection flushes itself while the last flush took no longer: SSDs take a tenth of
// that.
inline constexpr Span quick_flush_max = Span::millis(1);
// When a server stops, a connection without a request is kept open so long: one may be on its way.
inline constexpr Span drain_grace = Span::millis(500);
// After its last answer a connection ends when nothing has come for so long, and after so much: a
// mistaken upload, not one without end.
inline constexpr Span linger_quiet_max = Span::seconds(2);
inline constexpr std::size_t linger_bytes_max = 64 << 20;
// A client that reads more slowly than this (16 kB/s) keeps memory of ours for too long.
inline constexpr std::int64_t sent_bytes_per_milli_min = 16;
// Lines of the log in one second about requests that were not let in: who asks decides how many
// there are.
inline constexpr std::uint64_t refusals_logged_max = 20;

}  // namespace mayfly::limits
