#include "db/expiry/sweeper.h"

#include <algorithm>
#include <array>

#include "base/service/kill_point.h"
#include "base/service/logging.h"
#include "base/threads/no_wait.h"
#include "db/expiry/sweeper_state.h"
#include "db/limits.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

constexpr int flush_races_max = 100'000;  // far more than writers can win in a row

}  // namespace

// Records up to `ends_max` ends of one collection in one commit, and schedules the next one.
Result<std::size_t> Sweeper::State::sweep(CollectionId id, std::size_t ends_max) {
  // Read `now` first: then no row that has come by it can be written or changed any more, and each
  // has been scheduled.
  const Instant now = database.clock.closed();
  const EndsExpected expected = begin_pass(id);
  const CollectionPtr collection = database.current()->any_collection(id);
  if (!collection) {
    const std::lock_guard lock(mutex);
    due.erase(id);
    own_ends_in_trash.erase(id);
    note_success(id);
    return 0;
  }
  const store::Version since = database.store->applied();
  const QueuePositions from = TRY(begin_positions(*collection, now));
  DueEnds ends = TRY(read_ends(*database.store, *collection, from, expected, now));
  const Instant next_own_end = ends.own_end_in_trash;
  if (!ends.held.empty()) advance(id, keys::Queue::trash, ends.held);
  keep_first(ends, std::min(ends_max, limits::sweep_batch_max));
  skip_redundant(*collection, ends.due);
  std::size_t recorded =
      leaves_ends_to_compaction(collection->policy) ? skip_unpublished(*collection, ends.due) : 0;
  const NeededRows needed = TRY(read_needed(*database.store, *collection, ends.due));
  keep_first(ends, needed.served);
  Instant next = ends.next;
  if (!ends.due.empty()) {
    KILL_POINT("sweep.found");
    auto committed = commit(collection, ends.due, needed.rows, now, since);
    if (committed) {
      KILL_POINT("sweep.committed");
      recorded += ends.due.size();
      finish_batch(*collection, ends.due, *committed);
      KILL_POINT("sweep.remembered");
    } else if (committed.error().code == Code::contended) {
      // No later than ends that are still to be recorded: the past is folded up to there.
      next = std::min(next, ends.due.front().effective_at);
    } else {
      return tl::unexpected(std::move(committed).error());
    }
  }
  if (recorded > 0 && is_logged(LogLevel::debug)) {
    log(LogLevel::debug, "ends were recorded",
        {{"collection", collection->name}, {"ends", std::uint64_t{recorded}}});
  }
  if (next > now) TRY(compactor.compact_if_worthwhile(id));
  const std::lock_guard lock(mutex);
  note_success(id);
  if (const auto known = own_ends_in_trash.find(id); known != own_ends_in_trash.end()) {
    known->second = next_own_end;
  }
  const auto newer = scheduled.find(id);
  due.set(id, newer == scheduled.end() ? next : std::min(next, newer->second));
  return recorded;
}

// From here on, a commit that adds an end adds it to `scheduled`; until the pass is over, the due
// time stays.
EndsExpected Sweeper::State::begin_pass(CollectionId id) {
  const std::lock_guard lock(mutex);
  const auto known = due.find(id);
  Instant& earliest = own_ends_in_trash.try_emplace(id, Instant::beginning()).first->second;
  if (const auto added = scheduled.find(id); added != scheduled.end()) {
    earliest = std::min(earliest, added->second);
    scheduled.erase(added);
  }
  return {.own_end_in_trash = earliest, .some = known && *known > Instant::beginning()};
}

// The positions from which the queues have not been read yet.
Result<QueuePositions> Sweeper::State::begin_positions(const Collection& collection, Instant now) {
  TRY(visit_first_time(collection, now));
  const Watermarks::Rows published = database.watermarks.of(collection.id);
  const bool goes_on = leaves_ends_to_compaction(collection.policy);
  const std::lock_guard lock(mutex);
  QueuePositions from = positions[collection.id];
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    if (!goes_on) from[i].clear();
    if (!published[i].empty()) from[i] = std::max(from[i], published[i] + '\0');
  }
  return from;
}

