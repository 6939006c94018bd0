#include "delivery/deliveries.h"

#include <algorithm>

#include "base/service/logging.h"
#include "delivery/engine/inbox.h"
#include "delivery/engine/work.h"
#include "delivery/rows/origin.h"
#include "delivery/standing.h"

namespace mayfly::delivery {

Deliveries::Deliveries(Database& database, Jobs& jobs, Random& random,
                       std::vector<std::unique_ptr<Target>> targets)
    : database_(database), random_(random), inbox_(std::make_shared<Inbox>()) {
  for (auto& target : targets) add_target(std::move(target));
  job_ = jobs.add({.name = "deliveries",
                   .lane = JobLane::evaluation,
                   .lease = "deliveries",
                   .run = [this](const JobRun& job) { return run(job); },
                   .first_due = Instant::beginning(),
                   .retry_max = limits::job_retry_first});
  const std::lock_guard lock(inbox_->mutex);
  inbox_->job = &job_;
}

Deliveries::~Deliveries() {
  {
    const std::lock_guard lock(inbox_->mutex);
    inbox_->job = nullptr;
  }
  job_.remove();
  decltype(inbox_->targets) targets;  // destroyed without the lock: they may wait for attempts
  const std::lock_guard lock(inbox_->mutex);
  targets.swap(inbox_->targets);
}

// If a run throws, for example because memory runs out, the job's state is discarded: the stored
// rows suffice to start again.
Result<NextRun> Deliveries::run(const JobRun& run) {
  std::unique_ptr<DeliveryWork> work = std::move(work_);
  if (!work || run.term() != term_) work = std::make_unique<DeliveryWork>(*this);
  term_ = run.term();
  auto next = work->run(run);
  work_ = std::move(work);
  return next;
}

const Target* Deliveries::target(std::string_view kind) const {
  const std::lock_guard lock(inbox_->mutex);
  const auto found = inbox_->targets.find(kind);
  return found == inbox_->targets.end() ? nullptr : found->second.get();
}

void Deliveries::add_target(std::unique_ptr<Target> target) {
  target->watch([inbox = std::weak_ptr(inbox_)] {
    if (const auto held = inbox.lock()) held->wake();
  });
  inbox_->put([&] {
    std::string kind(target->kind());
    inbox_->targets.emplace(std::move(kind), std::move(target));
  });
}

void Deliveries::add_format(Format format) {
  inbox_->put([&] {
    std::string name(format.name);
    inbox_->formats.insert_or_assign(std::move(name), std::move(format));
  });
}

void Deliveries::add_standing(Subscription subscription) {
  subscription.is_standing = true;
  if (const auto made = ensure_origin(database_, random_); !made) {
    log(LogLevel::warn, "the ids of messages have no origin", {{"error", made.error().message}});
  }
  subscription.from = {standing_since(database_, subscription.id), UINT32_MAX};
  inbox_->put([&] { inbox_->standing.push_back(std::move(subscription)); });
}

std::vector<Subscription> Deliveries::standing(const DatabaseInfo& database) const {
  const std::lock_guard lock(inbox_->mutex);
  std::vector<Subscription> all;
  for (const Subscription& one : inbox_->standing) all.push_back(standing_in(database, one));
  return all;
}

void Deliveries::wake() {
  inbox_->wake();
}

std::vector<std::string> Deliveries::target_kinds() const {
  const std::lock_guard lock(inbox_->mutex);
  std::vector<std::string> kinds;
  for (const auto& [kind, target] : inbox_->targets) kinds.push_back(kind);
  kinds.insert(kinds.end(), inbox_->missing.begin(), inbox_->missing.end());
  return kinds;
}

std::map<std::string, std::string> Deliveries::closed_targets() const {
  const std::lock_guard lock(inbox_->mutex);
  std::map<std::string, std::string> closed;
  for (const auto& [kind, target] : inbox_->targets) {
    if (auto why = target->closed()) closed.emplace(kind, *std::move(why));
  }
  for (const std::string& kind : inbox_->missing) closed.emplace(kind, no_target);
  return closed;
}

std::optional<SubscriptionState> Deliveries::state(const std::string& subscription) const {
  const std::lock_guard lock(inbox_->mutex);
  const auto found = inbox_->states.find(subscription);
  return found == inbox_->states.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, SubscriptionState> Deliveries::states() const {
  const std::lock_guard lock(inbox_->mutex);
  return inbox_->states;
}

Deliveries::SubscriptionChange::SubscriptionChange(Deliveries& deliveries, DatabaseId database)
    : deliveries_(deliveries), database_(database) {
  const Instant now = deliveries_.database_.now();
  const std::lock_guard lock(deliveries_.inbox_->mutex);
  std::size_t& changes = deliveries_.inbox_->changes[database_];
  // Events that are committed meanwhile stay in the feeds.
  deliveries_.database_.feed().holds().begin(database_, now);
  ++changes;
}

// Allocates no memory.
Deliveries::SubscriptionChange::~SubscriptionChange() {
  Inbox& inbox = *deliveries_.inbox_;
  inbox.put([&] { --inbox.changes.find(database_)->second; });
}

}  // namespace mayfly::delivery
