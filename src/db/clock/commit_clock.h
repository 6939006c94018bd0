// The commit clock: strictly increasing commit instants, whatever the wall clock does. A reader's
// `now` is never earlier than an instant already answered with, and every commit's instant is later
// than every `now` handed out before it. So an answer given for an instant stays true for that
// instant.
//
// Threads: any. One commit may be under way at a time (Database holds its commit mutex around it).
#pragma once

#include <mutex>

#include "base/clock.h"

namespace mayfly {

class CommitClock {
 public:
  explicit CommitClock(const Clock& clock) : clock_(clock) {}

  // The instant up to which nothing can come any more: every commit up to it has been applied, and
  // each later one has a later instant. It never goes back while the server runs. What needs the
  // past to be complete works up to it: the sweeper, the feed, compaction, erasing, reads of the
  // past.
  Instant closed();
  // A reader's now. With one server nothing else than closed(): at or after everything committed
  // and answered, before any commit under way. With several it is never later than closed().
  Instant read() { return closed(); }
  // The instant of a commit, which is under way until end_commit(); not before `at_least`.
  Instant begin_commit(Instant at_least = Instant::beginning());
  void end_commit();
  // Instead, where nothing was committed: time goes on from there only as far as the clock is.
  void give_up_commit();
  // From now on nothing is earlier than this: what a restart reads back from disk.
  void raise(Instant floor);
  // The latest instant handed out, without handing out another.
  Instant latest() const;

  // How far the time that readers see is from the clock that this one follows.
  struct Distance {
    Span ahead;   // after the clock was set back: it creeps until the clock has caught up
    Span behind;  // while a commit under way takes long: readers' now stays before it
  };
  Distance distance() const;

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  Instant latest_{0};
  Instant under_way_ = Instant::never();
};

}  // namespace mayfly
