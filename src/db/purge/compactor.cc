#include "db/purge/compactor.h"

#include <algorithm>

#include "base/limits.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

constexpr std::uint64_t least_expired_share =
    5;  // at least one row in this many must be expired for a compaction to pay

}  // namespace

void Compactor::add_job(Jobs& jobs) {
  job_ = jobs.add({.name = "compaction",
                   .lane = JobLane::lengthy,
                   .lease = "compaction",
                   .run = [this](const JobRun& job) { return run(job); },
                   .interrupt = [this] { store_.interrupt_compaction(); }});
}

void Compactor::add_expired(CollectionId collection, std::uint64_t expired) {
  if (expired == 0) return;
  const std::lock_guard lock(mutex_);
  left_[collection] += expired;
}

// Compaction pays if a good part of the rows that it reads belongs to expired documents.
Result<void> Compactor::compact_if_worthwhile(CollectionId collection) {
  std::uint64_t expired = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = left_.find(collection);
    expired = found == left_.end() ? 0 : found->second;
  }
  if (expired < limits::expired_rows_before_compaction) return {};
  const Bytes heads = keys::table(keys::Table::head, collection);
  const std::uint64_t all = TRY(store_.estimate(heads, after_prefix(heads)));
  if (expired < all / least_expired_share) return {};
  {
    const std::lock_guard lock(mutex_);
    to_compact_.insert(collection);
  }
  job_.wake();
  return {};
}

void Compactor::forget(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  left_.erase(collection);
  to_compact_.erase(collection);
}

std::uint64_t Compactor::left() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t all = 0;
  for (const auto& [collection, expired] : left_) all += expired;
  return all;
}

// One collection. If it fails, its rows are left to compactions that run anyway.
Result<NextRun> Compactor::run(const JobRun& job) {
  CollectionId id = 0;
  std::uint64_t expired = 0;
  {
    const std::lock_guard lock(mutex_);
    if (to_compact_.empty()) return NextRun::when_woken();
    id = to_compact_.extract(to_compact_.begin()).value();
    const auto left = left_.find(id);
    if (left != left_.end()) expired = left->second;
  }
  // Published rows may be dropped once their watermark is durable.
  store_.sync(store_.applied());
  Result<void> done;
  // Rows of queues go after the rows of logged ends that name them.
  for (const keys::Table table :
       {keys::Table::head, keys::Table::index, keys::Table::past, keys::Table::logged_ends,
        keys::Table::queue, keys::Table::ledger}) {
    // An interrupt ends only the compaction in progress.
    if (job.must_end()) return NextRun::when_woken();
    const Bytes lo = keys::table(table, id);
    if (done) done = store_.compact(lo, after_prefix(lo));
  }
  const std::lock_guard lock(mutex_);
  const auto still_left = left_.find(id);
  if (done && still_left != left_.end()) {
    still_left->second -= std::min(still_left->second, expired);
  }
  NextRun next = to_compact_.empty() ? NextRun::when_woken() : NextRun::immediately();
  if (!done && !job.must_end()) next.failure = done.error().message;
  return next;
}

}  // namespace mayfly
