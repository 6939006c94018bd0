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

  // A reader's now: at or after everything committed and answered, before any commit under way.
  Instant read();
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
