#include "db/sweeper.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "base/kill_point.h"
#include "base/limits.h"
#include "db/database_state.h"
#include "db/keys.h"
#include "db/record_ends.h"

namespace mayfly {
namespace {

constexpr std::uint64_t least_dead_share = 5;  // one row in so many, for a compaction to pay
constexpr int settle_races_max = 100'000;      // far more than writers can win in a row
constexpr std::array all_queues{keys::Queue::at, keys::Queue::after, keys::Queue::inherit,
                                keys::Queue::trash};

// The first rows of each queue, and where to look next time.
struct Ends {
  std::vector<Due> due;  // in the order of their turns
  Instant next = Instant::never();
  Bytes held;  // the last of the held documents that the trash's queue begins with
};

}  // namespace

struct Sweeper::State {
  Database::State& database;

  std::mutex pass_mutex;  // one pass at a time

  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::unordered_map<CollectionId, Instant> due;
  std::unordered_map<CollectionId, Instant> noted;  // since the pass under way began
  // Rows before these have been swept: looking from here does not walk over what was removed. By
  // queue.
  std::unordered_map<CollectionId, std::array<Bytes, all_queues.size()>> marks;
  bool is_paused = false;
  bool is_stopping = false;
  bool gives_way = false;
  SweeperState counters;
  std::thread thread;
  std::unordered_map<CollectionId, std::uint64_t> left;  // dead documents left to compaction
  std::set<CollectionId> to_compact;
  std::thread compactor;

  explicit State(Database::State& d) : database(d) {}

  Instant earliest() const {
    Instant first = Instant::never();
    for (const auto& [id, end] : due) first = std::min(first, end);
    return first;
  }

  Result<Ends> read_ends(const Collection& collection, Instant now);
  Result<std::size_t> sweep(CollectionId id, std::size_t ends_max);
  Result<void> commit(const CollectionPtr& collection, const std::vector<Due>& due,
                      store::Version since);
  void remember(const Collection& collection, const std::vector<Due>& due);
  void pass(const Collection& collection, keys::Queue queue, const Bytes& row);
  void note(const NotedEnd& noted);
  std::size_t leave_to_compaction(const Collection& collection, std::vector<Due>& due);
  Result<void> ask_for_compaction(CollectionId id);
  void compact_until_stopped();
  void rest(std::unique_lock<std::mutex>& lock);
};

namespace {

void read_queue(const Collection& collection, keys::Queue queue, const store::Page& page,
                Instant now, Ends& ends) {
  bool is_front = true;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const store::Row row = page.rows[i];
    const auto entry = keys::decode_queue(row.key);
    if (!entry) continue;
    const Version version = version_in_queue(*entry, row);
    if (version.is_held) {
      // Whoever releases it makes the sweeper look from the start.
      if (is_front) ends.held = Bytes(row.key);
      continue;
    }
    is_front = false;
    const Instant end = version.is_removed() ? forgettable_at(version, collection.policy)
                                             : death_of(version, collection.policy);
    // Dead when it was written: its turn comes at its writing.
    const Instant turn = version.is_removed() ? end : std::max(end, version.written_at);
    if (end > now) {
      // Every row behind it ends later.
      ends.next = std::min(ends.next, end);
      return;
    }
    ends.due.push_back({turn, end, Bytes(row.key), row.version, queue, Bytes(entry->key), version});
  }
  if (page.next) ends.next = std::min(ends.next, now);
}

}  // namespace

Result<Ends> Sweeper::State::read_ends(const Collection& collection, Instant now) {
  store::ReadBatch batch;
  {
    const std::lock_guard lock(mutex);
    auto& from = marks[collection.id];
    for (std::size_t i = 0; i < all_queues.size(); ++i) {
      const Bytes prefix = keys::queue(collection.id, all_queues[i]);
      batch.scans.push_back({.lo = from[i].empty() ? prefix : from[i],
                             .hi = after_prefix(prefix),
                             .rows_max = limits::sweep_batch_max});
    }
  }
  const store::ReadReply reply = TRY(database.store->read(batch, nullptr));
  Ends ends;
  for (std::size_t i = 0; i < all_queues.size(); ++i) {
    read_queue(collection, all_queues[i], reply.scans[i], now, ends);
  }
  // Within a queue this is the order of its rows, so that what a batch takes is the front of each.
  std::sort(ends.due.begin(), ends.due.end(), [](const Due& a, const Due& b) {
    return std::tie(a.turn, a.queue, a.row) < std::tie(b.turn, b.queue, b.row);
  });
  return ends;
}

