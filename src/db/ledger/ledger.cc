#include "db/ledger/ledger.h"

#include <algorithm>

#include "base/service/logging.h"
#include "db/database_state.h"
#include "db/ledger/changes.h"
#include "db/ledger/reading.h"
#include "db/ledger/state.h"
#include "db/limits.h"

namespace mayfly::ledger {
namespace {

using Slots = std::map<SlotId, std::int64_t>;

// Adds a change to the slot of each level that contains it.
void add_to(Slots& slots, const CountChange& change) {
  const std::uint8_t used = change.order == keys::EndOrder::never ? 1 : levels;
  for (std::uint8_t level = 0; level < used; ++level) {
    slots[slot_of(change.order, level, change.second)] += change.by;
  }
}

// One page of changes that are not in slots, and up to which commit they reach.
struct Pending {
  Slots slots;
  std::size_t changes = 0;
  Instant through;
  bool is_all = true;
};

Result<Pending> read_pending(View& view, CollectionId collection, Instant through) {
  const store::Range range{.lo = keys::ledger_changes(collection, Instant{through.micros + 1}),
                           .hi = after_prefix(keys::ledger_changes(collection)),
                           .rows_max = limits::ledger_rows_folded_max};
  const store::Page page = std::move(TRY(view.read({{}, {range}})).scans.front());
  Pending pending{.through = through, .is_all = !page.next};
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    if (pending.slots.size() >= limits::ledger_slots_folded_max) {
      pending.is_all = false;
      return pending;
    }
    const store::Row row = page.rows[i];
    for (const CountChange& change : TRY(decode_changes(row.value))) {
      add_to(pending.slots, change);
      ++pending.changes;
    }
    pending.through = records::to_instant(row.version);
  }
  if (pending.is_all) pending.through = view.now();
  return pending;
}

}  // namespace

void Ledger::add_jobs(Jobs& jobs) {
  folding_ = jobs.add({.name = "ledger",
                       .lane = JobLane::housekeeping,
                       .lease = "ledger",
                       .run = [this](const JobRun& run) { return run_folding(run); }});
  making_ = jobs.add({.name = "new ledgers",
                      .lane = JobLane::lengthy,
                      .lease = "new ledgers",
                      .run = [this](const JobRun& run) { return run_making(run); }});
}

void Ledger::remove_jobs() const {
  folding_.remove();
  making_.remove();
}

void Ledger::add_existing(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  to_fold_.insert(collection);
  folding_.wake();
}

void Ledger::add_pending(CollectionId collection, std::size_t changes) {
  const std::lock_guard lock(mutex_);
  std::size_t& pending = ledgers_[collection].pending;
  pending += changes;
  if (pending < limits::ledger_pending_max) return;
  if (to_fold_.insert(collection).second) folding_.wake();
}

void Ledger::forget(CollectionId collection) {
  const std::lock_guard lock(mutex_);
  ledgers_.erase(collection);
  to_fold_.erase(collection);
  to_make_.erase(collection);
}

Ledger::Through Ledger::folded(Instant horizon, store::Version durable) {
  const std::lock_guard lock(mutex_);
  Through through;
  const store::Version newest = std::min(durable, records::to_version(horizon));
  for (auto& [id, ledger] : ledgers_) {
    auto& folded = ledger.folded;
    while (folded.size() > 1 && folded[1].version <= newest) folded.pop_front();
    if (!folded.empty() && folded.front().version <= newest) {
      through.emplace(id, folded.front().through);
    }
  }
  return through;
}

void Ledger::note_folded(CollectionId collection, std::size_t changes, Folded folded) {
  const std::lock_guard lock(mutex_);
  CollectionLedger& ledger = ledgers_[collection];
  ledger.pending -= std::min(ledger.pending, changes);
  ledger.folded.push_back(folded);
  // Only the oldest and the newest of many entries matter to compaction.
  if (ledger.folded.size() > limits::ledger_foldings_known_max) {
    ledger.folded.erase(ledger.folded.begin() + 1);
  }
}

