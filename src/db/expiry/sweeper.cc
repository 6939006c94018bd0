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

constexpr int settle_races_max = 100'000;  // far more than writers can win in a row

}  // namespace

// Records up to `ends_max` ends of one collection in one commit, and schedules the next one.
Result<std::size_t> Sweeper::State::sweep(CollectionId id, std::size_t ends_max) {
  // Read `now` first: then no row that has come by it can be written or changed any more, and each
  // has been scheduled.
  const Instant now = database.clock.closed();
  const Instant own_end_in_trash = begin_pass(id);
  const CollectionPtr collection = database.current()->any_collection(id);
  if (!collection) {
    const std::lock_guard lock(mutex);
    due.erase(id);
    own_ends_in_trash.erase(id);
    note_success(id);
    return 0;
  }
  const store::Version since = database.store->applied();
  const QueuePlaces from = TRY(begin_of(*collection, now));
  Ends ends = TRY(read_ends(*database.store, *collection, from, own_end_in_trash, now));
  const Instant next_own_end = ends.own_end_in_trash;
  if (!ends.held.empty()) pass(id, keys::Queue::trash, ends.held);
  take_front(ends, std::min(ends_max, limits::sweep_batch_max));
  pass_over_useless(*collection, ends.due);
  std::size_t recorded =
      is_silent(collection->policy) ? skip_unpublished(*collection, ends.due) : 0;
  const Needed needed = TRY(read_needed(*database.store, *collection, ends.due));
  take_front(ends, needed.served);
  Instant next = ends.next;
  if (!ends.due.empty()) {
    KILL_POINT("sweep.found");
    auto committed = commit(collection, ends.due, needed.rows, now, since);
    if (committed) {
      KILL_POINT("sweep.committed");
      recorded += ends.due.size();
      remember(*collection, ends.due, *committed);
      KILL_POINT("sweep.remembered");
    } else if (committed.error().code == Code::contended) {
      // No later than ends that are still to be recorded: the past is folded up to there.
      next = std::min(next, ends.due.front().turn);
    } else {
      return tl::unexpected(std::move(committed).error());
    }
  }
  if (recorded > 0 && is_logged(LogLevel::debug)) {
    log(LogLevel::debug, "ends were recorded",
        {{"collection", collection->name}, {"ends", std::uint64_t{recorded}}});
  }
  if (next > now) TRY(compactor.ask(id));
  const std::lock_guard lock(mutex);
  note_success(id);
  if (const auto known = own_ends_in_trash.find(id); known != own_ends_in_trash.end()) {
    known->second = next_own_end;
  }
  const auto newer = noted.find(id);
  due.set(id, newer == noted.end() ? next : std::min(next, newer->second));
  return recorded;
}

// From here on, a commit that adds an end adds it to `noted`; until the pass is over, the due time
// stays. Returns an instant before which no own end in the trash comes.
Instant Sweeper::State::begin_pass(CollectionId id) {
  const std::lock_guard lock(mutex);
  Instant& earliest = own_ends_in_trash.try_emplace(id, Instant::beginning()).first->second;
  if (const auto added = noted.find(id); added != noted.end()) {
    earliest = std::min(earliest, added->second);
    noted.erase(added);
  }
  return earliest;
}

// The positions from which the queues have not been read yet.
Result<QueuePlaces> Sweeper::State::begin_of(const Collection& collection, Instant now) {
  TRY(meet(collection, now));
  const Watermarks::Rows told = database.watermarks.of(collection.id);
  const bool goes_on = is_silent(collection.policy);
  const std::lock_guard lock(mutex);
  QueuePlaces from = passed[collection.id];
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    if (!goes_on) from[i].clear();
    if (!told[i].empty()) from[i] = std::max(from[i], told[i] + '\0');
  }
  return from;
}

