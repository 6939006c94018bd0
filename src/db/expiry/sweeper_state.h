// The members of a Sweeper. Private to db/.
#pragma once

#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "db/database_state.h"
#include "db/expiry/due_times.h"
#include "db/expiry/failing_sweeps.h"
#include "db/expiry/read_ends.h"
#include "db/purge/compactor.h"

namespace mayfly {

struct Sweeper::State {
  Database::State& database;

  std::mutex pass_mutex;  // one pass at a time

  mutable std::mutex mutex;  // guards all below
  DueTimes due;
  std::unordered_map<CollectionId, Instant> scheduled;  // since the pass in progress began
  // Where the next read begins, for the trash and for expirations that are not published. For the
  // other queues the watermarks in the store say it.
  std::unordered_map<CollectionId, QueuePositions> positions;
  // The earliest own end in the trash; unknown before the first visit.
  std::unordered_map<CollectionId, Instant> own_ends_in_trash;
  std::set<CollectionId> not_visited;  // existed at the start, and have not been visited
  bool is_paused = false;
  FailingSweeps failing;
  SweeperState counters;

  // Without the lock:
  Compactor compactor;
  JobHandle job;
  JobHandle erasing;

  explicit State(Database::State& d) : database(d), compactor(*d.store) {}

  Result<std::size_t> sweep(CollectionId id, std::size_t ends_max);
  EndsExpected begin_pass(CollectionId id);
  Result<QueuePositions> begin_positions(const Collection& collection, Instant now);
  Result<void> visit_first_time(const Collection& collection, Instant now);
  Result<std::size_t> commit(const CollectionPtr& collection, const std::vector<DueEnd>& due,
                             const store::Rows& found, Instant now, store::Version since);
  void skip_redundant(const Collection& collection, std::vector<DueEnd>& due);
  std::size_t skip_unpublished(const Collection& collection, std::vector<DueEnd>& due);
  void finish_batch(const Collection& collection, const std::vector<DueEnd>& recorded,
                    std::size_t out_of_trash);
  void advance(CollectionId id, keys::Queue queue, const Bytes& row);
  void schedule(const ScheduledEnd& added);

  // Which collections a run leaves out: those that have failed in it and, for the job, those that
  // are to be retried later.
  enum class RunScope { all, skip_resting };
  Result<std::size_t> run(std::size_t ends_max, RunScope scope);
  void note_failure(CollectionId id, const Error& error);
  NextRun run_job(const JobRun& run);
  NextRun next_run(Span rest) const;
  // With `mutex` held:
  DueTimes::Entry first_due(RunScope scope, const std::set<CollectionId>& left_out) const;
  void note_success(CollectionId id);
};

}  // namespace mayfly
