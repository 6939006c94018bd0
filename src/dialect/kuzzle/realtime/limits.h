// Every bound of real-time subscriptions, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Where nobody chooses otherwise (options.h); some kilobytes each, with the filter.
inline constexpr std::size_t realtime_rooms_max = 100'000;
inline constexpr std::size_t realtime_filter_bytes_max =
    32 << 20;  // of all filters as texts; what is made of them takes some times that
inline constexpr std::size_t realtime_subscriptions_max =
    1'000'000;  // over all connections; some hundred bytes each
inline constexpr std::size_t realtime_connection_rooms_max = 10'000;  // of one connection
// Of one client (a user, or the network of those that are not logged in) over all its connections:
// a quarter, so that one leaves room for others.
inline constexpr std::size_t realtime_client_filter_bytes_max = realtime_filter_bytes_max / 4;
inline constexpr std::size_t realtime_client_subscriptions_max = realtime_subscriptions_max / 4;
// Of the rooms that the options allow, likewise; where they allow few, one client may have them.
inline constexpr std::size_t realtime_client_rooms_part = 4;
inline constexpr std::size_t realtime_client_rooms_min = 1'000;
// Writes whose requests are remembered until the feed tells of them; of more, the notifications say
// less about the request.
inline constexpr std::size_t realtime_origins_max = 100'000;
// Publications and pending writes that are still to be told, over all connections: they are told
// within milliseconds, unless filters are slow.
inline constexpr std::size_t realtime_said_max = 10'000;
inline constexpr std::size_t realtime_said_bytes_max = 64 << 20;
// Of them in one turn of the job, after which other event streams have theirs. Those that come
// meanwhile are sent after the feeds.
inline constexpr std::size_t realtime_said_turn_max = 256;
// What one event may send to one connection, over all its rooms: the largest document fills eight.
// A connection that gets more is ended as one that is too slow.
inline constexpr std::size_t realtime_event_bytes_max = 16 << 20;
// Rooms and their listeners that are found under one lock, before an event is sent to them.
inline constexpr std::size_t realtime_listeners_at_once = 1'024;
// `volatile` of who comes to a room or leaves it, as its value lies in memory: the others in the
// room are all sent it.
inline constexpr std::size_t realtime_volatile_bytes_max = 64 << 10;
// Those who came or left, of whom the others in their rooms are still to be sent word: what two
// connections leave that are in as many rooms as they may be. Of more nothing is sent.
inline constexpr std::size_t realtime_user_changes_max = 20'000;
inline constexpr std::size_t realtime_user_changes_bytes_max = 16 << 20;  // of their `volatile`
// What one filter may take of the thread for one document; ordinary ones take microseconds. One
// that takes more ends, so that it does not delay the others again.
inline constexpr Span realtime_filter_time_max = Span::millis(20);
// What all filters together may take of the thread before it has nothing to do for a moment. From
// then on a filter that has taken more than its part of that ends: many costly ones would delay all
// notifications as one would.
inline constexpr Span realtime_busy_time_max = Span::millis(200);
inline constexpr Span realtime_busy_filter_time_max = Span::millis(5);
// What the regular expressions of one connection's filters, and of all filters, may take for each
// character of a text at worst (koncorde_pattern_steps_max is for one filter): the largest text
// costs the thread a part of a second, however many filters look at it.
inline constexpr std::size_t realtime_connection_pattern_steps_max = 10'000;
inline constexpr std::size_t realtime_pattern_steps_max = 100'000;
inline constexpr std::size_t realtime_client_pattern_steps_max = realtime_pattern_steps_max / 4;

// How long an answer is held so that the notifications of what its own request wrote come first:
// they take milliseconds, unless filters are slow.
inline constexpr Span realtime_answer_held_for = Span::millis(100);
// Answers of one connection that are held at once, and the bytes of all: a client that goes on
// without waiting for them gets them at once.
inline constexpr std::size_t realtime_answers_held_max = 64;
inline constexpr std::size_t realtime_answers_held_bytes_max = 64 << 20;
// Of one connection, so that one leaves room for others.
inline constexpr std::size_t realtime_connection_answers_held_bytes_max =
    realtime_answers_held_bytes_max / 8;

}  // namespace mayfly::limits
