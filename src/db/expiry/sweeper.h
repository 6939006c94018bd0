// The sweeper: housekeeping after expirations. It records each end that has come, as an event if
// the collection keeps a feed, and stores a watermark of how far it has got. It leaves the rows of
// expired documents to compaction, unless they go to the trash; it moves these, and removes
// documents from the trash whose time there is over (docs/decisions/0008). Every answer is the same
// whether it is on, off, slow, crashed half-way or run twice.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "db/catalog/catalog.h"
#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly {

struct SweeperState {
  bool is_paused = false;
  Instant next_due =
      Instant::never();       // the earliest known end that is not recorded yet; never(): none
  std::uint64_t expired = 0;  // deaths recorded, or skipped as unpublished, since the start
  std::uint64_t trash_purged = 0;
  std::uint64_t batches = 0;
  std::uint64_t left_to_compaction = 0;     // expired documents whose rows may still be on disk
  std::uint64_t overdue_collections = 0;    // with an end to record, or not visited yet
  Instant swept_at = Instant::beginning();  // the end of the last pass
  std::uint64_t failing_collections = 0;    // whose ends could not be recorded at the last attempt
  std::uint64_t failures = 0;               // since the start
  std::string last_failure;                 // empty if no collection fails
};

// Threads: any; passes exclude one another.
class Sweeper {
 public:
  explicit Sweeper(Database& database);
  ~Sweeper();

  // Records ends that have come, earliest collection first, in commits of at most
  // limits::sweep_batch_max, until none is left or `ends_max` are recorded. Returns how many. It
  // also works when paused, since a pause concerns only the job. If the ends of some collections
  // cannot be recorded, those of the others still are; then it fails with the first error. First it
  // erases rows of dropped collections and indexes that no open view reads.
  Result<std::size_t> run_due(std::size_t ends_max);

  // Adds the jobs that run it when the earliest end has come, erase dropped rows and compact.
  // Between batches they give way to the foreground: while requests are refused for overload, they
  // rest for long after each batch.
  void add_jobs(Jobs& jobs);
  // Removes them; waits for a run in progress.
  void remove_jobs();
  void pause();
  void resume();
  SweeperState state();

  // A commit has put an end into a queue. Called under the commit mutex; cheap.
  void schedule(CollectionId collection, Instant end);
  // Discards everything known about a collection's ends, because its policy changed or it is new.
  void look_again(CollectionId collection);
  // The same for a collection that existed when the database was opened.
  void add_existing(CollectionId collection);
  void forget_collection(CollectionId collection);
  // Records every end of the collection that has come. Also works when paused. Fails with contended
  // on a thread that must not wait (NoWait), and if writers keep winning the races.
  Result<void> flush_expirations(CollectionId collection);
  // Whether every end of the collection up to and including that instant has been recorded.
  bool has_recorded(CollectionId collection, Instant t);
  // Whether that row of a queue is at or before the watermark.
  bool has_published(CollectionId collection, BytesView queue_row);
  // Rows of dropped collections are left: a job erases them once no open view reads them.
  void erase_later();
  // Increases with every batch of ends that is recorded or skipped.
  std::uint64_t batch_count();
  // An instant before which every death of the collection has been recorded.
  Instant recorded_through(CollectionId collection);

  // For db/ itself: the state of the database that it sweeps.
  Database::State& of_database();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mayfly
