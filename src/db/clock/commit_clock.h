// The commit clock: strictly increasing commit instants, whatever the wall clock does. A reader's
// `now` is never earlier than an instant already answered, and every commit's instant is later than
// every `now` handed out before it. So an answer for an instant stays true for that instant.
//
// Threads: any. Only one commit runs at a time: Committer holds the commit mutex from
// begin_commit() to end_commit() or give_up_commit().
#pragma once

#include <mutex>

#include "base/clock.h"

namespace mayfly {

class CommitClock {
 public:
  explicit CommitClock(const Clock& clock) : clock_(clock) {}

  // The instant up to which no commit can come any more: every commit up to it has been applied,
  // and each later one has a later instant. It never goes back while the server runs. Everything
  // that needs the past to be complete works up to it: the sweeper, the feed, compaction, erasing,
  // reads of the past.
  Instant closed();
  // A reader's now. With one server it equals closed(): at or after everything committed and
  // answered, before any commit in progress. With several servers it is never later than closed().
  Instant read() { return closed(); }
  // The instant of a commit, which is in progress until end_commit(); not before `at_least`.
  Instant begin_commit(Instant at_least = Instant::beginning());
  void end_commit();
  // Called instead of end_commit() if nothing was committed: time then goes on no further than the
  // wall clock, or by one microsecond.
  void give_up_commit();
  // From now on nothing is earlier than this: the floor that a restart reads from disk.
  void raise(Instant floor);
  // The latest instant handed out; hands out none itself.
  Instant latest() const;

  // How far the time that readers see is from the wall clock.
  struct Distance {
    Span ahead;   // after the wall clock was set back: time creeps until that has caught up
    Span behind;  // while a commit takes long: readers' now stays before it
  };
  Distance distance() const;

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  Instant latest_{0};
  Instant under_way_ = Instant::never();
};

}  // namespace mayfly
