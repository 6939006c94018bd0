// The sweeper: housekeeping after deaths. It records each end that has come, as an event where the
// collection keeps a feed, and remembers how far it has come; the rows it leaves to compaction, but
// for those of the trash (docs/decisions/0008). Every answer is the same with it on, off, slow,
// crashed half-way or run twice.
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
  Instant next_due = Instant::never();  // the earliest end known to come; never(): none
  std::uint64_t expired = 0;            // deaths recorded since the start
  std::uint64_t trash_purged = 0;
  std::uint64_t batches = 0;
  std::uint64_t left_to_compaction = 0;     // dead documents whose rows are still on disk
  std::uint64_t overdue_collections = 0;    // with an end to record, or not looked at yet
  Instant swept_at = Instant::beginning();  // the end of the last pass
  std::uint64_t failing_collections = 0;    // whose ends could not be recorded at the last try
  std::uint64_t failures = 0;               // since the start
  std::string last_failure;                 // empty where no collection fails
};

// Threads: any; passes exclude one another.
class Sweeper {
 public:
  explicit Sweeper(Database& database);
  ~Sweeper();

  // Records ends that have come, earliest collection first, in commits of at most
  // limits::sweep_batch_max, until none is left or `ends_max` are recorded. Gives how many. Also
  // when paused: the pause is for its job. Where the ends of some collections
  // cannot be recorded, those of the others are; then it fails with the first one's error.
  Result<std::size_t> run_due(std::size_t ends_max);

  // Adds the jobs that run it when the earliest end has come, erase what was dropped and compact.
  // Between batches they give way to the foreground: while requests are refused for overload, with
  // a long rest behind each batch.
  void add_jobs(Jobs& jobs);
  // Removes them, which waits for a run under way.
  void remove_jobs();
  void pause();
  void resume();
  SweeperState state();

  // An end that a commit has put into a queue. Called under the commit mutex; cheap.
  void note(CollectionId collection, Instant end);
  // Everything known about a collection's ends is void (its policy changed, or it is new to us).
  void look_again(CollectionId collection);
  // The same of a collection that was there when the database was opened.
  void take_up(CollectionId collection);
  void forget_collection(CollectionId collection);
  // Records every end of the collection that has come. Also when paused.
  Result<void> settle(CollectionId collection);
  // Whether every end of the collection up to and at that instant has been recorded.
  bool has_recorded(CollectionId collection, Instant t);
  // Whether that row of a queue stands at or before the mark up to which all is told.
  bool has_told(CollectionId collection, BytesView queue_row);
  // Rows of what was dropped are left: a job erases them once no open view reads them.
  void erase_later();
  // Grows with every batch that is recorded.
  std::uint64_t passes();
  // Every death of the collection before this instant has been recorded.
  Instant recorded_through(CollectionId collection);

  // For db/ itself: what the database that it sweeps is made of.
  Database::State& of_database();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mayfly
