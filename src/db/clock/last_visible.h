// LastVisible: up to which commit an answer given now can show anything. What the sweeper writes
// changes no answer except feeds and purge records, whose readers wait for the disk themselves; nor
// does the clock's floor, which is written every 100 ms. So no other answer has to wait until such
// commits are durable (docs/decisions/0001).
#pragma once

#include <atomic>

#include "store/store.h"

namespace mayfly {

// Threads: pass_over() under the commit mutex; of() any.
class LastVisible {
 public:
  // A commit that no answer shows has been applied, upon one of the version `before`.
  void pass_over(store::Version before, store::Version own) {
    if (before != passed_.load(std::memory_order_relaxed)) {
      shown_.store(before, std::memory_order_relaxed);
    }
    passed_.store(own, std::memory_order_release);
  }

  // Never too early; where a commit is under way it may be later than need be.
  store::Version of(const store::Store& store) const {
    const store::Version passed = passed_.load(std::memory_order_acquire);
    const store::Version shown = shown_.load(std::memory_order_relaxed);
    const store::Version applied = store.applied();
    return applied == passed ? shown : applied;
  }

 private:
  std::atomic<store::Version> passed_ = 0;  // the newest commit that no answer shows
  std::atomic<store::Version> shown_ = 0;   // the newest one before it that some may
};

}  // namespace mayfly
