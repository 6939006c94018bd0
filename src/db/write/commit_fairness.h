// CommitFairness: prevents a transaction from losing race after race for ever. A transaction that
// has lost several races gets priority; others that are about to begin wait for it, for a short
// time at most. It is no lock: no answer depends on it.
//
// Threads: all members may be called from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "base/limits.h"

namespace mayfly {

class CommitFairness {
 public:
  class Priority {
   public:
    Priority() = default;
    Priority(const Priority&) = delete;
    Priority& operator=(const Priority&) = delete;
    ~Priority() {
      if (lock_) fairness_->is_taken_.store(false, std::memory_order_relaxed);
    }

   private:
    friend class CommitFairness;
    CommitFairness* fairness_ = nullptr;
    std::unique_lock<std::timed_mutex> lock_;
  };

  // Whether a transaction has priority, for which others should wait.
  bool is_taken() const { return is_taken_.load(std::memory_order_relaxed); }

  // Called before attempt number `attempt` (from 0) begins: takes priority, or waits for the
  // transaction that has it.
  void begin_attempt(int attempt, Priority& priority) {
    if (priority.lock_) return;
    const bool takes_priority = attempt >= limits::commit_races_before_priority;
    if (!takes_priority && !is_taken_.load(std::memory_order_relaxed)) return;
    std::unique_lock lock(mutex_,
                          std::chrono::microseconds(limits::commit_priority_wait_max.micros));
    if (!takes_priority || !lock) return;
    priority.fairness_ = this;
    priority.lock_ = std::move(lock);
    is_taken_.store(true, std::memory_order_relaxed);
  }

 private:
  std::timed_mutex mutex_;
  std::atomic<bool> is_taken_{false};
};

}  // namespace mayfly
