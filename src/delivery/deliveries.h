// Deliveries: the engine that delivers the events of all subscriptions to their targets, at least
// once and in order for each document (docs/decisions/0040-delivery.md). It is one job. Attempts
// run outside the job; the job processes their results. No request waits for a delivery.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "db/jobs/jobs.h"
#include "delivery/engine/subscriber.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// Threads: any.
class Deliveries {
 public:
  // The database, the jobs and the random numbers outlive it. Attempts that are in flight when it
  // is destroyed are repeated after the next start. If several servers share the store, the one
  // that has the lease "deliveries" delivers for all.
  Deliveries(Database& database, Jobs& jobs, Random& random,
             std::vector<std::unique_ptr<Target>> targets);
  ~Deliveries();

  // Null if there is no target of this kind.
  const Target* target(std::string_view kind) const;
  // Adds a target or format of a dialect; what it refers to outlives all runs of jobs.
  // Subscriptions whose target or format is missing wait. A target stays until the engine is
  // destroyed.
  void add_target(std::unique_ptr<Target> target);
  void add_format(Format format);
  // From now on each database has this subscription, with a position and dead letters of its own
  // (standing.h). The instant from which it exists is stored under its id. Call it before the jobs
  // start.
  void add_standing(Subscription subscription);
  // The standing subscriptions as this database has them.
  std::vector<Subscription> standing(const DatabaseInfo& database) const;

  std::vector<std::string> target_kinds() const;
  // The closed targets, by kind, with the reason why nothing can be sent to them now.
  std::map<std::string, std::string> closed_targets() const;

  // Says that there may be new collections. Without it the engine looks for them once a second.
  void wake();

  // Held while subscriptions or dead letters of a database are changed, from before the commit
  // until it has succeeded or failed. Only then does the engine read them again. Cheap.
  class SubscriptionChange {
   public:
    SubscriptionChange(Deliveries& deliveries, DatabaseId database);
    ~SubscriptionChange();
    SubscriptionChange(const SubscriptionChange&) = delete;
    SubscriptionChange& operator=(const SubscriptionChange&) = delete;

   private:
    Deliveries& deliveries_;
    const DatabaseId database_;
  };

  // The state at the end of the job's last run; nullopt until the job has read the subscription.
  std::optional<SubscriptionState> state(const std::string& subscription) const;
  std::map<std::string, SubscriptionState> states() const;  // by subscription id

 private:
  friend class DeliveryWork;
  struct Inbox;
  Result<NextRun> run(const JobRun& run);

  Database& database_;
  Random& random_;
  const std::shared_ptr<Inbox> inbox_;        // shared with the attempts in flight
  std::unique_ptr<class DeliveryWork> work_;  // used by the job only, as the next member
  std::uint64_t term_ = 0;                    // of the lease, in which `work_` began
  JobHandle job_;
};

}  // namespace mayfly::delivery
