// Bounds of delivery.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

inline constexpr std::size_t subscriptions_max = 1'000;  // of one database; all are kept in memory
inline constexpr std::size_t subscription_bytes_max = 32 << 10;  // of one subscription as JSON
inline constexpr std::size_t target_url_bytes_max = 8 << 10;     // what servers accept in a request
inline constexpr std::size_t webhook_secret_bytes_min = 16;      // a shorter one can be guessed
// What a subscription may read ahead of its position: messages, and their bytes.
inline constexpr std::size_t window_messages_max = 1'000;
inline constexpr std::size_t window_bytes_max = 16 << 20;
// What a message takes in a window beside the message itself, at most: its entries in the window's
// maps, its document's key, and what its attempt needs.
inline constexpr std::size_t window_place_bytes = 2 << 10;
// Bytes of all windows. One window takes at most as much as it leaves for the others, but may
// always take the minimum: some fifteen small messages, so that a thousand subscriptions without
// room for more take 32 MiB.
inline constexpr std::size_t windows_bytes_max = 256 << 20;
inline constexpr std::size_t window_bytes_min = 32 << 10;
inline constexpr std::size_t delivery_page_events_max = 1'000;  // events read from one feed at a
                                                                // time
// Bytes of a payload; a message that would be larger carries no data. A payload of this size with
// its headers is what NATS brokers accept by default.
inline constexpr std::size_t message_bytes_max = (1 << 20) - (4 << 10);
// Bytes of outcomes that are not stored yet. If storing them fails, no more messages are sent.
inline constexpr std::size_t unwritten_bytes_max = 16 << 20;
// Bytes of a row besides the payload: names, a key, an error with a URL.
inline constexpr std::size_t letter_other_bytes_max = 64 << 10;
// In flight at once, for all subscriptions. One subscription takes at most as much of each as it
// leaves for the others.
inline constexpr std::size_t messages_under_way_max = 4'000;
inline constexpr std::size_t bytes_under_way_max = 64 << 20;

inline constexpr Span attempt_wait_first = Span::seconds(1);
inline constexpr Span attempt_wait_max = Span::seconds(3'600);
// How long a subscription rests at most when a connection breaks repeatedly.
inline constexpr Span interrupted_rest_max = Span::seconds(10);
inline constexpr std::size_t attempts_default = 10;  // about nine minutes
inline constexpr std::size_t attempts_max = 1'000;   // six weeks
// One attempt. The wait of a webhook's call in the queue of net::Caller is not included.
inline constexpr Span attempt_time_max = Span::seconds(10);
inline constexpr std::size_t target_answer_bytes_max = 64 << 10;  // the answer is not used
inline constexpr std::size_t webhook_batch_max = 100;             // messages in one call
inline constexpr std::size_t webhook_at_once = 16;                // calls of one subscription
// Calls of one database; calls to all servers together are bounded by limits::calls_at_once_max.
inline constexpr std::size_t webhook_at_once_of_database = 250;

// --- NATS ---
inline constexpr std::size_t nats_at_once = 1'000;  // messages of one subscription under way
inline constexpr std::size_t nats_subject_bytes_max = 1'000;  // of a subject template
// Bytes of a subject with the names filled in. By default a broker accepts 4,096 bytes for the
// first line of a message, which also has the address of the answer; it closes the connection if
// the line is longer.
inline constexpr std::size_t nats_names_bytes_max = 3'500;
inline constexpr Span nats_connect_time_max = Span::seconds(5);  // to one of the broker's servers
inline constexpr Span nats_write_time_max = Span::seconds(2);    // until the broker accepts what is
                                                                 // sent
inline constexpr Span nats_ping_every = Span::seconds(5);        // while a connection is idle
inline constexpr int nats_pings_out_max = 2;                     // unanswered pings until the
                                                                 // connection counts as broken
inline constexpr Span nats_checked_every = Span::millis(250);    // how often the connection is
                                                                 // checked
inline constexpr Span nats_pause_first = Span::millis(100);  // pause between attempts to connect
inline constexpr Span nats_pause_max = Span::seconds(5);
// Longer than a message may wait for its next attempt (attempt_wait_max plus a fifth).
inline constexpr Span nats_duplicate_window = Span::seconds(7'200);

// How often positions are stored while messages are delivered. A crash repeats at most the messages
// of this span.
inline constexpr Span progress_every = Span::millis(100);
// How often the feeds are released up to the positions.
inline constexpr Span feeds_held_every = Span::seconds(1);
// How old the position of a subscription may become while nothing happens.
inline constexpr Span positions_moved_every = Span::seconds(3'600);
inline constexpr Span log_kept_for = Span::seconds(604'800);  // a week
inline constexpr std::size_t dead_letters_listed_max = 100;
inline constexpr Span dead_letters_kept_for = Span::seconds(2'592'000);  // 30 days
inline constexpr std::size_t subscribers_at_once =
    100;  // subscriptions whose positions are stored in
          // one commit
inline constexpr std::size_t letter_bytes_at_once = 16 << 20;  // bytes of dead letters stored in
                                                               // the same commit
// The time between two runs of the engine while messages are in flight: outcomes that arrive within
// it are processed together. A run for each of them would take a core during a storm of events.
inline constexpr Span delivery_rest{500};
inline constexpr Span delivery_slice_max =
    Span::millis(100);  // for the events of one database; other databases and jobs of the lane wait
// For one filter while a group of subscriptions has its turn: then the others of the group go on
// without it, and it has a turn of its own.
inline constexpr Span filter_turn_max = Span::millis(20);
inline constexpr Span filter_time_max = Span::millis(20);  // for one event; most filters take
                                                           // microseconds
inline constexpr Span filter_time_again_max = Span::millis(500);  // for the second try; after it
                                                                  // the filter does not match
inline constexpr std::size_t filter_timeouts_max = 3;  // events; then the filter is no longer
                                                       // evaluated
// Tries to read an event's document, a second apart; after them the document counts as missing.
inline constexpr std::size_t event_read_tries_max = 5;
inline constexpr Span database_rest =
    Span::seconds(1);  // for a database whose subscriptions failed
// How often the engine looks for collections and subscriptions that others have created.
inline constexpr Span subscriptions_checked_every = Span::seconds(1);

}  // namespace mayfly::limits