// First visit after a start: skips ends that have been published, and expirations that were not to
// be published. Rows of them that still exist are left to compaction.
Result<void> Sweeper::State::meet(const Collection& collection, Instant now) {
  {
    const std::lock_guard lock(mutex);
    if (unmet.erase(collection.id) == 0) return {};
  }
  const Watermarks::Rows told = database.watermarks.of(collection.id);
  Watermarks::Rows dead;
  if (is_silent(collection.policy)) dead = watermarks_behind_expired(collection, now);
  for (std::size_t i = 0; i < published_queues.size(); ++i) {
    const Bytes begin = keys::queue(collection.id, published_queues[i]);
    if (!dead[i].empty()) pass(collection.id, published_queues[i], dead[i]);
    const Bytes end = std::max({begin, told[i] + '\0', dead[i]});
    compactor.leave(collection.id, TRY(database.store->estimate(begin, end)));
  }
  return {};
}

// Takes expirations that are not published out of `due`: readers skip expired documents anyway, and
// compacting once is cheaper than removing each row.
std::size_t Sweeper::State::skip_unpublished(const Collection& collection, std::vector<Due>& due) {
  std::vector<Due> of_trash;
  if (std::ranges::any_of(due, &Due::is_of_trash)) {
    const auto first_dead =
        std::stable_partition(due.begin(), due.end(), [](const Due& d) { return d.is_of_trash(); });
    of_trash.assign(std::make_move_iterator(due.begin()), std::make_move_iterator(first_dead));
    due.erase(due.begin(), first_dead);
  }
  const std::size_t dead = due.size();
  if (dead > 0) remember(collection, due, 0);
  due = std::move(of_trash);
  return dead;
}

// Skips the row of an own end that comes no earlier than the end of the time in the trash: the row
// of that time records the end. Compaction drops the skipped row.
void Sweeper::State::pass_over_useless(const Collection& collection, std::vector<Due>& due) {
  const auto is_useless = [&](const Due& d) {
    if (!d.is_own_end_in_trash()) return false;
    const Version in_trash{.lifetime = Never{}, .removed_at = d.version.removed_at};
    return forgettable_at(in_trash, collection.policy) <= d.turn;
  };
  // Not past a row that the commit may still fail to record.
  std::array<bool, all_queues.size()> has_other{};
  for (const Due& d : due) {
    bool& stops = has_other[place_of(d.queue)];
    stops = stops || !is_useless(d);
    if (!stops) pass(collection.id, d.queue, d.row);
  }
  std::erase_if(due, is_useless);
}

// The batch is made before the commit mutex is taken: this thread has a low priority, and other
// commits wait for the holder of the mutex. Returns how many documents have left the trash.
Result<std::size_t> Sweeper::State::commit(const CollectionPtr& collection,
                                           const std::vector<Due>& due, const store::Rows& found,
                                           Instant now, store::Version since) {
  std::vector<ScheduledEnd> ends;
  Recorded told = TRY(record_ends(*collection, due, found, now, ends));
  told.batch.since = since;
  told.batch.space = store::CommitBatch::Space::less;
  TRY(database.committer.run([&](Instant at) -> Result<void> {
    if (database.current()->any_collection(collection->id) != collection) {
      return fail(Code::contended, "the collection has been changed meanwhile");
    }
    told.commit_at(at);
    told.batch.points.push_back({keys::collection(collection->id), collection->row_version});
    database.watermarks.put(collection->id, told.marks, told.batch);
    TRY(database.committer.apply(told.batch, Shown::no, {{collection.get(), told.purged}}));
    database.watermarks.advance(collection->id, told.marks, told.batch.version);
    database.feed->note(collection->id);
    return {};
  }));
  for (const ScheduledEnd& noted : ends) note(noted);
  return told.out_of_trash;
}

// From now on, rows up to this one are skipped.
void Sweeper::State::pass(CollectionId id, keys::Queue queue, const Bytes& row) {
  const std::lock_guard lock(mutex);
  // A document of the trash may have been released since it was read.
  if (place_of(queue) >= published_queues.size() && noted.contains(id)) return;
  Bytes& place = passed[id][place_of(queue)];
  place = std::max(place, row + '\0');
}

