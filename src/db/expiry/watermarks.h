// How far each queue has been told of. A mark is a row of its own in the store: every row of that
// queue up to and with the one it names has had its say, and no row is ever put before it. So what
// is told is told once, across restarts and changes of policy, without a removal for each
// (docs/decisions/0008).
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "db/rows/keys.h"
#include "store/store.h"

namespace mayfly {

// Those that have marks. A row of the trash's queue may be held and be released later, so the front
// of that one is not told of as a whole.
inline constexpr std::array published_queues{keys::Queue::at, keys::Queue::after,
                                             keys::Queue::inherit};

// Threads: any; load() and advance() exclude one another by the commit mutex.
class Watermarks {
 public:
  // The last row told of, by queue; empty: none.
  using Rows = std::array<Bytes, published_queues.size()>;

  // Gives the newest commit that moved one: time goes on behind it. Fails with corrupt.
  Result<store::Version> load(store::Store& store);
  // Puts the marks that move (those not empty) into a commit, with guards that no other commit has
  // moved them; advance() when it is done.
  void put(CollectionId collection, const Rows& rows, store::CommitBatch& batch) const;
  void advance(CollectionId collection, const Rows& rows, store::Version version);
  void forget(CollectionId collection);

  Rows of(CollectionId collection) const;
  // The marks that a loss of power cannot take back: what compaction may go by, since it may outrun
  // the log.
  std::unordered_map<CollectionId, Rows> durable(store::Version durable);

  // Whether a row of a queue stands at or before its mark.
  static bool covers(const Rows& rows, BytesView queue_row);

 private:
  struct Marks {
    Rows rows;
    std::array<store::Version, published_queues.size()> row_versions{};  // in the store; 0: none
    store::Version version = 0;
  };
  // The newest may never be durable while it moves; so one is kept until it is.
  struct Known {
    Marks newest, awaited, durable;
  };

  mutable std::mutex mutex_;
  std::unordered_map<CollectionId, Known> known_;
};

}  // namespace mayfly
