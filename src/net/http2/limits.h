// The bounds of HTTP/2, each with its reason. Those of requests (base/limits.h,
// net/requests/limits.h) hold for each stream as they do for each connection of HTTP/1.1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Requests of one connection at once: what RFC 9113 recommends at least, and what clients expect.
inline constexpr std::uint32_t http2_streams_max = 100;
// Frames that ask for nothing, or take back what they have asked for (pings, settings, empty data,
// streams that are reset): so many at once, and again so many a second. A client that cancels all
// its requests needs 100; one that asks whether the server is there, one in some seconds.
inline constexpr std::int64_t http2_idle_frames_max = 500;
inline constexpr std::int64_t http2_idle_frames_per_second_max = 50;
// Frames that one head may go on in: with the first, each of 16 KiB, far more than a head may have.
inline constexpr std::size_t http2_continuations_max = 4;
// Settings in one frame; there are some ten.
inline constexpr std::size_t http2_settings_max = 32;
// Answers to pings and settings that may wait to be sent. Nothing is read while the client takes
// nothing, so they are those of one read.
inline constexpr std::size_t http2_acks_max = http2_idle_frames_max * 2;
// What a client may send of one body, and of all bodies of a connection, before the server lets it
// go on. It does so as soon as the bytes are taken in: what bounds memory is how much of it each
// client may hold. With 1 MiB a line of 100 ms carries 80 Mbit/s.
inline constexpr std::int32_t http2_stream_window_bytes = 256 << 10;
inline constexpr std::int32_t http2_connection_window_bytes = 1 << 20;
// What is read in one turn: a frame of the usual size, or a record of TLS.
inline constexpr std::size_t http2_read_bytes = 16 << 10;
// What is given to the socket at once: four frames of the usual size; and how often before others
// have a turn.
inline constexpr std::size_t http2_write_bytes = 64 << 10;
inline constexpr int http2_writes_per_turn_max = 16;
// What one request and its answer take is counted from here on; less of all streams is what a
// connection of HTTP/1.1 takes for its buffers.
inline constexpr std::size_t http2_uncounted_bytes_max = 1 << 10;

}  // namespace mayfly::limits
