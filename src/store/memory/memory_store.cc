#include "store/memory/memory_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/check.h"
#include "store/batch.h"

namespace mayfly::store {
namespace {

// One state of one row. Without a value, the row is absent from this version on.
struct State {
  Version version = 0;
  std::optional<Bytes> value;
};
using History = std::vector<State>;  // ascending by version, never empty

const State* state_at(const History& history, Version at) {
  const State* found = nullptr;
  for (const State& state : history) {
    if (state.version > at) break;
    found = &state;
  }
  return found && found->value ? found : nullptr;
}

// The rows, and the open snapshots that need old versions. Snapshots share it, so they may outlive
// the store.
struct SharedRows {
  std::mutex mutex;
  std::map<Bytes, History, std::less<>> rows;
  std::set<Bytes> stale;             // keys with states that only snapshots need
  std::multiset<Version> snapshots;  // the versions of the open ones
  Version applied = 0;
  std::uint64_t commits = 0;
  std::uint64_t rows_forgotten = 0;
  std::shared_ptr<ForgetFilterMaker> forget;

  // Drops the states of a row that neither an open snapshot nor a new reader can see.
  void prune(const Bytes& key) {
    const auto row = rows.find(key);
    if (row == rows.end()) return;
    History& history = row->second;
    History kept;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const bool newest = i + 1 == history.size();
      const auto reader = snapshots.lower_bound(history[i].version);
      const bool seen = reader != snapshots.end() && !newest && *reader < history[i + 1].version;
      // An absence needs no entry if no older state is kept.
      if ((newest || seen) && (history[i].value || !kept.empty())) {
        kept.push_back(std::move(history[i]));
      }
    }
    history = std::move(kept);
    if (history.size() > 1) {
      stale.insert(key);
    } else {
      stale.erase(key);
    }
    if (history.empty()) rows.erase(row);
  }

  void release(Version version) {
    const std::lock_guard lock(mutex);
    const bool oldest = *snapshots.begin() == version;
    snapshots.erase(snapshots.find(version));
    // States that only a younger snapshot needed are pruned with the oldest snapshot. Otherwise
    // many short snapshots beside a long one would each walk the whole list.
    if (!oldest || (!snapshots.empty() && *snapshots.begin() == version)) return;
    const std::set<Bytes> keys = stale;
    for (const Bytes& key : keys) prune(key);
  }

  void append(const Bytes& key, std::optional<Bytes> value) {
    rows[key].push_back({applied, std::move(value)});
    prune(key);
  }

  auto begin_of(BytesView lo) const { return rows.lower_bound(lo); }
  auto end_of(BytesView lo, BytesView hi) const {
    return hi.empty() ? rows.end() : rows.lower_bound(std::max(lo, hi));
  }
};

class MemorySnapshot final : public Snapshot {
 public:
  MemorySnapshot(std::shared_ptr<SharedRows> shared, Version version)
      : shared_(std::move(shared)), version_(version) {}
  ~MemorySnapshot() override { shared_->release(version_); }
  Version version() const override { return version_; }

 private:
  std::shared_ptr<SharedRows> shared_;
  Version version_;
};

// Adds a row to the page, or sets `next` if the page is full.
bool add_row(Page& page, const Range& range, const Bytes& key, const State& state) {
  const bool full = !page.rows.empty() &&
                    (page.rows.size() >= range.rows_max || page.rows.bytes() >= range.bytes_max);
  if (full) {
    page.next = range.reverse ? Bytes(page.rows[page.rows.size() - 1].key) : key;
    return false;
  }
  page.rows.append(key, range.keys_only ? BytesView() : BytesView(*state.value), state.version);
  return true;
}

Page scan(const SharedRows& shared, const Range& range, Version at) {
  Page page;
  auto low = shared.begin_of(range.lo);
  auto high = shared.end_of(range.lo, range.hi);
  while (low != high) {
    const auto row = range.reverse ? --high : low++;
    const State* state = state_at(row->second, at);
    if (state && !add_row(page, range, row->first, *state)) break;
  }
  return page;
}

class MemoryStore final : public Store {
 public:
  const Limits& limits() const override { return limits_; }

  Result<ReadReply> read(const ReadBatch& batch, const Snapshot* snapshot) override {
    const std::lock_guard lock(shared_->mutex);
    const Version at = snapshot ? snapshot->version() : shared_->applied;
    ReadReply reply;
    for (const Bytes& key : batch.gets) {
      const State* state = find(key, at);
      reply.gets.append(key, state ? BytesView(*state->value) : BytesView(),
                        state ? state->version : 0);
    }
    for (const Range& range : batch.scans) reply.scans.push_back(scan(*shared_, range, at));
    return reply;
  }

  Result<Version> get(BytesView key, Bytes& value, const Snapshot* snapshot) override {
    const std::lock_guard lock(shared_->mutex);
    const State* state = find(key, snapshot ? snapshot->version() : shared_->applied);
    value = state ? *state->value : Bytes();
    return state ? state->version : 0;
  }

