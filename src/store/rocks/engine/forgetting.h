// Forgetting: lets RocksDB's compaction ask our forget filters.
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

// Shared by the store, which is told the maker, and by RocksDB, which asks it from its own threads.
class Forgetting {
 public:
  // Once it has returned, the maker before is asked no more.
  void set(std::shared_ptr<ForgetFilterMaker> maker) {
    {
      const std::lock_guard lock(mutex_);
      maker_.swap(maker);
      is_told_ = true;
      told_.notify_all();
    }
    const std::lock_guard none_is_asked(asking_mutex_);
  }
  // Nobody is going to say more for now.
  void go_on() {
    const std::lock_guard lock(mutex_);
    is_told_ = true;
    told_.notify_all();
  }
  // A filter, and who has made it. Null: there is none now.
  struct Made {
    std::shared_ptr<ForgetFilterMaker> maker;
    std::unique_ptr<ForgetFilter> filter;
  };
  Made make() {
    const std::lock_guard lock(asking_mutex_);
    Made made{maker(), nullptr};
    if (made.maker) made.filter = made.maker->make();
    return made;
  }

  std::atomic<std::uint64_t> rows_forgotten{0};

 private:
  // Waits for the first word: RocksDB begins to compact while it is being opened, and what it
  // compacts without a filter it would soon compact again.
  std::shared_ptr<ForgetFilterMaker> maker() {
    std::unique_lock lock(mutex_);
    told_.wait_for(lock, std::chrono::seconds(1), [this] { return is_told_; });
    return maker_;
  }

  std::mutex asking_mutex_;  // held while a maker is asked; before the next
  std::mutex mutex_;         // guards the rest
  std::condition_variable told_;
  bool is_told_ = false;
  std::shared_ptr<ForgetFilterMaker> maker_;
};

std::shared_ptr<rocksdb::CompactionFilterFactory> filter_factory(
    std::shared_ptr<Forgetting> forgetting);

}  // namespace mayfly::store
