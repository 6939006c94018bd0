// How far each queue has been published. A watermark is a row of its own in the store. It contains
// a position in the queue, usually that of a row: all rows up to and including it have been
// processed, and no row is ever put before it. So each end is published exactly once, across
// restarts and changes of policy, without a removal for each (docs/decisions/0008).
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "db/rows/keys.h"
#include "store/store.h"

namespace mayfly {

// The queues with a watermark. A row of the trash's queue may be held and released later, so the
// front of that queue is not published as a whole.
inline constexpr std::array published_queues{keys::Queue::at, keys::Queue::after,
                                             keys::Queue::inherit};

// Threads: any; load() and advance() exclude one another by the commit mutex.
class Watermarks {
 public:
  // The last published row, by queue; empty: none.
  using Rows = std::array<Bytes, published_queues.size()>;

  // Returns the newest commit that moved a watermark: time goes on behind it. Fails with corrupt.
  Result<store::Version> load(store::Store& store);
  // Puts the watermarks that move (those not empty) into a commit, with guards that no other commit
  // has moved them; to be followed by advance() after the commit.
  void put(CollectionId collection, const Rows& rows, store::CommitBatch& batch) const;
  void advance(CollectionId collection, const Rows& rows, store::Version version);
  void forget(CollectionId collection);

  Rows of(CollectionId collection) const;
  // The watermarks that a loss of power cannot undo. Compaction uses these, since its work may
  // reach the disk before the log does.
  std::unordered_map<CollectionId, Rows> durable(store::Version durable);

  // Whether a row of a queue is at or before its watermark.
  static bool covers(const Rows& rows, BytesView queue_row);

 private:
  struct StoredRows {
    Rows rows;
    std::array<store::Version, published_queues.size()> row_versions{};  // in the store; 0: none
    store::Version version = 0;
  };
  // While watermarks keep moving, the newest may never be durable; so one is kept until it is.
  struct Tracked {
    StoredRows newest, awaited, durable;
  };

  mutable std::mutex mutex_;
  std::unordered_map<CollectionId, Tracked> tracked_;
};

}  // namespace mayfly
