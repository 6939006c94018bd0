// RowHints: lets RocksDB put a row where the last one whose key begins alike went.
//
// RocksDB keeps one table of such places for rows and for erased ranges, which lie in lists of
// their own: after the one the other would be put into the wrong list. So ranges are never hinted,
// nor is what is replayed from the log, where nobody can say which is which.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class SliceTransform;
}

namespace mayfly::store {

// Off at first. Threads: any; switched and written under one lock.
class RowHints {
 public:
  bool are_on() const { return on_.load(std::memory_order_relaxed); }
  void turn_on() { on_ = true; }

  // Off as long as it lives.
  class Off {
   public:
    explicit Off(RowHints& hints) : hints_(hints) { hints_.on_ = false; }
    ~Off() { hints_.on_ = true; }
    Off(const Off&) = delete;
    Off& operator=(const Off&) = delete;

   private:
    RowHints& hints_;
  };

 private:
  std::atomic<bool> on_{false};
};

// What RocksDB asks of each key it inserts.
std::shared_ptr<const rocksdb::SliceTransform> hinted_prefix(std::shared_ptr<const RowHints> hints);

}  // namespace mayfly::store
