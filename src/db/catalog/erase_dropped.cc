// Erasing the rows of dropped collections and indexes once no open view or transaction can read
// them.
#include "base/service/kill_point.h"
#include "base/service/logging.h"
#include "db/database_state.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

// Erasing may reach the disk before the log does, so the commit of the drop is made durable first:
// a loss of power must not bring back a collection or an index without its rows.
Result<void> erase(store::Store& store, const Bytes& prefix) {
  store.sync(store.applied());
  return store.erase_range(prefix, after_prefix(prefix));
}

Result<void> erase_collection(Database::State& state, CollectionId id) {
  state.sweeper->forget_collection(id);
  state.ledger->forget(id);
  KILL_POINT("drop.begun");
  for (const keys::Table table : keys::collection_tables) {
    TRY(erase(*state.store, keys::table(table, id)));
    KILL_POINT("drop.between_tables");
  }
  KILL_POINT("drop.erased");
  TRY(state.committer.run([&](Instant at) {
    state.committer.forget(id);
    store::CommitBatch batch{.version = records::to_version(at)};
    batch.removals.push_back(keys::dropped(id));
    return state.committer.apply(batch);
  }));
  return {};
}

// The row that records the drop of a collection has the version of that commit.
Result<void> erase_collections(Database::State& state, Instant horizon) {
  const Bytes prefix = keys::all_dropped();
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  for (bool more = true; more;) {
    const store::Page page =
        std::move(TRY(state.store->read({{}, {range}}, nullptr)).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      if (records::to_instant(page.rows[i].version) > horizon) {
        state.dropped.add_collections();
        continue;
      }
      TRY(erase_collection(state, Reader(page.rows[i].key.substr(prefix.size())).u32()));
    }
  }
  return {};
}

}  // namespace

Result<void> Database::erase_dropped() {
  return state_->erase_dropped();
}

Result<void> Database::State::erase_dropped() {
  if (!dropped.any()) return {};
  const std::lock_guard lock(erase_mutex);
  // A view that still reads dropped rows was opened before the commit of the drop ended.
  const Instant horizon = open_views.horizon();
  const DroppedRows::Pending pending = dropped.take();
  Result<void> done;
  for (const DroppedIndex& index : pending.indexes) {
    if (done && index.dropped_at <= horizon) {
      done = erase(*store, keys::index(index.collection, index.index));
      if (done) done = erase(*store, keys::past(index.collection, index.index));
      if (done) continue;
    }
    dropped.add_index(index);
  }
  if (done && pending.has_collections) done = erase_collections(*this, horizon);
  if (!done && pending.has_collections) dropped.add_collections();
  // It is tried again every second, and logged once.
  if (!done && !erase_has_failed) {
    log(LogLevel::error, "the rows of a dropped collection or index cannot be erased",
        {{"error", done.error().message}});
  }
  erase_has_failed = !done;
  return done;
}

void Database::State::erase_soon() {
  (void)erase_dropped();
  if (dropped.any()) sweeper->erase_later();
}

}  // namespace mayfly
