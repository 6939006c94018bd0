// The bounds of HTTP/2, each with its reason. The bounds of requests (base/limits.h,
// net/requests/limits.h) apply to each stream as to each connection of HTTP/1.1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Concurrent requests of one connection: the minimum that RFC 9113 recommends, and what clients
// expect.
inline constexpr std::uint32_t http2_streams_max = 100;
// Frames without a request, or that cancel one (pings, settings, empty data, reset streams): this
// many at once, and this many more each second. A client that cancels all its requests needs 100;
// one that sends pings, one every few seconds.
inline constexpr std::int64_t http2_idle_frames_max = 500;
inline constexpr std::int64_t http2_idle_frames_per_second_max = 50;
// Continuation frames of one head. With the first frame, each of 16 KiB, they allow far more than
// the largest head.
inline constexpr std::size_t http2_continuations_max = 4;
// Settings in one frame; there are some ten.
inline constexpr std::size_t http2_settings_max = 32;
// Queued answers to pings and settings. Nothing is read while the client does not read, so these
// are the answers to one read.
inline constexpr std::size_t http2_acks_max = http2_idle_frames_max * 2;
// Flow control windows: what a client may send of one body, and of all bodies of a connection,
// before the server opens the window again. It does so as soon as it has stored the bytes; memory
// is bounded by what each client may hold. With 1 MiB, a line with 100 ms latency carries 80
// Mbit/s.
inline constexpr std::int32_t http2_stream_window_bytes = 256 << 10;
inline constexpr std::int32_t http2_connection_window_bytes = 1 << 20;
// Bytes of one read: a frame of the usual size, or a record of TLS.
inline constexpr std::size_t http2_read_bytes = 16 << 10;
// Bytes of one write: four frames of the usual size; and how many writes before other connections
// are served.
inline constexpr std::size_t http2_write_bytes = 64 << 10;
inline constexpr int http2_writes_per_turn_max = 16;
// A request and its answer are counted from this size on. Less than that for all streams is what
// the buffers of an HTTP/1.1 connection take.
inline constexpr std::size_t http2_uncounted_bytes_max = 1 << 10;

}  // namespace mayfly::limits