// First visit after a start: skips ends that have been published, and expirations that were not to
// be published. Rows of them that still exist are left to compaction.
Result<void> Sweeper::State::visit_first_time(const Collection& collection, Instant now) {
  {
    const std::lock_guard lock(mutex);
    if (not_visited.erase(collection.id) == 0) return {};
  }
  const Watermarks::Rows published = database.watermarks.of(collection.id);
  Watermarks::Rows expired;
  if (leaves_ends_to_compaction(collection.policy))
    expired = watermarks_behind_expired(collection, now);
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    const Bytes begin = keys::queue(collection.id, published_queues[i]);
    if (!expired[i].empty()) advance(collection.id, published_queues[i], expired[i]);
    const Bytes end = std::max({begin, published[i] + '\0', expired[i]});
    compactor.add_expired(collection.id, TRY(database.store->estimate(begin, end)));
  }
  return {};
}

// Takes expirations that are not published out of `due`: readers skip expired documents anyway, and
// compacting once is cheaper than removing each row.
std::size_t Sweeper::State::skip_unpublished(const Collection& collection,
                                             std::vector<DueEnd>& due) {
  std::vector<DueEnd> of_trash;
  if (std::ranges::any_of(due, &DueEnd::is_of_trash)) {
    const auto first_expired = std::stable_partition(
        due.begin(), due.end(), [](const DueEnd& d) { return d.is_of_trash(); });
    of_trash.assign(std::make_move_iterator(due.begin()), std::make_move_iterator(first_expired));
    due.erase(due.begin(), first_expired);
  }
  const std::size_t expired = due.size();
  if (expired > 0) finish_batch(collection, due, 0);
  due = std::move(of_trash);
  return expired;
}

// Skips the row of an own end that comes no earlier than the end of the time in the trash: the row
// of that time records the end. Compaction drops the skipped row.
void Sweeper::State::skip_redundant(const Collection& collection, std::vector<DueEnd>& due) {
  const auto is_redundant = [&](const DueEnd& d) {
    if (!d.is_own_end_in_trash()) return false;
    const Version in_trash{.lifetime = Never{}, .removed_at = d.version.removed_at};
    return forgettable_at(in_trash, collection.policy) <= d.effective_at;
  };
  // Not past a row that the commit may still fail to record.
  std::array<bool, all_queues.size()> has_other{};
  for (const DueEnd& d : due) {
    bool& stops = has_other[queue_index(d.queue)];
    stops = stops || !is_redundant(d);
    if (!stops) advance(collection.id, d.queue, d.row);
  }
  std::erase_if(due, is_redundant);
}

// The batch is made before the commit mutex is taken: this thread has a low priority, and other
// commits wait for the holder of the mutex. Returns how many documents have left the trash.
Result<std::size_t> Sweeper::State::commit(const CollectionPtr& collection,
                                           const std::vector<DueEnd>& due, const store::Rows& found,
                                           Instant now, store::Version since) {
  std::vector<ScheduledEnd> ends;
  const Watermarks::Rows published = database.watermarks.of(collection->id);
  RecordedEnds recorded = TRY(record_ends(*collection, due, found, published, now, ends));
  recorded.batch.since = since;
  recorded.batch.space = store::CommitBatch::Space::less;
  TRY(database.committer.run([&](Instant at) -> Result<void> {
    if (database.current()->any_collection(collection->id) != collection) {
      return fail(Code::contended, "the collection has been changed meanwhile");
    }
    recorded.commit_at(at);
    recorded.batch.points.push_back({keys::collection(collection->id), collection->row_version});
    database.watermarks.put(collection->id, recorded.watermarks, recorded.batch);
    // Before compaction can see the watermarks; a note without a commit only keeps more.
    if (recorded.logged) database.needed_ends.note(collection->id, at, *recorded.logged);
    TRY(database.committer.apply(recorded.batch, Visible::no,
                                 {{collection.get(), recorded.purged}}));
    database.watermarks.advance(collection->id, recorded.watermarks, recorded.batch.version);
    database.feed->note(collection->id);
    return {};
  }));
  for (const ScheduledEnd& end : ends) schedule(end);
  return recorded.out_of_trash;
}

