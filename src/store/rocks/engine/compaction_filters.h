// Calls our forget filters from RocksDB's compaction.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "store/store.h"

namespace rocksdb {
class CompactionFilterFactory;
}

namespace mayfly::store {

// Shared by the store, which sets the maker, and by RocksDB, which calls it from its own threads.
class CompactionFilters {
 public:
  // When it has returned, the previous maker is not called any more. Its filters may still be in
  // use.
  void set(std::shared_ptr<ForgetFilterMaker> maker) {
    {
      const std::lock_guard lock(mutex_);
      maker_.swap(maker);
      is_set_ = true;
      set_changed_.notify_all();
    }
    const std::lock_guard no_call_runs(making_mutex_);
  }
  // From now on compactions do not wait for the first maker: without one, nothing is forgotten.
  void stop_waiting() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    set_changed_.notify_all();
  }
  // A filter, and its maker. Null: there is none now.
  struct MadeFilter {
    std::shared_ptr<ForgetFilterMaker> maker;
    std::unique_ptr<ForgetFilter> filter;
  };
  MadeFilter make() {
    const std::lock_guard lock(making_mutex_);
    MadeFilter made{maker(), nullptr};
    if (made.maker) made.filter = made.maker->make();
    return made;
  }

  std::atomic<std::uint64_t> rows_forgotten{0};

 private:
  // Waits until the maker is set for the first time, but at most a second. RocksDB begins to
  // compact while it is being opened, and rows that it compacts without a filter would soon be
  // compacted again.
  std::shared_ptr<ForgetFilterMaker> maker() {
    std::unique_lock lock(mutex_);
    set_changed_.wait_for(lock, std::chrono::seconds(1), [this] { return is_set_; });
    return maker_;
  }

  std::mutex making_mutex_;  // held while a maker is called; locked before the other
  std::mutex mutex_;         // guards the rest
  std::condition_variable set_changed_;
  bool is_set_ = false;
  std::shared_ptr<ForgetFilterMaker> maker_;
};

std::shared_ptr<rocksdb::CompactionFilterFactory> filter_factory(
    std::shared_ptr<CompactionFilters> filters);

}  // namespace mayfly::store
