#include "delivery/engine/work.h"

#include <algorithm>
#include <utility>

#include "base/service/logging.h"
#include "delivery/rows/origin.h"

namespace mayfly::delivery {

DeliveryWork::DeliveryWork(Deliveries& engine)
    : database_(engine.database_),
      random_(engine.random_),
      inbox_(engine.inbox_),
      follower_(database_, [inbox = inbox_] { inbox->wake(); }) {
  constexpr int runs_of_one_work = 32;  // these are bits of one number
  const std::lock_guard lock(inbox_->mutex);
  epochs_ = ++inbox_->works_created << runs_of_one_work;
  standing_ = inbox_->standing;
}

// What is read after Follower::next() includes all subscriptions and collections up to `through_`.
Result<NextRun> DeliveryWork::run(const JobRun& job) {
  process_ended();
  remove_dropped_databases(*database_.catalog());
  end_database_rests();
  write(job);
  if (follower_.has_more() || is_stale()) {
    const Follower::Round round = follower_.next();
    through_ = round.through;
    for (auto& [id, entry] : databases_) entry.subscribers->add_due(round.due);
  }
  const CatalogPtr catalog = database_.catalog();
  const bool has_changed = TRY(update_databases(catalog));
  take_changes();
  if (read_subscriptions(job) || has_changed) follow(*catalog);
  hold_feeds(*catalog);
  const bool has_more = read_events();
  const Instant now = database_.now();
  send(now);
  publish_states();
  NextRun next = has_more || follower_.has_more() ? NextRun::immediately() : next_run(now);
  if (in_flight_.messages > 0) next.rest = limits::delivery_rest;
  for (const auto& [id, entry] : databases_) {
    if (!entry.failure.empty()) next.failure = entry.failure;
  }
  return next;
}

NextRun DeliveryWork::next_run(Instant now) const {
  if (databases_.empty() && standing_.empty()) return NextRun::when_woken();
  const bool has_unsaved = is_unsynced_ || std::ranges::any_of(databases_, [](const auto& entry) {
                             return entry.second.subscribers->has_unsaved();
                           });
  return {.due = next_due(now),
          .at_latest = has_unsaved ? limits::progress_every : limits::subscriptions_checked_every};
}

// --- results of attempts ---

void DeliveryWork::process_ended() {
  std::deque<EndedAttempt> ended;
  {
    const std::lock_guard lock(inbox_->mutex);
    ended.swap(inbox_->ended);
  }
  const Instant now = database_.now();
  for (const EndedAttempt& one : ended) {
    const auto share = shares_.find(one.epoch);
    if (share == shares_.end()) continue;  // of a DeliveryWork that was destroyed
    for (InFlight* count : {&in_flight_, &share->second.in_flight}) {
      count->messages -= one.numbers.size();
      --count->calls;
      count->bytes -= one.bytes;
    }
    const auto calls = calls_.find(share->second.calls_key);
    if (--calls->second == 0) calls_.erase(calls);
    if (share->second.in_flight.messages == 0) shares_.erase(share);
    const auto subscriber = subscribers_.find(one.epoch);
    if (subscriber == subscribers_.end()) {
      continue;  // the subscription was changed or removed meanwhile
    }
    const double random = static_cast<double>(random_.below(1 << 20)) / (1 << 20);
    const Target& target = *targets_.at(subscriber->second->subscription().target);
    for (const Window::Number number : one.numbers) {
      subscriber->second->note(number, one.outcome, target, now, random);
    }
  }
}

// Stores progress: immediately if no attempt is in flight, otherwise every progress_every, but for
// at most a tenth of the time.
void DeliveryWork::write(const JobRun& job) {
  const Instant now = monotonic_now();
  const Span every{std::max(limits::progress_every.micros, 9 * writing_took_.micros)};
  if (in_flight_.messages == 0 || now - written_at_ >= every) {
    for_each_database([&](DatabaseEntry& entry) -> Result<void> {
      if (!entry.subscribers->has_unsaved()) return {};
      is_unsynced_ = true;
      return entry.subscribers->write(job);
    });
    written_at_ = monotonic_now();
    writing_took_ = written_at_ - now;
  }
  // If nothing else is written, no other commit would make these writes durable.
  if (!is_unsynced_ || now - synced_at_ < limits::progress_every) return;
  database_.store().sync(database_.store().applied());
  synced_at_ = now;
  is_unsynced_ = false;
}

// --- databases and subscriptions ---

// Nothing is stored for a database that was dropped.
void DeliveryWork::remove_dropped_databases(const Catalog& catalog) {
  const auto gone = std::erase_if(
      databases_, [&](const auto& entry) { return catalog.database(entry.first) == nullptr; });
  if (gone > 0) list_subscribers();
}

// A database that fails does not block others: it rests, and the action is repeated later. If the
// database was dropped meanwhile, its failure is ignored.
template <class Do>
void DeliveryWork::for_each_database(const Do& act) {
  for (auto& [id, entry] : databases_) {
    if (!entry.failure.empty()) continue;
    const Result<void> done = act(entry);
    if (!done && database_.catalog()->database(id) != nullptr) record_failure(entry, done.error());
  }
}

void DeliveryWork::record_failure(DatabaseEntry& entry, const Error& error) {
  entry.failure = entry.subscribers->database_info().name + ": " + error.message;
  entry.failed_at = monotonic_now();
  entry.failed_at_by_database = database_.now();
  log(LogLevel::error, "subscriptions cannot be served; they are tried again each second",
      {{"database", entry.subscribers->database_info().name}, {"error", error.message}});
}

// A rest ends by whichever clock is first: the database's clock may be virtual, so it may stand
// still or leap.
void DeliveryWork::end_database_rests() {
  const Instant now = monotonic_now();
  const Instant now_by_database = database_.now();
  for (auto& [id, entry] : databases_) {
    const bool rests = now - entry.failed_at < limits::database_rest &&
                       now_by_database - entry.failed_at_by_database < limits::database_rest;
    if (!rests) entry.failure.clear();
  }
}

// Gives whether the catalog has changed.
Result<bool> DeliveryWork::update_databases(const CatalogPtr& catalog) {
  if (catalog == catalog_) return false;
  remove_dropped_databases(*catalog);
  for (const DatabaseInfoPtr& database : catalog->databases()) {
    if (databases_.contains(database->id)) continue;
    const bool has_some =
        !standing_.empty() || PrivateTable<Subscription>::find(*catalog, database->id);
    if (!has_some) continue;
    if (!origin_) origin_ = TRY(read_origin(database_));
    databases_[database->id].subscribers =
        std::make_unique<DatabaseSubscribers>(database_, database, standing_, *origin_);
  }
  catalog_ = catalog;
  return true;
}

// Called after Follower::next(): each change that was committed up to `through_` is either over or
// still held.
void DeliveryWork::take_changes() {
  const std::lock_guard lock(inbox_->mutex);
  for (auto& [id, entry] : databases_) {
    if (inbox_->changes.contains(id)) entry.is_changed = true;
  }
  std::erase_if(inbox_->changes, [](const auto& change) { return change.second == 0; });
  if (formats_.size() != inbox_->formats.size()) formats_ = inbox_->formats;
  if (targets_.size() == inbox_->targets.size()) return;
  for (const auto& [kind, target] : inbox_->targets) targets_[kind] = target.get();
}

// A database whose subscriptions are being changed keeps its current hold, because it may have no
// subscription yet. If the subscriptions of a database could not be read yet, all of its events are
// held.
void DeliveryWork::hold_feeds(const Catalog& catalog) {
  const Instant at = monotonic_now();
  if (feeds_held_at_ != Instant::beginning() && at - feeds_held_at_ < limits::feeds_held_every) {
    return;
  }
  feeds_held_at_ = at;
  std::map<DatabaseId, Instant> positions;
  for (const auto& [id, entry] : databases_) {
    const Instant written =
        entry.was_read ? entry.subscribers->stored_through() : Instant::beginning();
    if (!written.is_never()) positions.emplace(id, written);
  }
  FeedHolds& holds = database_.feed().holds();
  const std::lock_guard lock(inbox_->mutex);
  const auto before = holds.current();
  const auto keep = [&](DatabaseId id) {
    const auto known = before->places.find(id);
    if (known == before->places.end()) return;
    Instant& position = positions.emplace(*known).first->second;
    position = std::min(position, known->second);
  };
  for (const auto& [id, count] : inbox_->changes) keep(id);
  for (const auto& [id, entry] : databases_) {
    if (entry.is_changed) keep(id);
  }
  holds.set(std::move(positions), !standing_.empty(), catalog, database_.now());
}

// Stores the progress of the subscribers first, because replacing them would lose it. Gives whether
// any subscriptions were read.
bool DeliveryWork::read_subscriptions(const JobRun& job) {
  bool were_read = false;
  for_each_database([&](DatabaseEntry& entry) -> Result<void> {
    if (!entry.is_changed) return {};
    if (entry.subscribers->has_unsaved()) TRY(entry.subscribers->write(job));
    were_read = true;
    TRY(entry.subscribers->read(epochs_));
    entry.was_read = true;
    entry.is_changed = false;
    return {};
  });
  if (were_read) list_subscribers();
  return were_read;
}

void DeliveryWork::list_subscribers() {
  subscribers_.clear();
  for (auto& [id, entry] : databases_) {
    for (auto& [subscription, subscriber] : entry.subscribers->all()) {
      subscribers_[subscriber->epoch()] = subscriber.get();
    }
  }
}

void DeliveryWork::follow(const Catalog& catalog) {
  std::set<CollectionId> collections;
  for (auto& [id, entry] : databases_) {
    collections.merge(entry.subscribers->update_collections(catalog));
  }
  follower_.follow_only(collections);
}

// Whether nothing has happened for long. Positions advance all the same; otherwise the feeds would
// no longer reach back to them.
bool DeliveryWork::is_stale() const {
  return !subscribers_.empty() && database_.now() - through_ > limits::positions_moved_every;
}

bool DeliveryWork::read_events() {
  bool has_more = false;
  for_each_database([&](DatabaseEntry& entry) -> Result<void> {
    if (entry.is_changed || entry.subscribers->all().empty()) return {};
    has_more = TRY(entry.subscribers->read_events(through_, formats_, bytes_)) || has_more;
    return {};
  });
  return has_more;
}

Instant DeliveryWork::next_due(Instant now) const {
  Instant due = Instant::never();
  for (const auto& [epoch, subscriber] : subscribers_) {
    if (subscriber->subscription().is_paused) continue;
    const Instant next = std::max(subscriber->window().next_due(), subscriber->rests_until());
    if (next > now) due = std::min(due, next);
  }
  return due;
}

// Skips most calls while there is much to do.
void DeliveryWork::publish_states() {
  const Instant at = monotonic_now();
  if (in_flight_.messages > 0 && at - published_at_ < limits::progress_every) return;
  published_at_ = at;
  std::map<std::string, SubscriptionState> states;
  std::set<std::string, std::less<>> missing;
  for (const auto& [epoch, subscriber] : subscribers_) {
    SubscriptionState& state = states[subscriber->subscription().id] = subscriber->state();
    const auto closed = closed_.find(subscriber->subscription().target);
    if (closed != closed_.end()) state.progress.last_error = closed->second;
    if (targets_.contains(subscriber->subscription().target)) continue;
    state.progress.last_error = std::string(no_target);
    missing.insert(subscriber->subscription().target);
  }
  const std::lock_guard lock(inbox_->mutex);
  inbox_->states.swap(states);
  inbox_->missing.swap(missing);
}

}  // namespace mayfly::delivery
