// Logged ends: one row in the feed that stands for the expirations of many documents. It names the
// rows of the queues that hold their ends; the events are made of these rows whenever the feed is
// read. Private to db/. Reasons: docs/decisions/0043-the-queue-is-the-event-log.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "db/expiry/watermarks.h"
#include "db/feed/feed.h"
#include "lifetime/lifetime.h"

namespace mayfly {

// Its row is in the table logged_ends, under the number of the last of its events; the numbers of
// the others go down from there without a gap.
struct LoggedEnds {
  struct OfQueue {
    Bytes from;               // the first row; without one, the position that the log had reached
    std::uint32_t count = 0;  // how many rows, one after another
    Bytes last;               // the last of them; empty if there are none
  };
  std::array<OfQueue, published_queues.size()> queues;  // in the order of published_queues
  DeathRule after = {};    // decided the ends in the queue `after`, whose rows hold the span
  DeathRule inherit = {};  // decided those in the queue `inherit`

  std::uint32_t count() const;
};
void encode(const LoggedEnds& ends, Bytes& out);
// Fails with corrupt.
Result<LoggedEnds> decode_logged_ends(const store::Row& row);

// The events of a row. `is_complete` is false if its rows of the queues are not those that it
// names: they have been dropped since, after the row itself, or they are lost. Then the numbers of
// what is left go down from the last one: a reader within the row may see an event twice, but
// misses none.
struct LoggedEvents {
  std::vector<Event> events;
  bool is_complete = true;
};
// For rows of one collection, in their order.
struct LoggedRow {
  LoggedEnds ends;
  FeedPosition last;
};
Result<std::vector<LoggedEvents>> read_logged_events(store::Store& store,
                                                     const Collection& collection,
                                                     const std::vector<LoggedRow>& rows);

// If the row is damaged, or not complete: what removes it, and puts events for what is left in its
// place.
Result<void> events_for_incomplete(store::Store& store, const Collection& collection,
                                   const store::Row& row, store::CommitBatch& batch);

// For Feed::read, which knows what is kept and durable. Reads events from lo <= row < hi, keys of
// the table feed, without those up to and including `after`; only events of commits up to
// `durable`. At least one if there is one. rows_max is at least 1.
struct StoredEvents {
  std::vector<Event> events;
  FeedPosition last;  // up to which they were read; `after` if there are none
  bool has_more = false;
  std::optional<Instant> incomplete_at = {};  // the commit of the first row that is not complete
};
Result<StoredEvents> read_events(store::Store& store, const Collection& collection,
                                 const store::Range& range, FeedPosition after,
                                 store::Version durable);

}  // namespace mayfly
