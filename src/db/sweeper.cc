#include "db/sweeper.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/limits.h"
#include "db/database_state.h"
#include "db/keys.h"

namespace mayfly {
namespace {

constexpr std::array all_queues{keys::Queue::at, keys::Queue::after, keys::Queue::inherit,
                                keys::Queue::trash};

// One end that has come, as its queue row tells it.
struct Due {
  Instant turn;
  Instant end;
  Bytes row;
  store::Version row_version;
  keys::Queue queue;
  Bytes key;
  Version version;
};

// The first rows of each queue, and where to look next time.
struct Ends {
  std::vector<Due> due;  // in the order of their turns
  Instant next = Instant::never();
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
  Result<void> add(const Collection& collection, const Due& due, const store::Row& head,
                   store::CommitBatch& batch, Instant at, std::uint32_t& number);
  void remember(const Collection& collection, const std::vector<Due>& due);
  void rest(std::unique_lock<std::mutex>& lock);
};

namespace {

void read_queue(const Collection& collection, keys::Queue queue, const store::Page& page,
                Instant now, Ends& ends) {
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const store::Row row = page.rows[i];
    const auto entry = keys::decode_queue(row.key);
    if (!entry) continue;
    const Version version = version_in_queue(*entry, row);
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
  const std::size_t batch_max = std::min(ends_max, limits::sweep_batch_max);
  if (ends.due.size() > batch_max) {
    ends.next = std::min(ends.next, ends.due[batch_max].turn);
    ends.due.resize(batch_max);
  }
  Instant next = ends.next;
  std::size_t recorded = 0;
  if (!ends.due.empty()) {
    auto committed = commit(collection, ends.due, since);
    if (committed) {
      recorded = ends.due.size();
      remember(*collection, ends.due);
    } else if (committed.error().code == Code::contended) {
      next = now;
    } else {
      return tl::unexpected(std::move(committed).error());
    }
  }
  const std::lock_guard lock(mutex);
  const auto newer = noted.find(id);
  due[id] = newer == noted.end() ? next : std::min(next, newer->second);
  return recorded;
}

Result<void> Sweeper::State::commit(const CollectionPtr& collection, const std::vector<Due>& due,
                                    store::Version since) {
  store::ReadBatch heads;
  for (const Due& d : due) heads.gets.push_back(keys::head(collection->id, d.key));
  const store::ReadReply reply = TRY(database.store->read(heads, nullptr));
  TRY(database.commit_alone([&](Instant at) -> Result<void> {
    if (database.current()->collection(collection->id) != collection) {
      return fail(Code::contended, "the collection has been changed meanwhile");
    }
    store::CommitBatch batch{.version = records::to_version(at), .since = since};
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < due.size(); ++i) {
      batch.points.push_back({due[i].row, due[i].row_version});
      batch.points.push_back({heads.gets[i], reply.gets[i].version});
      TRY(add(*collection, due[i], reply.gets[i], batch, at, number));
    }
    TRY(database.store->commit(batch));
    database.feed->note(collection->id);
    return {};
  }));
  return {};
}

Result<void> Sweeper::State::add(const Collection& collection, const Due& due,
                                 const store::Row& head, store::CommitBatch& batch, Instant at,
                                 std::uint32_t& number) {
  batch.removals.push_back(due.row);
  const bool is_trash = due.queue == keys::Queue::trash;
  // Who died before anybody was to be told is not told of, however late his row is met.
  const Keeping& feed = collection.policy.feed;
  if (feed.span > Span{0} && due.turn > feed.since) {
    const auto kind = is_trash ? Event::Kind::forgotten : Event::Kind::expired;
    const Instant version_at = is_trash ? due.version.removed_at : due.version.written_at;
    Bytes event;
    encode_event(kind, due.key, version_at, is_trash ? Instant::never() : due.end, event);
    batch.puts.push_back({keys::feed(collection.id, at, number++), std::move(event)});
  }
  if (is_trash) {
    batch.removals.push_back(keys::trash(collection.id, due.key, due.version.removed_at));
    return {};
  }
  // Another version may stand there by now; and what history keeps is left to compaction.
  if (head.version != due.row_version || collection.policy.history.span > Span{0}) return {};
  const Document document = TRY(records::head_document(head, collection.policy, nullptr));
  batch.removals.push_back(Bytes(head.key));
  for (Bytes& row : old_entries_of(collection, document)) batch.removals.push_back(std::move(row));
  return {};
}

void Sweeper::State::remember(const Collection& collection, const std::vector<Due>& recorded) {
  const std::lock_guard lock(mutex);
  auto& from = marks[collection.id];
  for (const Due& d : recorded) {
    const auto queue = std::find(all_queues.begin(), all_queues.end(), d.queue);
    Bytes& mark = from[static_cast<std::size_t>(queue - all_queues.begin())];
    mark = std::max(mark, d.row);
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

void Sweeper::note(CollectionId collection, Instant end) {
  const std::lock_guard lock(state_->mutex);
  const auto earlier = [&](std::unordered_map<CollectionId, Instant>& ends) {
    const auto [entry, is_new] = ends.try_emplace(collection, end);
    if (!is_new && entry->second <= end) return false;
    entry->second = end;
    return true;
  };
  earlier(state_->noted);
  if (earlier(state_->due)) state_->changed.notify_all();
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
  if (state_->thread.joinable()) state_->thread.join();
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
  told.gives_way = state_->gives_way;
  for (const auto& [id, end] : state_->due) {
    if (end == Instant::beginning()) continue;
    told.next_due = std::min(told.next_due, end);
    if (end <= now) ++told.overdue_collections;
  }
  return told;
}

}  // namespace mayfly