  SnapshotPtr snapshot() override {
    const std::lock_guard lock(shared_->mutex);
    shared_->snapshots.insert(shared_->applied);
    return std::make_shared<MemorySnapshot>(shared_, shared_->applied);
  }

  Result<void> commit(const CommitBatch& batch) override {
    TRY(fits(batch, limits_));
    const std::lock_guard lock(shared_->mutex);
    CHECK(batch.version > shared_->applied);
    if (!guards_hold(batch)) return fail(Code::contended, "a row that was read has changed");
    shared_->applied = batch.version;
    ++shared_->commits;
    for (const Bytes& key : batch.removals) shared_->append(key, std::nullopt);
    for (const Put& put : batch.puts) shared_->append(put.key, put.value);
    return {};
  }

  Version applied() const override {
    const std::lock_guard lock(shared_->mutex);
    return shared_->applied;
  }
  Version durable() const override { return applied(); }
  void sync(Version version) override { CHECK(version <= applied()); }

  Result<std::uint64_t> estimate(BytesView lo, BytesView hi) override {
    const std::lock_guard lock(shared_->mutex);
    std::uint64_t rows = 0;
    for (auto row = shared_->rows.lower_bound(lo);
         row != shared_->rows.end() && (hi.empty() || row->first < hi); ++row) {
      if (row->second.back().value) ++rows;
    }
    return rows;
  }

  Result<void> erase_range(BytesView lo, BytesView hi) override {
    const std::lock_guard lock(shared_->mutex);
    auto row = shared_->rows.lower_bound(lo);
    while (row != shared_->rows.end() && (hi.empty() || row->first < hi)) {
      shared_->stale.erase(row->first);
      row = shared_->rows.erase(row);
    }
    return {};
  }

  void set_forget(std::shared_ptr<ForgetFilterMaker> maker) override {
    const std::lock_guard lock(shared_->mutex);
    shared_->forget = std::move(maker);
  }

  void interrupt_compaction() override {}

  Result<void> compact(BytesView lo, BytesView hi) override {
    // Calls the maker without the lock, because it may read the store itself.
    const std::shared_ptr<ForgetFilterMaker> maker = forget_maker();
    const std::unique_ptr<ForgetFilter> filter = maker ? maker->make() : nullptr;
    if (!filter) return {};
    const std::lock_guard lock(shared_->mutex);
    auto row = shared_->rows.lower_bound(lo);
    while (row != shared_->rows.end() && (hi.empty() || row->first < hi)) {
      const auto next = std::next(row);
      State& newest = row->second.back();
      if (newest.value && filter->forgettable(row->first, *newest.value, newest.version)) {
        forget(row);
      }
      row = next;
    }
    return {};
  }

  Result<Backup> backup(const std::string&) override {
    return fail(Code::unsupported, "a store in memory has no backups; start with --data DIR");
  }

  Stats stats() const override {
    const std::lock_guard lock(shared_->mutex);
    Stats stats;
    for (const auto& [key, history] : shared_->rows) {
      if (history.back().value) ++stats.rows;
      for (const State& state : history) {
        stats.bytes_in_memory += key.size() + (state.value ? state.value->size() : 0);
      }
    }
    stats.commits = shared_->commits;
    stats.rows_forgotten = shared_->rows_forgotten;
    return stats;
  }

 private:
  const State* find(BytesView key, Version at) const {
    const auto row = shared_->rows.find(key);
    return row == shared_->rows.end() ? nullptr : state_at(row->second, at);
  }

  std::shared_ptr<ForgetFilterMaker> forget_maker() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->forget;
  }

  bool guards_hold(const CommitBatch& batch) const {
    for (const PointGuard& guard : batch.points) {
      const State* state = find(guard.key, shared_->applied);
      if ((state ? state->version : 0) != guard.seen) return false;
    }
    for (const RangeGuard& guard : batch.ranges) {
      std::uint64_t rows = 0;
      std::uint64_t version_sum = 0;
      const auto end = shared_->end_of(guard.lo, guard.hi);
      for (auto row = shared_->begin_of(guard.lo); row != end; ++row) {
        const State& newest = row->second.back();
        if (!newest.value) continue;
        ++rows;
        version_sum += newest.version;
      }
      if (rows != guard.rows || version_sum != guard.version_sum) return false;
    }
    return true;
  }

  // Forgets the newest state. Older ones are kept for snapshots that see them.
  void forget(std::map<Bytes, History, std::less<>>::iterator row) {
    ++shared_->rows_forgotten;
    if (row->second.size() > 1) {
      row->second.back().value.reset();
    } else {
      shared_->rows.erase(row);
    }
  }

  const Limits limits_{.compacts_in_place = true};
  const std::shared_ptr<SharedRows> shared_ = std::make_shared<SharedRows>();
};

}  // namespace

std::unique_ptr<Store> open_memory() {
  return std::make_unique<MemoryStore>();
}

}  // namespace mayfly::store
