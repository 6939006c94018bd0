// All bounds on real-time subscriptions, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// The default (options.h); some kilobytes each, with the filter.
inline constexpr std::size_t realtime_rooms_max = 100'000;
inline constexpr std::size_t realtime_filter_bytes_max =
    32 << 20;  // of all filters as texts; compiled, they take several times as much
inline constexpr std::size_t realtime_subscriptions_max =
    1'000'000;  // over all connections; some hundred bytes each
inline constexpr std::size_t realtime_connection_rooms_max = 10'000;  // of one connection
// Of one client (a user, or a network before login) over all its connections: a quarter, so that
// one leaves room for others.
inline constexpr std::size_t realtime_client_filter_bytes_max = realtime_filter_bytes_max / 4;
inline constexpr std::size_t realtime_client_subscriptions_max = realtime_subscriptions_max / 4;
// The same part of the rooms that the options allow; if they allow few, one client may have them
// all.
inline constexpr std::size_t realtime_client_rooms_part = 4;
inline constexpr std::size_t realtime_client_rooms_min = 1'000;
// Writes whose requests are remembered until the feed reports them; the notifications of further
// writes do not name their requests.
inline constexpr std::size_t realtime_origins_max = 100'000;
// Queued publications and pending writes, over all connections: they are sent within milliseconds,
// unless filters are slow.
inline constexpr std::size_t realtime_transient_max = 10'000;
inline constexpr std::size_t realtime_transient_bytes_max = 64 << 20;
// How many of them one run of the job sends, so that other event streams can run in between. Those
// that arrive meanwhile are sent after the feeds.
inline constexpr std::size_t realtime_said_turn_max = 256;
// The bytes that one event may send to one connection, over all its rooms: eight times the largest
// document. A connection that would get more is closed as too slow.
inline constexpr std::size_t realtime_event_bytes_max = 16 << 20;
// Subscribers that are gathered under one lock before an event is sent to them.
inline constexpr std::size_t realtime_recipients_at_once = 1'024;
// The memory of the `volatile` of a client that enters or leaves a room: all others in the room are
// sent it.
inline constexpr std::size_t realtime_volatile_bytes_max = 64 << 10;
// Queued notifications that a client entered or left a room: twice the rooms that one connection
// may be in. Further ones are dropped.
inline constexpr std::size_t realtime_user_changes_max = 20'000;
inline constexpr std::size_t realtime_user_changes_bytes_max = 16
                                                               << 20;  // of their `volatile` data
// The thread's time that one filter may take for one document; ordinary ones take microseconds. A
// filter that takes more is closed, so that it does not delay the others again.
inline constexpr Span realtime_filter_time_max = Span::millis(20);
// The time that all filters together may take in one busy period of the thread. After that, a
// filter that has taken more than its part is closed: many costly filters would delay all
// notifications as one would.
inline constexpr Span realtime_busy_time_max = Span::millis(200);
inline constexpr Span realtime_busy_filter_time_max = Span::millis(5);
// The steps that the regular expressions of one connection's filters, and of all filters, may take
// for each character of a text in the worst case (koncorde_pattern_steps_max is for one filter).
// The largest text costs the thread a part of a second, however many filters match it.
inline constexpr std::size_t realtime_connection_pattern_steps_max = 10'000;
inline constexpr std::size_t realtime_pattern_steps_max = 100'000;
inline constexpr std::size_t realtime_client_pattern_steps_max = realtime_pattern_steps_max / 4;

// How long an answer is held so that the notifications of its own write come first: they take
// milliseconds, unless filters are slow.
inline constexpr Span realtime_answer_held_for = Span::millis(100);
// Answers of one connection that are held at the same time, and the bytes of all. A client that
// sends more requests without waiting gets its answers immediately.
inline constexpr std::size_t realtime_answers_held_max = 64;
inline constexpr std::size_t realtime_answers_held_bytes_max = 64 << 20;
// Of one connection, so that one leaves room for others.
inline constexpr std::size_t realtime_connection_answers_held_bytes_max =
    realtime_answers_held_bytes_max / 8;

}  // namespace mayfly::limits
