// A database in memory with a clock that the test moves, and short functions for what tests do with
// it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "db/database.h"
#include "db/expiry/sweeper.h"
#include "db/feed/feed.h"
#include "db/jobs/jobs.h"
#include "db/rows/keys.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/checked.h"
#include "store/wrappers/forward.h"
#include "value/json/json.h"

namespace mayfly::testing {

constexpr Instant second(std::int64_t s) {
  return Instant::from_seconds(s);
}
constexpr After after(std::int64_t s) {
  return {Span::seconds(s)};
}
constexpr Instant just_before(Instant t) {
  return {t.micros - 1};
}

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return std::move(result).value();
}
inline void must(Result<void> result) {
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
}

// Forwards the calls to a store that outlives it.
class Lent final : public store::Forward {
 public:
  explicit Lent(store::Store& store) : Forward(nullptr), store_(store) {}
  const store::Limits& limits() const override { return store_.limits(); }
  Result<store::ReadReply> read(const store::ReadBatch& b, const store::Snapshot* s) override {
    return store_.read(b, s);
  }
  Result<store::Version> get(BytesView key, Bytes& value, const store::Snapshot* s) override {
    return store_.get(key, value, s);
  }
  store::SnapshotPtr snapshot() override { return store_.snapshot(); }
  Result<void> commit(const store::CommitBatch& batch) override { return store_.commit(batch); }
  store::Version applied() const override { return store_.applied(); }
  store::Version durable() const override { return store_.durable(); }
  void sync(store::Version version) override { store_.sync(version); }
  Result<std::uint64_t> estimate(BytesView lo, BytesView hi) override {
    return store_.estimate(lo, hi);
  }
  Result<void> erase_range(BytesView lo, BytesView hi) override {
    return store_.erase_range(lo, hi);
  }
  void set_forget(std::shared_ptr<store::ForgetFilterMaker> maker) override {
    store_.set_forget(std::move(maker));
  }
  Result<void> compact(BytesView lo, BytesView hi) override { return store_.compact(lo, hi); }
  void interrupt_compaction() override { store_.interrupt_compaction(); }
  store::Stats stats() const override { return store_.stats(); }

 private:
  store::Store& store_;
};