// From now on, rows up to this one are skipped.
void Sweeper::State::advance(CollectionId id, keys::Queue queue, const Bytes& row) {
  const std::lock_guard lock(mutex);
  // A document of the trash may have been released since it was read.
  if (queue_index(queue) >= published_queues.size() && scheduled.contains(id)) return;
  Bytes& place = positions[id][queue_index(queue)];
  place = std::max(place, row + '\0');
}

void Sweeper::State::finish_batch(const Collection& collection, const std::vector<DueEnd>& recorded,
                                  std::size_t out_of_trash) {
  std::size_t of_trash = 0;
  std::size_t left = 0;
  std::array<const DueEnd*, all_queues.size()> last{};
  for (const DueEnd& d : recorded) {
    of_trash += d.is_of_trash() ? 1 : 0;
    left += is_only_published(collection, d) ? 1 : 0;
    last[queue_index(d.queue)] = &d;
  }
  for (const DueEnd* d : last) {
    if (d != nullptr) advance(collection.id, d->queue, d->row);
  }
  compactor.add_expired(collection.id, left);
  const std::lock_guard lock(mutex);
  counters.trash_purged += out_of_trash;
  counters.expired += recorded.size() - of_trash;
  ++counters.batches;
}

Sweeper::Sweeper(Database& database) : state_(std::make_unique<State>(*database.state_)) {}
Sweeper::~Sweeper() {
  remove_jobs();
}

Result<std::size_t> Sweeper::run_due(std::size_t ends_max) {
  return state_->run(ends_max, State::RunScope::all);
}

// A collection whose ends cannot be recorded is left out for the rest of the run and delays no
// other. Fails with the first error.
Result<std::size_t> Sweeper::State::run(std::size_t ends_max, RunScope scope) {
  Result<void> outcome;
  if (scope == RunScope::all) {
    outcome = database.erase_dropped();
    if (database.dropped.any()) erasing.wake();
  }
  const std::lock_guard pass(pass_mutex);
  std::set<CollectionId> left_out;
  std::size_t recorded = 0;
  int lost_races = 0;
  while (recorded < ends_max) {
    const Instant now = database.clock.closed();
    DueTimes::Entry first;
    {
      const std::lock_guard lock(mutex);
      first = first_due(scope, left_out);
    }
    if (first.first > now || first.first.is_never()) break;
    const auto swept = sweep(first.second, ends_max - recorded);
    if (!swept) {
      note_failure(first.second, swept.error());
      left_out.insert(first.second);
      if (outcome) outcome = tl::unexpected(swept.error());
      continue;
    }
    recorded += *swept;
    // If writers keep winning the races, the next pass goes on.
    if (*swept == 0 && ++lost_races > flush_races_max) break;
  }
  const std::lock_guard lock(mutex);
  counters.swept_at = database.clock.latest();
  if (!outcome) return tl::unexpected(outcome.error());
  return recorded;
}

// The earliest known end, among the collections that are not left out.
DueTimes::Entry Sweeper::State::first_due(RunScope scope,
                                          const std::set<CollectionId>& left_out) const {
  const Instant now = monotonic_now();
  for (const DueTimes::Entry& entry : due.in_order()) {
    if (left_out.contains(entry.second)) continue;
    if (scope == RunScope::skip_resting && failing.retry_at(entry.second) > now) continue;
    return entry;
  }
  return {Instant::never(), 0};
}