// One page of one collection, so that other jobs of the lane can run in between.
Result<NextRun> Ledger::run_folding(const JobRun& run) {
  CollectionId id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (to_fold_.empty()) return NextRun::when_woken();
    auto first = to_fold_.begin();
    if (run.gives_way()) {
      // Far behind, waiting for less load would make each count cost more.
      first = std::ranges::find_if(to_fold_, [this](CollectionId one) {
        const auto known = ledgers_.find(one);
        return known == ledgers_.end() ||  // since the start
               known->second.pending > limits::ledger_pending_without_delay;
      });
      if (first == to_fold_.end()) return NextRun::after(limits::sweep_pause_overloaded);
    }
    id = to_fold_.extract(first).value();
  }
  if (const CollectionPtr collection = database_.catalog()->any_collection(id)) {
    const auto more = fold(collection, limits::ledger_pending_max);
    if (!more) TRY(try_again(*collection, more.error()));
    if (more && *more) add_existing(id);
    if (more) TRY(drop_folded(id));
  }
  const std::lock_guard lock(mutex_);
  return to_fold_.empty() ? NextRun::when_woken() : NextRun::immediately();
}

// A lost race is tried again; slots that contradict the changes are made again.
Result<void> Ledger::try_again(const Collection& collection, const Error& error) {
  if (error.code == Code::corrupt) {
    log(LogLevel::error, "the counts of a collection are damaged and made again",
        {{"collection", collection.name}, {"error", error.message}});
    const std::lock_guard lock(mutex_);
    to_make_.insert(collection.id);
    making_.wake();
    return {};
  }
  add_existing(collection.id);
  if (error.code == Code::contended) return {};
  return tl::unexpected(error);
}

Result<bool> Ledger::fold(const CollectionPtr& collection, std::size_t changes_min) {
  View view = database_.view();
  const CollectionId id = collection->id;
  const store::Rows state = std::move(TRY(view.read({{keys::ledger_state(id)}, {}})).gets);
  const auto through =
      state[0].present() ? TRY(decode_state(state[0].value)) : std::optional<Instant>();
  if (!through) {
    const std::lock_guard lock(mutex_);
    to_make_.insert(id);
    making_.wake();
    return false;
  }
  Pending pending = TRY(read_pending(view, id, *through));
  if (pending.changes == 0 || (pending.is_all && pending.changes < changes_min)) {
    const std::lock_guard lock(mutex_);
    CollectionLedger& ledger = ledgers_[id];
    ledger.pending = pending.changes;
    if (ledger.folded.empty()) ledger.folded.push_back({state[0].version, *through});
    return false;
  }
  store::CommitBatch batch;
  TRY(put_slots(view, *collection, pending.slots, batch));
  const store::Version version =
      TRY(commit(collection, std::move(batch), state[0].version, encode_state(pending.through)));
  note_folded(id, pending.changes, Folded{version, pending.through});
  return !pending.is_all;
}

// An engine that compacts while it is written to drops these rows by itself.
Result<void> Ledger::drop_folded(CollectionId collection) {
  if (!state_.store->limits().compacts_in_place) return {};
  const Bytes changes = keys::ledger_changes(collection);
  return state_.store->compact(changes, after_prefix(changes));
}

Result<void> Ledger::fold_all() {
  const CatalogPtr catalog = database_.catalog();
  for (const auto& [id, collection] : catalog->all_collections()) {
    while (TRY(fold(collection, 1))) {
    }
    TRY(drop_folded(id));
  }
  return {};
}

// Puts the existing slots with the added changes. Slots in which all documents have expired count
// nothing any more, and compaction may have dropped them: they are left out.
Result<void> Ledger::put_slots(View& view, const Collection& collection, const Slots& added,
                               store::CommitBatch& batch) {
  std::vector<std::pair<Bytes, std::int64_t>> rows;
  store::ReadBatch reads;
  for (const auto& [slot, count] : added) {
    if (is_over(slot, earliest_living_end(slot.order, collection.policy, view.now()))) continue;
    rows.emplace_back(keys::ledger_slot(collection.id, slot.order, slot.level, slot.number), count);
    reads.gets.push_back(rows.back().first);
  }
  if (rows.empty()) return {};
  const store::Rows found = std::move(TRY(view.read(reads)).gets);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int64_t documents = rows[i].second;
    if (found[i].present()) documents += TRY(decode_slot(found[i].value));
    if (documents < 0) return fail(Code::corrupt, "a slot of a ledger of ends is too small");
    if (documents == 0) {
      batch.removals.push_back(std::move(rows[i].first));
    } else {
      batch.puts.push_back({std::move(rows[i].first), encode_slot(documents)});
    }
  }
  return {};
}

