// DroppedRows: which rows of dropped collections and indexes are still to be erased. Views and
// transactions opened before the drop may still read these rows; when all of them are closed, the
// rows are erased (erase_dropped.cc). For a dropped collection the store has a row (keys::dropped),
// so a restart continues the erasing. Rows of an index that were pending when the process ended are
// left to compaction (forget_filter.cc). Private to db/.
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
  // The store says which collections.
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
  // Takes all that is pending; what cannot be erased yet must be added again.
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
