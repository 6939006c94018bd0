// Compacts the collections in which the dead have left much behind, in a thread of its own, so that
// sweeping goes on beside it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "db/catalog.h"
#include "store/store.h"

namespace mayfly {

// Threads: any; start() and stop() from one.
class Compactor {
 public:
  explicit Compactor(store::Store& store) : store_(store) {}
  ~Compactor() { stop(); }

  void start();
  void stop();
  // So many more documents have died whose rows are left to compaction.
  void leave(CollectionId collection, std::uint64_t dead);
  // Has the collection compacted if that pays by now; without the thread, once there is one.
  Result<void> ask(CollectionId collection);
  void forget(CollectionId collection);
  // Dead documents that no compaction of ours has reached.
  std::uint64_t left() const;

 private:
  void run_until_stopped();

  store::Store& store_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<CollectionId, std::uint64_t> left_;
  std::set<CollectionId> to_compact_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace mayfly
