// What a Sweeper is made of. Private to db/.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "db/compactor.h"
#include "db/database_state.h"
#include "db/due_times.h"
#include "db/failing_sweeps.h"
#include "db/read_ends.h"

namespace mayfly {

struct Sweeper::State {
  Database::State& database;

  std::mutex pass_mutex;  // one pass at a time

  mutable std::mutex mutex;  // guards all below
  std::condition_variable changed;
  DueTimes due;
  std::unordered_map<CollectionId, Instant> noted;  // since the pass under way began
  // Where the next look begins: of the trash, and of deaths nobody was to be told of. Of others the
  // marks in the store say it.
  std::unordered_map<CollectionId, QueuePlaces> passed;
  // The earliest own end in the trash; unknown before the first look.
  std::unordered_map<CollectionId, Instant> own_ends_in_trash;
  std::set<CollectionId> unmet;  // were there at the start, and have not been looked at
  bool is_paused = false;
  bool is_stopping = false;
  bool gives_way = false;
  FailingSweeps failing;
  SweeperState counters;
  std::thread thread;

  Compactor compactor;

  explicit State(Database::State& d) : database(d), compactor(*d.store) {}

  Result<std::size_t> sweep(CollectionId id, std::size_t ends_max);
  Instant begin_pass(CollectionId id);
  Result<QueuePlaces> begin_of(const Collection& collection, Instant now);
  Result<void> meet(const Collection& collection, Instant now);
  Result<void> commit(const CollectionPtr& collection, const std::vector<Due>& due,
                      const store::Rows& found, Instant now, store::Version since);
  std::size_t walk_past(const Collection& collection, std::vector<Due>& due);
  void remember(const Collection& collection, const std::vector<Due>& due);
  void pass(CollectionId id, keys::Queue queue, const Bytes& row);
  void note(const NotedEnd& noted);
  void rest(std::unique_lock<std::mutex>& lock);

  // Which collections a run leaves out: those that have failed in it, and, for the thread, those
  // that are to be tried again later.
  enum class Tries { all, unless_resting };
  Result<std::size_t> run(std::size_t ends_max, Tries tries);
  void note_failure(CollectionId id, const Error& error);
  void run_until_stopped();
  // With `mutex` held:
  DueTimes::Entry first_due(Tries tries, const std::set<CollectionId>& left_out) const;
  void note_success(CollectionId id);
  Span time_to_rest(Instant next, Instant now) const;
};

}  // namespace mayfly