// Records up to `ends_max` ends of one collection in one commit, and notes when the next one comes.
Result<std::size_t> Sweeper::State::sweep(CollectionId id, std::size_t ends_max) {
  {
    // A commit that adds an end from here on notes it; until the pass is over, what was due stays
    // so.
    const std::lock_guard lock(mutex);
    noted.erase(id);
  }
  const CollectionPtr collection = database.current()->collection(id);
  if (!collection) {
    const std::lock_guard lock(mutex);
    due.erase(id);
    return 0;
  }
  const Instant now = database.clock.read();
  const store::Version since = database.store->applied();
  Ends ends = TRY(read_ends(*collection, now));
  if (!ends.held.empty()) pass(*collection, keys::Queue::trash, ends.held);
  const std::size_t left_behind =
      ends.due.size() <= ends_max ? leave_to_compaction(*collection, ends.due) : 0;
  const std::size_t batch_max = std::min(ends_max, limits::sweep_batch_max);
  if (ends.due.size() > batch_max) {
    ends.next = std::min(ends.next, ends.due[batch_max].turn);
    ends.due.resize(batch_max);
  }
  Instant next = ends.next;
  std::size_t recorded = left_behind;
  if (!ends.due.empty()) {
    KILL_POINT("sweep.found");
    auto committed = commit(collection, ends.due, since);
    if (committed) {
      KILL_POINT("sweep.committed");
      recorded += ends.due.size();
      remember(*collection, ends.due);
      KILL_POINT("sweep.remembered");
    } else if (committed.error().code == Code::contended) {
      next = now;
    } else {
      return tl::unexpected(std::move(committed).error());
    }
  }
  if (next > now) TRY(ask_for_compaction(id));
  const std::lock_guard lock(mutex);
  const auto newer = noted.find(id);
  due[id] = newer == noted.end() ? next : std::min(next, newer->second);
  return recorded;
}

// A full page of deaths that nobody is to be told of is a storm: whoever looks skips the dead, and
// to rewrite the living beside them once is cheaper than to remove each. Takes them out of `due`.
std::size_t Sweeper::State::leave_to_compaction(const Collection& collection,
                                                std::vector<Due>& due) {
  const Policy& policy = collection.policy;
  if (policy.tells_of_ends() || !policy.dead_to_trash_since.is_never()) return 0;
  if (due.size() < limits::sweep_batch_max) return 0;
  const auto first_left =
      std::stable_partition(due.begin(), due.end(), [](const Due& d) { return d.is_of_trash(); });
  const std::vector<Due> dead(std::make_move_iterator(first_left),
                              std::make_move_iterator(due.end()));
  due.erase(first_left, due.end());
  remember(collection, dead);
  const std::lock_guard lock(mutex);
  left[collection.id] += dead.size();
  return dead.size();
}

// Compaction pays where a good part of what it reads is dead.
Result<void> Sweeper::State::ask_for_compaction(CollectionId id) {
  std::uint64_t dead = 0;
  {
    const std::lock_guard lock(mutex);
    const auto found = left.find(id);
    dead = found == left.end() ? 0 : found->second;
  }
  if (dead < limits::dead_rows_before_compaction) return {};
  const Bytes heads = keys::table(keys::Table::head, id);
  const std::uint64_t all = TRY(database.store->estimate(heads, after_prefix(heads)));
  if (dead < all / least_dead_share) return {};
  const std::lock_guard lock(mutex);
  to_compact.insert(id);
  changed.notify_all();
  return {};
}

// The work of a thread of its own: sweeping goes on beside it.
void Sweeper::State::compact_until_stopped() {
  std::unique_lock lock(mutex);
  while (!is_stopping) {
    if (to_compact.empty()) {
      changed.wait(lock);
      continue;
    }
    const CollectionId id = *to_compact.begin();
    to_compact.erase(to_compact.begin());
    const std::uint64_t dead = left[id];
    lock.unlock();
    bool is_done = true;
    for (const keys::Table table : {keys::Table::head, keys::Table::index, keys::Table::queue}) {
      const Bytes lo = keys::table(table, id);
      is_done = is_done && database.store->compact(lo, after_prefix(lo)).has_value();
    }
    lock.lock();
    // What failed is left to the compactions that come anyway.
    left[id] -= std::min(left[id], is_done ? dead : 0);
  }
}

