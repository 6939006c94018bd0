// NeededEnds: which published rows of the queues the feeds still need, because rows of logged ends
// name them (feed/logged_ends.h). Compaction keeps these. Private to db/.
#pragma once

#include <mutex>
#include <unordered_map>

#include "db/catalog/catalog.h"
#include "db/feed/holds.h"
#include "db/feed/logged_ends.h"

namespace mayfly {

// For each collection it knows the first row of logged ends in the store, and where each queue
// begins for that row. Later rows of logged ends name later rows of the queues, so all needed rows
// lie at or behind these positions. Compaction therefore drops a row of a queue only after the row
// of logged ends that names it, even if the clock or a reader of the feed goes back. What is known
// here may be older than the store; then more rows are kept.
//
// Threads: any; load() and note() exclude one another by the commit mutex.
class NeededEnds {
 public:
  // Where the needed rows of each queue begin.
  using Begins = std::array<Bytes, published_queues.size()>;

  // Reads the first row of each collection. A damaged one needs all rows.
  Result<void> load(store::Store& store);
  // Records a row of logged ends. Called before its commit can be seen.
  void note(CollectionId collection, Instant committed_at, const LoggedEnds& ends);
  void forget(CollectionId collection);

  // Where the needed rows begin, for each collection that has any. If no reader can request a
  // collection's first known row at `horizon` or later, its first row is read again; of such
  // collections at most limits::needed_ends_looked_up_max are read by one call.
  std::unordered_map<CollectionId, Begins> begins(store::Store& store, const Catalog& catalog,
                                                  const HeldFeeds& held, Instant horizon);

 private:
  struct Logged {
    Instant first, last;  // commits of rows of logged ends
    Begins begins;        // of the first
  };
  // The first row of logged ends at or behind that key.
  struct Found {
    CollectionId collection;
    Logged logged;
  };
  static Result<std::optional<Found>> find(store::Store& store, Bytes from, BytesView end);
  // Some of those whose first row no reader can request any more.
  std::vector<CollectionId> outdated(const Catalog& catalog, const HeldFeeds& held,
                                     Instant horizon);

  mutable std::mutex mutex_;
  std::unordered_map<CollectionId, Logged> logged_;
};

}  // namespace mayfly
