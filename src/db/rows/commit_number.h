// CommitNumber: a number of a collection. Every commit of a transaction that writes to the
// collection raises it by one. Commits of the sweeper do not raise it.
//
// It is not stored. It begins at the instant at which the database was opened or the collection was
// created, in microseconds. No two commits have the same instant, so it never exceeds the instant
// of the last commit, and its first value after a restart is not less than its last value before.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace mayfly {

// It also records the instant of the last commit, so that results derived from the collection's
// documents need not be computed again. It does not know of commits by other servers.
//
// Threads: any. A commit raises it after the store has applied the commit, and before a view that
// shows the commit can open and before the writer gets its answer. The number read beside a point
// read may be that of the commit before.
class CommitNumber {
 public:
  explicit CommitNumber(Instant from = Instant{0}) : number_(from.micros) {}

  void begin_at(Instant from) { number_.store(from.micros, std::memory_order_relaxed); }
  // Called by the commit of that instant, before a view that shows it can open.
  void raise(Instant at) {
    number_.fetch_add(1, std::memory_order_relaxed);
    last_.store(at.micros, std::memory_order_release);
  }
  std::int64_t value() const { return number_.load(std::memory_order_relaxed); }
  // Whether a view that is open now has the same documents as one whose now was `since`, except for
  // those that have expired.
  bool unraised_since(Instant since) const {
    return last_.load(std::memory_order_acquire) <= since.micros;
  }

 private:
  std::atomic<std::int64_t> number_;
  std::atomic<std::int64_t> last_{Instant::beginning().micros};  // by this process
};

}  // namespace mayfly