Result<void> Sweeper::State::commit(const CollectionPtr& collection, const std::vector<Due>& due,
                                    store::Version since) {
  const store::ReadBatch wanted = rows_to_read(*collection, due);
  const store::Rows found = std::move(TRY(database.store->read(wanted, nullptr)).gets);
  std::vector<NotedEnd> ends;
  TRY(database.commit_alone([&](Instant at) -> Result<void> {
    if (database.current()->collection(collection->id) != collection) {
      return fail(Code::contended, "the collection has been changed meanwhile");
    }
    Recorded told = TRY(record_ends(*collection, due, found, at, ends));
    told.batch.since = since;
    told.batch.space = store::CommitBatch::Space::less;
    TRY(database.commit_purging(*collection, at, told.purged, told.batch));
    database.feed->note(collection->id);
    return {};
  }));
  for (const NotedEnd& noted : ends) note(noted);
  return {};
}

// From here on, rows up to this one are walked over no more.
void Sweeper::State::pass(const Collection& collection, keys::Queue queue, const Bytes& row) {
  const auto place = std::find(all_queues.begin(), all_queues.end(), queue);
  const std::lock_guard lock(mutex);
  Bytes& mark = marks[collection.id][static_cast<std::size_t>(place - all_queues.begin())];
  mark = std::max(mark, row + '\0');
}

void Sweeper::State::remember(const Collection& collection, const std::vector<Due>& recorded) {
  const std::lock_guard lock(mutex);
  auto& from = marks[collection.id];
  for (const Due& d : recorded) {
    const auto queue = std::find(all_queues.begin(), all_queues.end(), d.queue);
    Bytes& mark = from[static_cast<std::size_t>(queue - all_queues.begin())];
    mark = std::max(mark, d.row + '\0');
    ++(d.queue == keys::Queue::trash ? counters.trash_purged : counters.expired);
  }
  ++counters.batches;
}

// The foreground has more than it can do.
void Sweeper::State::rest(std::unique_lock<std::mutex>& lock) {
  changed.wait_for(lock, std::chrono::microseconds(limits::sweep_rest_overloaded.micros),
                   [this] { return is_stopping || !gives_way; });
}

Sweeper::Sweeper(Database& database) : state_(std::make_unique<State>(*database.state_)) {}
Sweeper::~Sweeper() {
  stop();
}

Result<std::size_t> Sweeper::run_due(std::size_t ends_max) {
  State& s = *state_;
  const std::lock_guard pass(s.pass_mutex);
  std::size_t recorded = 0;
  int lost_races = 0;
  while (recorded < ends_max) {
    const Instant now = s.database.clock.read();
    CollectionId first = 0;
    Instant earliest = Instant::never();
    {
      const std::lock_guard lock(s.mutex);
      for (const auto& [id, end] : s.due) {
        if (end < earliest) std::tie(first, earliest) = std::tie(id, end);
      }
    }
    if (earliest > now) break;
    const std::size_t swept = TRY(s.sweep(first, ends_max - recorded));
    recorded += swept;
    // Under writers that keep winning, the next pass goes on.
    if (swept == 0 && ++lost_races > 100'000) break;
  }
  const std::lock_guard lock(s.mutex);
  s.counters.swept_at = s.database.clock.latest();
  return recorded;
}

void Sweeper::State::note(const NotedEnd& noted_end) {
  const std::lock_guard lock(mutex);
  const auto earlier = [&](std::unordered_map<CollectionId, Instant>& ends) {
    const auto [entry, is_new] = ends.try_emplace(noted_end.collection, noted_end.end);
    if (!is_new && entry->second <= noted_end.end) return false;
    entry->second = noted_end.end;
    return true;
  };
  earlier(noted);
  if (earlier(due)) changed.notify_all();
}

void Sweeper::note(CollectionId collection, Instant end) {
  state_->note({collection, end});
}

bool Sweeper::has_recorded(CollectionId collection, Instant t) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->due.find(collection);
  return found == state_->due.end() || found->second > t;
}

