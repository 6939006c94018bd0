// CommitNumber: a number of a collection that every commit of a transaction that writes there
// raises by one. What the sweeper commits does not raise it.
//
// It is not stored. It begins at the instant at which the database was opened or the collection was
// created, in microseconds. No two commits have the same instant, so it never passes the instant of
// the last commit, and what it begins at after a restart is no less than what it was before.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace mayfly {

// Threads: any. A commit raises it after it has become visible, and before the writer learns of it:
// the number that goes with what a reader has seen may be that of the commit before.
class CommitNumber {
 public:
  explicit CommitNumber(Instant from = Instant{0}) : number_(from.micros) {}

  void begin_at(Instant from) { number_.store(from.micros, std::memory_order_relaxed); }
  void raise() { number_.fetch_add(1, std::memory_order_relaxed); }
  std::int64_t value() const { return number_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> number_;
};

}  // namespace mayfly
