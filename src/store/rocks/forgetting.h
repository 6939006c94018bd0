// Forgetting: lets RocksDB's compaction ask our forget filters.
#pragma once

#include <atomic>
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
  void set(std::shared_ptr<ForgetFilterMaker> maker) {
    const std::lock_guard lock(mutex_);
    maker_ = std::move(maker);
  }
  std::shared_ptr<ForgetFilterMaker> maker() const {
    const std::lock_guard lock(mutex_);
    return maker_;
  }

  std::atomic<std::uint64_t> rows_forgotten{0};

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<ForgetFilterMaker> maker_;
};

std::shared_ptr<rocksdb::CompactionFilterFactory> filter_factory(
    std::shared_ptr<Forgetting> forgetting);

}  // namespace mayfly::store
