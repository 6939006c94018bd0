// GroupSync: many callers wait for the disk, and one flush serves them all.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "store/store.h"

namespace mayfly::store {

// Flushes are numbered. A caller that finds none in progress makes the next one, for all commits
// made by then. A caller that arrives during a flush waits for the one after it.
//
// Threads: all members may be called from any thread.
class GroupSync {
 public:
  // Makes all commits durable that were made before the call, and returns the newest version of
  // them. Called by one thread at a time.
  using Flush = std::function<Version()>;

  GroupSync(Version durable, Flush flush);

  Version durable() const { return durable_.load(std::memory_order_acquire); }
  // Returns once durable() >= version, which must have been committed.
  void reach(Version version);
  // How many callers wait for a flush by another thread.
  std::size_t waiting() const;

 private:
  bool wait_to_flush(std::unique_lock<std::mutex>& lock, Version version);

  const Flush flush_;
  std::atomic<Version> durable_;
  mutable std::mutex mutex_;
  // Used alternately. So the end of a flush wakes all callers that it has served and only one of
  // the others, which makes the next flush.
  std::condition_variable flush_ended_[2];
  std::uint64_t flushes_begun_ = 0;
  std::size_t waiting_ = 0;
  bool flushing_ = false;
};

}  // namespace mayfly::store
