// Bounds of delivery.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

inline constexpr std::size_t subscriptions_max = 1'000;  // of one database: all are in memory
inline constexpr std::size_t subscription_bytes_max = 32 << 10;  // of one as JSON
inline constexpr std::size_t target_url_bytes_max = 8 << 10;     // what servers take in a request
inline constexpr std::size_t webhook_secret_bytes_min = 16;      // a shorter one can be guessed
// What a subscription has read ahead of its place: messages, and bytes of their payloads.
inline constexpr std::size_t window_messages_max = 1'000;
inline constexpr std::size_t window_bytes_max = 16 << 20;
// The payloads that all windows hold; one has no more of it than it leaves for the others, and may
// have the least in any case.
inline constexpr std::size_t windows_bytes_max = 256 << 20;
inline constexpr std::size_t window_bytes_min = 256 << 10;
inline constexpr std::size_t delivery_page_events_max = 1'000;  // read of one feed at a time
// Of a payload; a larger one has no data. With its headers it is what brokers of NATS take by
// default.
inline constexpr std::size_t message_bytes_max = (1 << 20) - (4 << 10);
// What has become of messages and is not written down: where that fails no more are sent.
inline constexpr std::size_t unwritten_bytes_max = 16 << 20;
// Of what stands beside the payload in a row: names, a key, an error with a URL.
inline constexpr std::size_t letter_other_bytes_max = 64 << 10;
// Under way at once, of all subscriptions; of both one has no more than it leaves for the others.
inline constexpr std::size_t messages_under_way_max = 4'000;
inline constexpr std::size_t bytes_under_way_max = 64 << 20;

inline constexpr Span attempt_wait_first = Span::seconds(1);
inline constexpr Span attempt_wait_max = Span::seconds(3'600);
// How long a subscription rests at most where a connection breaks again and again.
inline constexpr Span interrupted_rest_max = Span::seconds(10);
inline constexpr std::size_t attempts_default = 10;               // some two hours
inline constexpr std::size_t attempts_max = 1'000;                // six weeks
inline constexpr Span attempt_time_max = Span::seconds(10);       // one attempt, all in all
inline constexpr std::size_t target_answer_bytes_max = 64 << 10;  // nothing reads it
inline constexpr std::size_t webhook_batch_max = 100;             // messages of one call
inline constexpr std::size_t webhook_at_once = 16;  // messages of one subscription under way
// Calls of one database under way; all servers together have limits::calls_at_once_max.
inline constexpr std::size_t webhook_at_once_of_database = 250;

// --- NATS ---
inline constexpr std::size_t nats_at_once = 1'000;  // messages of one subscription under way
inline constexpr std::size_t nats_subject_bytes_max = 1'000;  // of a template
// Of one with its names in it. A broker takes 4,096 by default for a message's first line, in which
// the address of the answer is, too; it ends the connection at a longer one.
inline constexpr std::size_t nats_names_bytes_max = 3'500;
inline constexpr Span nats_connect_time_max = Span::seconds(5);  // to one of its servers
inline constexpr Span nats_write_time_max = Span::seconds(2);    // until it takes what is sent
inline constexpr Span nats_ping_every = Span::seconds(5);        // of a connection that is quiet
inline constexpr int nats_pings_out_max = 2;                     // then it is broken
inline constexpr Span nats_looked_at_every = Span::millis(250);  // whether it is
inline constexpr Span nats_pause_first = Span::millis(100);      // between attempts to connect
inline constexpr Span nats_pause_max = Span::seconds(5);
// Longer than a message may wait for its next attempt (attempt_wait_max, and a fifth of it).
inline constexpr Span nats_duplicate_window = Span::seconds(7'200);

// How often places are written while messages are delivered: a crash repeats no more than that.
inline constexpr Span progress_every = Span::millis(100);
// How often the feeds are released up to the places.
inline constexpr Span feeds_held_every = Span::seconds(1);
// How old the place of a subscription may become for which nothing happens.
inline constexpr Span places_moved_every = Span::seconds(3'600);
inline constexpr Span log_kept_for = Span::seconds(604'800);  // a week
inline constexpr std::size_t dead_letters_listed_max = 100;
inline constexpr Span dead_letters_kept_for = Span::seconds(2'592'000);  // 30 days
inline constexpr std::size_t lines_at_once = 100;  // whose places are written in one commit
inline constexpr std::size_t letter_bytes_at_once = 16 << 20;  // written with them
inline constexpr Span delivery_turn_max =
    Span::millis(100);  // for the events of one database: others, and jobs of the lane, wait
inline constexpr Span filter_time_max = Span::millis(20);  // for one event; most take microseconds
inline constexpr Span filter_time_again_max = Span::millis(500);  // the second time; then no match
inline constexpr std::size_t filter_timeouts_max = 3;  // events; then it is asked no more
// Before an event's document that cannot be read is as if it were not there: a second between them.
inline constexpr std::size_t event_read_tries_max = 5;
inline constexpr Span place_rest = Span::seconds(1);  // of a database whose subscriptions failed
// How often it looks for collections and subscriptions that others have made.
inline constexpr Span subscriptions_looked_at_every = Span::seconds(1);

}  // namespace mayfly::limits
