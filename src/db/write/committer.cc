#include "db/write/committer.h"

#include <thread>

#include "base/limits.h"
#include "db/limits.h"
#include "db/rows/records.h"

namespace mayfly {

Result<void> Committer::apply(store::CommitBatch& batch, Visible visible,
                              const std::vector<Purged>& purged) {
  const Instant at = records::to_instant(batch.version);
  for (const Purged& one : purged) {
    if (one.versions.empty()) continue;
    TRY(purges_.append(store_, *one.collection, at, one.versions, batch));
  }
  const store::Version before = store_.applied();
  auto committed = store_.commit(batch);
  for (const Purged& one : purged) {
    if (!one.versions.empty()) purges_.confirm(one.collection->id, committed.has_value());
  }
  if (committed && visible == Visible::no) last_visible_.skip(before, batch.version);
  return committed;
}

Result<std::unique_lock<std::mutex>> Committer::lock() {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!NoWait::stands()) {
    lock.lock();
    return lock;
  }
  if (!NoWait::has_refused_here()) {
    const Instant until = monotonic_now() + limits::loop_commit_wait_max;
    do {
      if (lock.try_lock()) return lock;
      std::this_thread::yield();
    } while (monotonic_now() < until);
  }
  NoWait::refuses();
  return fail(Code::contended, "another commit is under way");
}

}  // namespace mayfly
