// Schedules: runs the scheduled triggers of all workspaces when they are due. It is one job; if
// several servers share the store, the one with its lease runs them for all. A trigger's next run
// is stored with the end of the previous one, so after a crash a run that had not ended begins
// again. If times were missed, because the server was down or the clock leapt, a trigger runs once
// for all of them. A paused trigger keeps its next run. If that has passed when the trigger is
// resumed, it was missed.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly::centrali {

class Functions;

// Threads: any.
class Schedules {
 public:
  // Both outlive it.
  Schedules(Database& database, Functions& functions);
  Schedules(const Schedules&) = delete;
  Schedules& operator=(const Schedules&) = delete;
  // Begins no further runs.
  void stop();

  // Held while triggers of a workspace are changed, from before the commit until it has succeeded
  // or failed. Only then are the triggers read again.
  class TriggerChange {
   public:
    TriggerChange(Schedules& schedules, DatabaseId workspace);
    ~TriggerChange();
    TriggerChange(const TriggerChange&) = delete;
    TriggerChange& operator=(const TriggerChange&) = delete;

   private:
    Schedules& schedules_;
    const DatabaseId workspace_;
  };

 private:
  // The next runs of the triggers of one workspace, by ids.
  using Due = std::map<std::string, Instant>;

  Result<NextRun> run();
  Result<void> read(const CatalogPtr& catalog);
  Result<Due> read_workspace(const Catalog& catalog, DatabaseId workspace);
  void begin(DatabaseId workspace, const std::string& trigger);
  // True if the trigger was run or is no longer due.
  Result<bool> run_trigger(DatabaseId workspace, const std::string& id);
  void record_end(DatabaseId workspace, const std::string& trigger, bool is_done);

  Database& database_;
  Functions& functions_;
  // Used by the job alone.
  CatalogPtr catalog_;
  std::map<DatabaseId, Due> due_;

  std::mutex mutex_;                   // guards all below
  std::map<DatabaseId, int> changes_;  // changes in progress, or ended but not yet processed
  std::set<std::string> running_;      // triggers
  // Triggers that could not be run are tried again from then on, by monotonic_now().
  std::map<std::string, Instant> retry_at_;
  JobHandle job_;
};

}  // namespace mayfly::centrali
