// Deliveries: the engine that takes the events of all subscriptions to their targets, at least once
// and of each document in order (docs/decisions/0040-delivery.md). It is one job. Attempts are
// under way beside it; the job notes what has become of them. No request waits for any of it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "db/jobs/jobs.h"
#include "delivery/engine/line.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// Threads: any.
class Deliveries {
 public:
  // The database, the jobs and the random numbers outlive it. Attempts that are under way at its
  // end are made again after the next start. Where several servers share the store, the one that
  // has the lease "deliveries" delivers for all.
  Deliveries(Database& database, Jobs& jobs, Random& random,
             std::vector<std::unique_ptr<Target>> targets);
  ~Deliveries();

  // Null where there is no such kind.
  const Target* target(std::string_view kind) const;
  // A dialect's own; what it refers to outlives all runs of jobs. Subscriptions of a target or
  // format that is not there wait. A target stays until the engine's end.
  void add_target(std::unique_ptr<Target> target);
  void add_format(Format format);
  // Each database has it from now on, with a place and dead letters of its own (standing.h); from
  // when on is kept under its id. Before the jobs begin.
  void add_standing(Subscription subscription);
  // Those of a database, as it has them.
  std::vector<Subscription> standing(const DatabaseInfo& database) const;

  std::vector<std::string> target_kinds() const;
  // Why targets can be sent nothing now, by kinds; none where all can be.
  std::map<std::string, std::string> closed_targets() const;

  // There may be collections that it does not know. It looks for them each second all the same.
  void wake();

  // Held while subscriptions or dead letters of a database are changed, from before the commit
  // until it has succeeded or failed: they are read again only then. Cheap.
  class Change {
   public:
    Change(Deliveries& deliveries, DatabaseId database);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    Deliveries& deliveries_;
    const DatabaseId database_;
  };

  // As the job last left it; nothing before it has seen the subscription.
  std::optional<LineState> state(const std::string& subscription) const;
  std::map<std::string, LineState> states() const;  // by subscriptions

 private:
  friend class DeliveryWork;
  struct Inbox;
  Result<NextRun> run(const JobRun& run);

  Database& database_;
  Random& random_;
  const std::shared_ptr<Inbox> inbox_;        // also of the attempts under way
  std::unique_ptr<class DeliveryWork> work_;  // the job's alone, as the next
  std::uint64_t term_ = 0;                    // of the lease, in which `work_` began
  JobHandle job_;
};

}  // namespace mayfly::delivery
