// GroupSync: many wait for the disk, one flush serves them all.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "store/store.h"

namespace mayfly::store {

// Flushes are numbered. Whoever finds none under way does the next one, for all who have committed
// by then; who comes during one waits for the one after it.
//
// Threads: all members may be called from any thread.
class GroupSync {
 public:
  // Makes durable whatever has been committed when it is called, and gives the newest version of
  // that. Called by one thread at a time.
  using Flush = std::function<Version()>;

  GroupSync(Version durable, Flush flush);

  Version durable() const { return durable_.load(std::memory_order_acquire); }
  // Returns once durable() >= version, which must have been committed.
  void reach(Version version);
  // How many callers wait for a flush that somebody else does.
  std::size_t waiting() const;

 private:
  bool wait_for_turn(std::unique_lock<std::mutex>& lock, Version version);

  const Flush flush_;
  std::atomic<Version> durable_;
  mutable std::mutex mutex_;
  // Used in turn, so that the end of a flush wakes those it has served and, of the others, only
  // one: it does the next.
  std::condition_variable flush_over_[2];
  std::uint64_t flushes_begun_ = 0;
  std::size_t waiting_ = 0;
  bool flushing_ = false;
};

}  // namespace mayfly::store