Result<void> Sweeper::settle(CollectionId collection) {
  State& s = *state_;
  const std::lock_guard pass(s.pass_mutex);
  for (int lost_races = 0; lost_races < settle_races_max;) {
    if (has_recorded(collection, s.database.clock.read())) return {};
    if (TRY(s.sweep(collection, SIZE_MAX)) == 0) ++lost_races;
  }
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

std::uint64_t Sweeper::passes() {
  const std::lock_guard lock(state_->mutex);
  return state_->counters.batches;
}

void Sweeper::look_again(CollectionId collection) {
  const std::lock_guard lock(state_->mutex);
  state_->due[collection] = Instant::beginning();
  state_->noted[collection] = Instant::beginning();
  state_->marks.erase(collection);
  state_->changed.notify_all();
}

void Sweeper::forget_collection(CollectionId collection) {
  const std::lock_guard lock(state_->mutex);
  state_->due.erase(collection);
  state_->marks.erase(collection);
  state_->left.erase(collection);
}

Instant Sweeper::recorded_through(CollectionId collection) {
  const Instant now = state_->database.clock.read();
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->due.find(collection);
  return found == state_->due.end() ? now : std::min(found->second, now);
}

void Sweeper::start() {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (s.thread.joinable()) return;
  s.is_stopping = false;
  s.compactor = std::thread([&s] { s.compact_until_stopped(); });
  s.thread = std::thread([&s, this] {
    std::unique_lock lock(s.mutex);
    while (!s.is_stopping) {
      const Instant now = s.database.clock.read();
      const Instant next = s.earliest();
      if (!s.is_paused && next <= now) {
        lock.unlock();
        const Instant began = monotonic_now();
        const std::uint64_t foreground = s.database.foreground.load(std::memory_order_relaxed);
        const bool failed = !run_due(limits::sweep_batch_max);
        const Span took = monotonic_now() - began;
        const bool is_busy = s.database.foreground.load(std::memory_order_relaxed) != foreground;
        lock.lock();
        // Where others are at work it takes no more than half of the time.
        const Span rest = failed ? Span::seconds(1) : is_busy ? took : Span{0};
        s.changed.wait_for(lock, std::chrono::microseconds(rest.micros),
                           [&s] { return s.is_stopping; });
        if (s.gives_way) s.rest(lock);
        continue;
      }
      // On a virtual clock only whoever moves it can make an end come.
      const Span wait = s.is_paused || next.is_never() || s.database.is_virtual
                            ? Span::seconds(3'600)
                            : std::min(next - now, Span::seconds(3'600));
      s.changed.wait_for(lock, std::chrono::microseconds(wait.micros));
    }
  });
}

void Sweeper::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
    state_->changed.notify_all();
  }
  if (!state_->thread.joinable()) return;
  state_->thread.join();
  state_->database.store->interrupt_compaction();
  state_->compactor.join();
}

void Sweeper::pause() {
  const std::lock_guard lock(state_->mutex);
  state_->is_paused = true;
}

void Sweeper::resume() {
  const std::lock_guard lock(state_->mutex);
  state_->is_paused = false;
  state_->changed.notify_all();
}

void Sweeper::give_way(bool gives_way) {
  const std::lock_guard lock(state_->mutex);
  state_->gives_way = gives_way;
  if (!gives_way) state_->changed.notify_all();
}

void Sweeper::wake() {
  const std::lock_guard lock(state_->mutex);
  state_->changed.notify_all();
}

SweeperState Sweeper::state() {
  const Instant now = state_->database.clock.read();
  const std::lock_guard lock(state_->mutex);
  SweeperState told = state_->counters;
  told.is_paused = state_->is_paused;
  for (const auto& [id, dead] : state_->left) told.left_to_compaction += dead;
  told.gives_way = state_->gives_way;
  for (const auto& [id, end] : state_->due) {
    // Where it has not looked yet there may be something to record: so it counts.
    if (end <= now) ++told.overdue_collections;
    if (end != Instant::beginning()) told.next_due = std::min(told.next_due, end);
  }
  return told;
}

}  // namespace mayfly