class World {
 public:
  explicit World(Instant start = second(1'000)) : World(store::open_memory(), start) {}
  explicit World(std::unique_ptr<store::Store> store, Instant start = second(1'000))
      : clock(start),
        database(
            must(Database::open(std::make_unique<store::CheckedStore>(std::move(store)), clock))) {
    place = must(database->create_database("test"))->id;
  }

  CollectionPtr collection(const std::string& name, CollectionChange promises = {},
                           std::vector<IndexSpec> indexes = {}) {
    return must(
        database->create_collection(place, {name, std::move(promises), std::move(indexes)}));
  }
  // The collection as it is now.
  CollectionPtr now(const CollectionPtr& c) { return database->catalog()->any_collection(c->id); }

  Result<Instant> put(const CollectionPtr& c, const std::string& id, const std::string& json,
                      PutOptions options = {}) {
    return database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(now(c), DocumentKey::of(id), TRY(pack_json(json)), options));
      return {};
    });
  }
  Result<Instant> put(const CollectionPtr& c, const std::string& id, const std::string& json,
                      Lifetime lifetime) {
    return put(c, id, json, PutOptions{.lifetime = lifetime});
  }
  Result<Instant> remove(const CollectionPtr& c, const std::string& id,
                         RemoveOptions options = {}) {
    return database->transact([&](Transaction& t) -> Result<void> {
      return t.remove(now(c), DocumentKey::of(id), options);
    });
  }
  Result<Instant> restore(const CollectionPtr& c, const std::string& id) {
    return database->transact(
        [&](Transaction& t) -> Result<void> { return t.restore(now(c), DocumentKey::of(id), {}); });
  }
  void change(const CollectionPtr& c, CollectionChange change) {
    must(database->change_collection(c->id, change));
  }

  // The body, or "-" if there is no such document.
  std::string get(const CollectionPtr& c, const std::string& id) {
    const auto quick = must(database->get(now(c), DocumentKey::of(id)));
    View view = database->view();
    const auto found = must(view.get(*now(c), DocumentKey::of(id), view.live()));
    EXPECT_EQ(quick.has_value(), found.has_value()) << "a point read and a view disagree";
    return found ? std::string(found->body.json()) : "-";
  }
  std::string get_as_of(const CollectionPtr& c, const std::string& id, Instant t) {
    View view = database->view();
    const auto lens = view.as_of(t, *now(c));
    if (!lens) return "error: " + lens.error().message;
    const auto found = must(view.get(*now(c), DocumentKey::of(id), *lens));
    return found ? std::string(found->body.json()) : "-";
  }
  // The ids that a scan shows, in order, with spaces between.
  std::string list(const CollectionPtr& c, const Lens& lens, bool reverse = false,
                   std::size_t rows_max = 2) {
    View view = database->view();
    std::string ids;
    DocumentRange range{.reverse = reverse, .rows_max = rows_max};
    for (bool more = true; more;) {
      const DocumentPage page = must(view.scan(*now(c), range, lens));
      for (const Document& d : page.documents) ids += (ids.empty() ? "" : " ") + std::string(d.id);
      more = page.next.has_value();
      if (more) (reverse ? range.to : range.from) = *page.next;
    }
    return ids;
  }
  std::string list(const CollectionPtr& c) { return list(c, Lens::live(database->now())); }
  // The ids in an index, in its order.
  std::string list_index(const CollectionPtr& c, const std::string& name) {
    View view = database->view();
    const CollectionPtr current = now(c);
    const IndexPage page =
        must(view.scan_index(*current, *current->find_index(name), {}, view.live()));
    std::string ids;
    for (const IndexEntry& e : page.entries) {
      ids += (ids.empty() ? "" : " ") + std::string(keys::id_of(e.key()));
    }
    return ids;
  }
  std::string events(const CollectionPtr& c) {
    const FeedPage page = must(database->feed().read(*now(c), {}, 1'000));
    std::string text;
    for (const Event& e : page.events) {
      text += (text.empty() ? "" : " ") + std::string(name_of(e.kind)) + ":" + e.key.id;
    }
    return text;
  }
  std::string trash(const CollectionPtr& c) {
    View view = database->view();
    const DocumentPage page = must(view.scan_trash(*now(c), {}, 100));
    std::string ids;
    for (const Document& d : page.documents) ids += (ids.empty() ? "" : " ") + std::string(d.id);
    return ids;
  }
  std::size_t sweep() { return must(database->sweeper().run_due(1'000'000)); }
  // Twice: some rows go only after others (expiry/needed_ends.h).
  void compact() {
    must(database->store().compact({}, {}));
    must(database->store().compact({}, {}));
  }
  // Makes the collection look as a version without ledgers leaves it.
  void lose_ledger(const CollectionPtr& c) {
    clock.set(std::max(clock.now(), database->now()) + Span::millis(1));
    store::CommitBatch batch{.version = static_cast<store::Version>(database->now().micros)};
    clock.set(clock.now() + Span::millis(1));
    batch.removals.push_back(keys::ledger_state(c->id));
    must(database->store().commit(batch));
  }
  // How many rows of the table the store has, to check that they are gone.
  std::size_t rows(keys::Table table, const CollectionPtr& c) {
    const Bytes prefix = keys::table(table, c->id);
    store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
    std::size_t rows = 0;
    for (bool more = true; more;) {
      const auto reply = must(database->store().read({{}, {range}}, nullptr));
      rows += reply.scans.front().rows.size();
      more = reply.scans.front().next.has_value();
      if (more) range.lo = *reply.scans.front().next;
    }
    return rows;
  }

  ManualClock clock;
  std::unique_ptr<Database> database;
  DatabaseId place = 0;
};

}  // namespace mayfly::testing
