// LastVisible: the newest commit that an answer given now can show. The sweeper's commits change no
// answer except feeds and purge records, and readers of those wait for the disk themselves. The
// clock's floor, which is written every 100 ms, changes no answer either. So no other answer has to
// wait until such commits are durable (docs/decisions/0001).
#pragma once

#include <atomic>

#include "store/store.h"

namespace mayfly {

// Threads: skip() under the commit mutex; of() any.
class LastVisible {
 public:
  // A commit that no answer shows has been applied after a commit of version `before`.
  void skip(store::Version before, store::Version own) {
    if (before != skipped_.load(std::memory_order_relaxed)) {
      visible_.store(before, std::memory_order_relaxed);
    }
    skipped_.store(own, std::memory_order_release);
  }

  // Never too early; while a commit is in progress it may be later than necessary.
  store::Version of(const store::Store& store) const {
    const store::Version skipped = skipped_.load(std::memory_order_acquire);
    const store::Version visible = visible_.load(std::memory_order_relaxed);
    const store::Version applied = store.applied();
    return applied == skipped ? visible : applied;
  }

 private:
  std::atomic<store::Version> skipped_ = 0;  // the newest commit that no answer shows
  std::atomic<store::Version> visible_ = 0;  // the newest commit before it that an answer may show
};

}  // namespace mayfly
