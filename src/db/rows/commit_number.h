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

// It also says when that was, so that what has been derived from the collection's documents need
// not be read again. Of commits by other servers it would know nothing.
//
// Threads: any. A commit raises it after the store has it, and before a view can open that shows it
// and before the writer learns of it: the number that goes with what a point read has seen may be
// that of the commit before.
class CommitNumber {
 public:
  explicit CommitNumber(Instant from = Instant{0}) : number_(from.micros) {}

  void begin_at(Instant from) { number_.store(from.micros, std::memory_order_relaxed); }
  // By the commit of that instant, before a view can open that shows it.
  void raise(Instant at) {
    number_.fetch_add(1, std::memory_order_relaxed);
    last_.store(at.micros, std::memory_order_release);
  }
  std::int64_t value() const { return number_.load(std::memory_order_relaxed); }
  // Whether a view that is open by now has the documents that one had whose now was `since`, but
  // for those that have expired.
  bool unraised_since(Instant since) const {
    return last_.load(std::memory_order_acquire) <= since.micros;
  }

 private:
  std::atomic<std::int64_t> number_;
  std::atomic<std::int64_t> last_{Instant::beginning().micros};  // by this process
};

}  // namespace mayfly