void Sweeper::State::remember(const Collection& collection, const std::vector<Due>& recorded,
                              std::size_t out_of_trash) {
  std::size_t of_trash = 0;
  std::size_t left = 0;
  std::array<const Due*, all_queues.size()> last{};
  for (const Due& d : recorded) {
    of_trash += d.is_of_trash() ? 1 : 0;
    left += is_only_told(collection, d) ? 1 : 0;
    last[place_of(d.queue)] = &d;
  }
  for (const Due* d : last) {
    if (d != nullptr) pass(collection.id, d->queue, d->row);
  }
  compactor.leave(collection.id, left);
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
  return state_->run(ends_max, State::Tries::all);
}

// A collection whose ends cannot be recorded is left out for the rest of the run and delays no
// other. Fails with the first error.
Result<std::size_t> Sweeper::State::run(std::size_t ends_max, Tries tries) {
  Result<void> outcome;
  if (tries == Tries::all) {
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
      first = first_due(tries, left_out);
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
    if (*swept == 0 && ++lost_races > settle_races_max) break;
  }
  const std::lock_guard lock(mutex);
  counters.swept_at = database.clock.latest();
  if (!outcome) return tl::unexpected(outcome.error());
  return recorded;
}

// The earliest known end, among the collections that are not left out.
DueTimes::Entry Sweeper::State::first_due(Tries tries,
                                          const std::set<CollectionId>& left_out) const {
  const Instant now = monotonic_now();
  for (const DueTimes::Entry& entry : due.in_order()) {
    if (left_out.contains(entry.second)) continue;
    if (tries == Tries::unless_resting && failing.retry_at(entry.second) > now) continue;
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

void Sweeper::State::note(const ScheduledEnd& noted_end) {
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = noted.try_emplace(noted_end.collection, noted_end.end);
  if (!is_new) entry->second = std::min(entry->second, noted_end.end);
  if (due.note(noted_end.collection, noted_end.end)) job.due_by(noted_end.end);
}

void Sweeper::note(CollectionId collection, Instant end) {
  state_->note({collection, end});
}

bool Sweeper::has_recorded(CollectionId collection, Instant t) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->due.find(collection);
  return !found || *found > t;
}

Result<void> Sweeper::settle(CollectionId collection) {
  State& s = *state_;
  if (NoWait::refuses()) return fail(Code::contended, "deaths are still to be recorded");
  const std::lock_guard pass(s.pass_mutex);
  for (int lost_races = 0; lost_races < settle_races_max;) {
    if (has_recorded(collection, s.database.clock.closed())) return {};
    if (TRY(s.sweep(collection, SIZE_MAX)) == 0) ++lost_races;
  }
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

std::uint64_t Sweeper::passes() {
  const std::lock_guard lock(state_->mutex);
  return state_->counters.batches;
}

void Sweeper::take_up(CollectionId collection) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->unmet.insert(collection);
  }
  look_again(collection);
}

void Sweeper::look_again(CollectionId collection) {
  const std::lock_guard lock(state_->mutex);
  state_->due.set(collection, Instant::beginning());
  state_->noted[collection] = Instant::beginning();
  state_->own_ends_in_trash.erase(collection);
  // Expired documents stay expired, so positions in the queues of living documents stay valid.
  if (const auto found = state_->passed.find(collection); found != state_->passed.end()) {
    for (std::size_t i = published_queues.size(); i < all_queues.size(); ++i)
      found->second[i].clear();
  }
  state_->job.wake();
}

void Sweeper::forget_collection(CollectionId collection) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->due.erase(collection);
    state_->noted.erase(collection);
    state_->passed.erase(collection);
    state_->own_ends_in_trash.erase(collection);
    state_->unmet.erase(collection);
    state_->note_success(collection);
  }
  state_->database.watermarks.forget(collection);
  state_->compactor.forget(collection);
}

bool Sweeper::has_told(CollectionId collection, BytesView queue_row) {
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
  SweeperState told = state_->counters;
  told.is_paused = state_->is_paused;
  told.left_to_compaction = state_->compactor.left();
  told.failing_collections = state_->failing.size();
  for (const auto& [end, id] : state_->due.in_order()) {
    // A collection that has not been visited yet may have something to record, so it counts.
    if (end <= now) ++told.overdue_collections;
    if (end != Instant::beginning()) told.next_due = std::min(told.next_due, end);
    if (end > now) break;
  }
  return told;
}

}  // namespace mayfly
