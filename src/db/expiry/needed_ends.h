// NeededEnds: which published rows of the queues the feeds still need, because rows of logged ends
// name them (feed/logged_ends.h). Compaction keeps these. Private to db/.
#pragma once

#include <mutex>
#include <unordered_map>

#include "db/catalog/catalog.h"
#include "db/feed/holds.h"
#include "db/feed/logged_ends.h"

namespace mayfly {

// Of each collection it knows the first row of logged ends that is still kept; the rows of the
// queues go on from there in the same order. What it knows may be older than the store, then it
// keeps more.
//
// Threads: any; load() and note() exclude one another by the commit mutex.
class NeededEnds {
 public:
  // Where the needed rows of each queue begin.
  using Begins = std::array<Bytes, published_queues.size()>;

  // Reads the first row of each collection. Fails with corrupt.
  Result<void> load(store::Store& store);
  // After the commit of a row of logged ends.
  void note(CollectionId collection, Instant committed_at, const LoggedEnds& ends);
  void forget(CollectionId collection);

  // Where the needed rows begin, for each collection that has any. Rows of logged ends that no
  // reader can request at `horizon` or later are passed over.
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
  // Those whose first row no reader can request any more, and the instant up to which that is so.
  std::unordered_map<CollectionId, Instant> outdated(const Catalog& catalog, const HeldFeeds& held,
                                                     Instant horizon);

  mutable std::mutex mutex_;
  std::unordered_map<CollectionId, Logged> logged_;
};

}  // namespace mayfly