// Commits the batch with a new state of the ledger; only one server can continue from the old one.
Result<store::Version> Ledger::commit(const CollectionPtr& collection, store::CommitBatch batch,
                                      store::Version seen, const Bytes& to) {
  const Instant done = TRY(state_.committer.run([&](Instant at) -> Result<void> {
    if (!state_.current()->any_collection(collection->id)) {
      return fail(Code::contended, "the collection has been dropped meanwhile");
    }
    batch.version = records::to_version(at);
    batch.since = seen;
    batch.points.push_back({keys::ledger_state(collection->id), seen});
    batch.puts.push_back({keys::ledger_state(collection->id), to});
    return state_.committer.apply(batch, Visible::no);
  }));
  return records::to_version(done);
}

Result<NextRun> Ledger::run_making(const JobRun& run) {
  CollectionId id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (to_make_.empty()) return NextRun::when_woken();
    id = *to_make_.begin();
  }
  const auto made = make(id, [&run] { return run.must_end(); });
  const bool is_gone = !made && made.error().code == Code::not_found;
  if (!made && !is_gone) {
    if (run.must_end()) return NextRun::when_woken();
    return tl::unexpected(made.error());
  }
  const std::lock_guard lock(mutex_);
  to_make_.erase(id);
  return to_make_.empty() ? NextRun::when_woken() : NextRun::immediately();
}

// Open views may still read them, so they are removed as rows are.
Result<void> Ledger::remove_slots(const CollectionPtr& collection, store::Version& seen) {
  const Bytes slots = keys::ledger_slots(collection->id);
  store::Range range{.lo = slots, .hi = after_prefix(slots), .keys_only = true};
  for (bool more = true; more;) {
    const store::Page page =
        std::move(TRY(state_.store->read({{}, {range}}, nullptr)).scans.front());
    store::CommitBatch batch;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      batch.removals.emplace_back(page.rows[i].key);
    }
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    seen = TRY(commit(collection, std::move(batch), seen, state_being_made()));
  }
  return {};
}

Result<void> Ledger::reset(CollectionId id) {
  const CollectionPtr collection = database_.catalog()->any_collection(id);
  if (!collection) return fail(Code::not_found, "there is no such collection");
  Bytes before;
  const store::Version seen = TRY(state_.store->get(keys::ledger_state(id), before, nullptr));
  TRY(commit(collection, {}, seen, state_being_made()));
  return {};
}

Result<void> Ledger::make(CollectionId id, const std::function<bool()>& must_end) {
  const CollectionPtr collection = database_.catalog()->any_collection(id);
  if (!collection) return fail(Code::not_found, "there is no such collection");
  Bytes before;
  store::Version seen = TRY(state_.store->get(keys::ledger_state(id), before, nullptr));
  seen = TRY(commit(collection, {}, seen, state_being_made()));
  TRY(remove_slots(collection, seen));
  View view = database_.view();
  DocumentRange range;
  for (bool more = true; more;) {
    if (must_end && must_end()) return fail(Code::contended, "the ledger is made later");
    const DocumentPage page = TRY(view.scan(*collection, range, view.live()));
    Slots added;
    for (const Document& document : page.documents) {
      const EndPosition place = end_position_of(document.version);
      const bool ends = place.order != keys::EndOrder::never;
      add_to(added, {place.order, ends ? second_of(place.end) : 0, 1});
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
    View now = database_.view();
    store::CommitBatch batch;
    TRY(put_slots(now, *collection, added, batch));
    seen = TRY(commit(collection, std::move(batch), seen,
                      more ? state_being_made() : encode_state(view.now())));
  }
  note_folded(id, 0, Folded{seen, view.now()});
  return {};
}

}  // namespace mayfly::ledger