void Sweeper::State::note_failure(CollectionId id, const Error& error) {
  const CollectionPtr collection = database.current()->any_collection(id);
  const std::lock_guard lock(mutex);
  ++counters.failures;
  counters.last_failure = error.message;
  const bool is_new = failing.add(id, monotonic_now());
  // If the whole store fails, every collection does: a few lines say as much as all of them.
  if (!is_new || failing.size() > limits::failing_sweeps_logged_max) return;
  log(LogLevel::error, "the expirations of a collection cannot be recorded",
      {{"collection", collection ? collection->name : std::string()}, {"error", error.message}});
}

void Sweeper::State::note_success(CollectionId id) {
  if (!failing.erase(id)) return;
  if (failing.size() > 0) return;
  counters.last_failure.clear();
  log(LogLevel::info, "the expirations of every collection can be recorded again");
}

void Sweeper::State::schedule(const ScheduledEnd& added) {
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = scheduled.try_emplace(added.collection, added.end);
  if (!is_new) entry->second = std::min(entry->second, added.end);
  if (due.lower(added.collection, added.end)) job.due_by(added.end);
}

void Sweeper::schedule(CollectionId collection, Instant end) {
  state_->schedule({collection, end});
}

bool Sweeper::has_recorded(CollectionId collection, Instant t) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->due.find(collection);
  return !found || *found > t;
}

Result<void> Sweeper::flush_expirations(CollectionId collection) {
  State& s = *state_;
  if (NoWait::refuses()) return fail(Code::contended, "deaths are still to be recorded");
  const std::lock_guard pass(s.pass_mutex);
  for (int lost_races = 0; lost_races < flush_races_max;) {
    if (has_recorded(collection, s.database.clock.closed())) return {};
    if (TRY(s.sweep(collection, SIZE_MAX)) == 0) ++lost_races;
  }
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

std::uint64_t Sweeper::batch_count() {
  const std::lock_guard lock(state_->mutex);
  return state_->counters.batches;
}

void Sweeper::add_existing(CollectionId collection) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->not_visited.insert(collection);
  }
  look_again(collection);
}

void Sweeper::look_again(CollectionId collection) {
  const std::lock_guard lock(state_->mutex);
  state_->due.set(collection, Instant::beginning());
  state_->scheduled[collection] = Instant::beginning();
  state_->own_ends_in_trash.erase(collection);
  // Expired documents stay expired, so positions in the queues of living documents stay valid.
  if (const auto found = state_->positions.find(collection); found != state_->positions.end()) {
    for (std::size_t i = published_queues.size(); i < all_queues.size(); ++i)
      found->second[i].clear();
  }
  state_->job.wake();
}

void Sweeper::forget_collection(CollectionId collection) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->due.erase(collection);
    state_->scheduled.erase(collection);
    state_->positions.erase(collection);
    state_->own_ends_in_trash.erase(collection);
    state_->not_visited.erase(collection);
    state_->note_success(collection);
  }
  state_->database.watermarks.forget(collection);
  state_->database.needed_ends.forget(collection);
  state_->compactor.forget(collection);
}

bool Sweeper::has_published(CollectionId collection, BytesView queue_row) {
  return Watermarks::covers(state_->database.watermarks.of(collection), queue_row);
}

Instant Sweeper::recorded_through(CollectionId collection) {
  const Instant now = state_->database.clock.closed();
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->due.find(collection);
  return found ? std::min(*found, now) : now;
}

Database::State& Sweeper::of_database() {
  return state_->database;
}

SweeperState Sweeper::state() {
  const Instant now = state_->database.clock.closed();
  const std::lock_guard lock(state_->mutex);
  SweeperState copy = state_->counters;
  copy.is_paused = state_->is_paused;
  copy.left_to_compaction = state_->compactor.left();
  copy.failing_collections = state_->failing.size();
  for (const auto& [end, id] : state_->due.in_order()) {
    // A collection that has not been visited yet may have something to record, so it counts.
    if (end <= now) ++copy.overdue_collections;
    if (end != Instant::beginning()) copy.next_due = std::min(copy.next_due, end);
    if (end > now) break;
  }
  return copy;
}

}  // namespace mayfly
