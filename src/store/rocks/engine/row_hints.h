// RowHints: lets RocksDB begin to search the position of a new row at the last row with the same
// key prefix.
//
// RocksDB keeps one table of such positions for rows and for erased ranges, although they are in
// separate lists. With a hint of the other kind, it would insert into the wrong list. So ranges are
// never hinted, nor are rows replayed from the log, where the kind is unknown.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class SliceTransform;
}

namespace mayfly::store {

// Initially off. Threads: any; switching and writing need one lock.
class RowHints {
 public:
  bool are_on() const { return on_.load(std::memory_order_relaxed); }
  void turn_on() { on_ = true; }

  // Hints are off in this scope.
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

// The prefix that RocksDB reads from each key it inserts.
std::shared_ptr<const rocksdb::SliceTransform> hinted_prefix(std::shared_ptr<const RowHints> hints);

}  // namespace mayfly::store
