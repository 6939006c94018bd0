// The bounds of requests as the server accepts them, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// A longer body goes to a worker in any case: parsing it takes milliseconds, for which all other
// connections of the thread would wait.
inline constexpr std::size_t quick_body_bytes_max = 128 << 10;
// Applies to a client that holds more than this part of the memory that is left for others. It
// loses each body that makes no progress between two checks, and each answer that is sent too
// slowly. A client may hold as much as is left. So one client alone gets half of the memory, and
// there is always room for one more.
inline constexpr std::size_t idle_share_divisor = 2;
// An answer is too slow if all of it would take longer than this, at the rate since the last check.
// So a client that keeps memory must read all of it every ten seconds.
inline constexpr Span short_send_time_max = Span::seconds(10);
// An answer up to this size is kept even if the share of its client has filled up meanwhile: a
// small answer mostly confirms a change. The maximum number of requests in progress needs 32 MiB.
inline constexpr std::size_t answer_always_kept_bytes = 64 << 10;
// The bytes queued for a stream are counted from here on. streams_max times less is twenty
// megabytes.
inline constexpr std::size_t send_queue_uncounted_bytes_max = 4 << 10;
// A text for many clients is shared in memory from this size on. A shorter one is copied for each,
// which costs less than a separate write.
inline constexpr std::size_t shared_text_bytes_min = 16 << 10;
// The last eighth of the connections is reserved for clients that have fewer than that many. So one
// client, or all clients behind one proxy, cannot take the connections of others.
inline constexpr std::size_t reserved_connections_divisor = 8;
// If an answer becomes ready when the time of its request is almost over, it still waits this long
// for the disk. A flush of a busy disk takes a fraction of that.
inline constexpr Span confirm_time_min = Span::seconds(1);
// When a server stops, it keeps a connection without a request open this long, because a request
// may be on its way.
inline constexpr Span drain_grace = Span::millis(500);
// After its last answer, a connection ends when nothing has arrived for this long, or after this
// many bytes: enough for a mistaken upload, not for an endless one.
inline constexpr Span linger_quiet_max = Span::seconds(2);
inline constexpr std::size_t linger_bytes_max = 64 << 20;
// A client that reads more slowly than this (16 kB/s) holds the server's memory for too long.
inline constexpr std::int64_t sent_bytes_per_milli_min = 16;
// Log lines each second about refused requests: otherwise clients would decide how many there are.
inline constexpr std::uint64_t refusals_logged_max = 20;

}  // namespace mayfly::limits
