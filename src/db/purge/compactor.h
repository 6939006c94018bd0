// Compacts collections in which expired documents have left many rows. It is a job of its own, so
// that sweeping continues beside it.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <unordered_map>

#include "db/catalog/catalog.h"
#include "db/jobs/jobs.h"
#include "store/store.h"

namespace mayfly {

// Threads: any; add_job() and remove_job() from one.
class Compactor {
 public:
  explicit Compactor(store::Store& store) : store_(store) {}

  void add_job(Jobs& jobs);
  void remove_job() { job_.remove(); }
  // More documents have expired whose rows are left to compaction.
  void add_expired(CollectionId collection, std::uint64_t expired);
  // Schedules a compaction of the collection if it pays by now.
  Result<void> compact_if_worthwhile(CollectionId collection);
  void forget(CollectionId collection);
  // Expired documents that no compaction by this job has reached.
  std::uint64_t left() const;

 private:
  Result<NextRun> run(const JobRun& job);

  store::Store& store_;
  mutable std::mutex mutex_;
  std::unordered_map<CollectionId, std::uint64_t> left_;
  std::set<CollectionId> to_compact_;
  JobHandle job_;
};

}  // namespace mayfly
