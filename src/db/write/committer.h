// Committer: makes one commit at a time. It owns what only a commit may touch: the mutex, the clock
// that gives each commit its instant, the last visible commit, and the chain of the record of
// purges. Private to db/.
//
// Threads: any; apply() and forget() only within run().
#pragma once

#include <mutex>
#include <vector>

#include "base/threads/no_wait.h"
#include "db/clock/commit_clock.h"
#include "db/clock/last_visible.h"
#include "db/purge/purge_log.h"
#include "db/write/commit_fairness.h"
#include "store/store.h"

namespace mayfly {

// The versions that a commit purges from one collection.
struct Purged {
  const Collection* collection = nullptr;
  std::vector<PurgedVersion> versions;
};
// Whether an answer can show anything of a commit; commits of housekeeping change no answer.
enum class Visible : bool { no, yes };

class Committer {
 public:
  // The store and the clock outlive it.
  Committer(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  CommitClock& clock() { return clock_; }
  CommitFairness& fairness() { return fairness_; }
  // The newest commit that an answer given now can show; never too early.
  store::Version last_visible() const { return last_visible_.of(store_); }

  // Runs `commit(at)` at the next instant not before `at_least`, while no other commit runs. It
  // must do all its writing in one apply(), and write nothing if it fails. Fails with contended if
  // the thread would have to wait and must not (NoWait).
  template <class Commit>
  Result<Instant> run(const Commit& commit, Instant at_least = Instant::beginning()) {
    const auto lock = TRY(this->lock());
    const Instant at = clock_.begin_commit(at_least);
    struct End {
      CommitClock& clock;
      bool is_committed = false;
      ~End() { is_committed ? clock.end_commit() : clock.give_up_commit(); }
    } end{clock_};
    TRY(commit(at));
    end.is_committed = true;
    NoWait::note_change();
    return at;
  }

  // Commits the batch with the records of its purges. Fails as Store::commit() and
  // PurgeLog::append().
  Result<void> apply(store::CommitBatch& batch, Visible visible = Visible::yes,
                     const std::vector<Purged>& purged = {});
  // The collection is gone: nothing about it stays in memory.
  void forget(CollectionId collection) { purges_.forget(collection); }

  // No commit runs while the lock lives.
  std::unique_lock<std::mutex> block_commits() { return std::unique_lock(mutex_); }

 private:
  Result<std::unique_lock<std::mutex>> lock();

  store::Store& store_;
  CommitClock clock_;
  std::mutex mutex_;
  CommitFairness fairness_;
  LastVisible last_visible_;
  PurgeLog purges_;
};

}  // namespace mayfly
