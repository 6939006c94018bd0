// DroppedRows: which rows of dropped collections and indexes are still to be erased. An open view
// or transaction reads them to the end; they are erased once none is left from before the drop
// (erase_dropped.cc). Of a collection the store itself says that it was dropped (keys::dropped), so
// a restart goes on with it; rows of an index that were pending when the process ended are left to
// compaction (forget_filter.cc). Private to db/.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "db/catalog/catalog.h"

namespace mayfly {

struct DroppedIndex {
  CollectionId collection;
  IndexId index;
  Instant dropped_at;
};

// Threads: any.
class DroppedRows {
 public:
  void add_index(const DroppedIndex& dropped) {
    const std::lock_guard lock(mutex_);
    indexes_.push_back(dropped);
    any_ = true;
  }
  // The store says which.
  void add_collections() {
    const std::lock_guard lock(mutex_);
    has_collections_ = true;
    any_ = true;
  }
  bool any() const { return any_.load(std::memory_order_relaxed); }

  struct Pending {
    std::vector<DroppedIndex> indexes;
    bool has_collections = false;
  };
  // Takes all that is pending; what cannot be erased yet is added again.
  Pending take() {
    const std::lock_guard lock(mutex_);
    any_ = false;
    return {std::exchange(indexes_, {}), std::exchange(has_collections_, false)};
  }

 private:
  std::mutex mutex_;
  std::vector<DroppedIndex> indexes_;
  bool has_collections_ = true;  // a restart may find some
  std::atomic<bool> any_{true};
};

}  // namespace mayfly
