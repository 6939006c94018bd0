// NeededEnds: which published rows of the queues the feeds still need, because rows of logged ends
// name them (feed/logged_ends.h). Compaction keeps these. Private to db/.
#pragma once

#include <mutex>
#include <unordered_map>

#include "db/catalog/catalog.h"
#include "db/feed/holds.h"
#include "db/feed/logged_ends.h"

namespace mayfly {

// Of each collection it knows the first row of logged ends in the store; the rows of the queues go
// on from there in the same order. So rows of queues go only after the rows that name them, and no
// clock or consumer that goes back meets the one without the other. What it knows may be older than
// the store; then it keeps more.
//
// Threads: any; load() and note() exclude one another by the commit mutex.
class NeededEnds {
 public:
  // Where the needed rows of each queue begin.
  using Begins = std::array<Bytes, published_queues.size()>;

  // Reads the first row of each collection. A damaged one needs all rows.
  Result<void> load(store::Store& store);
  // Before the commit of a row of logged ends can be seen.
  void note(CollectionId collection, Instant committed_at, const LoggedEnds& ends);
  void forget(CollectionId collection);

  // Where the needed rows begin, for each collection that has any. Looks again for the first rows
  // of some of those collections whose first one no reader can request at `horizon` or later.
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
