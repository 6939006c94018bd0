#include "db/database.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <thread>

#include "base/check.h"
#include "base/service/kill_point.h"
#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "db/database_state.h"
#include "db/limits.h"
#include "db/rows/format.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

Result<store::Rows> all_rows(store::Store& store, const Bytes& prefix) {
  store::Rows all;
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      all.append(row.key, row.value, row.version);
    }
  }
  return all;
}

Result<void> rename_format(Database::State& state) {
  TRY(state.committer.run([&state](Instant at) {
    store::CommitBatch batch{.version = records::to_version(at)};
    batch.puts.push_back({keys::format(), Bytes(format_name)});
    return state.committer.apply(batch);
  }));
  log(LogLevel::info, fmt::format("the data directory now has the format {}; earlier versions "
                                  "refuse it",
                                  format_name));
  return {};
}

Result<void> write_format(store::Store& store, Database::State& state) {
  TRY(state.committer.run([&state](Instant at) {
    store::CommitBatch batch{.version = records::to_version(at)};
    batch.puts.push_back({keys::format(), Bytes(format_name)});
    batch.puts.push_back({keys::internal_names(), {}});
    return state.committer.apply(batch);
  }));
  KILL_POINT("database.begun");
  store.sync(store.applied());
  return {};
}

Result<CatalogPtr> read_catalog(store::Store& store) {
  auto catalog = std::make_shared<Catalog>();
  Bytes next_id;
  catalog->next_id_version = TRY(store.get(keys::next_id(), next_id, nullptr));
  if (catalog->next_id_version != 0) catalog->next_id = Reader(next_id).u32();
  const store::Rows databases = TRY(all_rows(store, keys::all_databases()));
  for (std::size_t i = 0; i < databases.size(); ++i) {
    DatabaseInfo database = TRY(decode_database(databases[i].value));
    database.row_version = databases[i].version;
    catalog->put(std::make_shared<DatabaseInfo>(std::move(database)));
  }
  const store::Rows collections = TRY(all_rows(store, keys::all_collections()));
  for (std::size_t i = 0; i < collections.size(); ++i) {
    Collection collection = TRY(decode_collection(collections[i].value));
    collection.row_version = collections[i].version;
    catalog->put(std::make_shared<Collection>(std::move(collection)));
  }
  return CatalogPtr(std::move(catalog));
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}

Database::~Database() {
  state_->jobs.stop();
  state_->sweeper->remove_jobs();
  state_->feed->remove_job();
  state_->requested_indexes->remove_job();
  state_->ledger->remove_jobs();
  state_->store->set_forget(nullptr);
}

Result<std::unique_ptr<Database>> Database::open(std::unique_ptr<store::Store> store,
                                                 const Clock& clock, bool holds_feeds) {
  auto state = std::make_unique<State>(std::move(store), clock, holds_feeds);
  const ClockRecord note = TRY(read_clock_record(*state->store));
  state->recorded_kind = note.kind;
  state->clock.raise(note.floor);
  const Format format = TRY(read_format(*state->store));
  if (format == Format::none) TRY(write_format(*state->store, *state));
  if (format == Format::before) TRY(rename_format(*state));
  state->catalog = TRY(read_catalog(*state->store));
  state->clock.raise(records::to_instant(TRY(state->watermarks.load(*state->store))));
  TRY(state->needed_ends.load(*state->store));
  auto database = std::unique_ptr<Database>(new Database(std::move(state)));
  State& own = *database->state_;
  own.sweeper = std::make_unique<Sweeper>(*database);
  own.sweeper->add_jobs(own.jobs);
  own.feed = std::make_unique<Feed>(*database);
  own.feed->add_job(own.jobs);
  own.requested_indexes = std::make_unique<RequestedIndexes>(*database);
  own.requested_indexes->add_job(own.jobs);
  own.ledger = std::make_unique<ledger::Ledger>(*database, own);
  own.ledger->add_jobs(own.jobs);
  KILL_POINT("database.read");
  TRY(database->free_internal_names());
  TRY(database->erase_dropped());
  TRY(database->drop_unfilled_indexes());
  TRY(database->begin_past_of_indexes());
  KILL_POINT("database.repaired");
  for (const auto& [id, collection] : own.current()->all_collections()) {
    collection->commits->begin_at(own.clock.closed());
    own.sweeper->add_existing(id);
    own.ledger->add_existing(id);
  }
  own.store->set_forget(make_forget_maker(own));
  return database;
}

CatalogPtr Database::catalog() const {
  return state_->current();
}
Instant Database::now() {
  return state_->clock.read();
}
store::Store& Database::store() {
  return *state_->store;
}
store::Version Database::shown() const {
  State& s = *state_;
  return std::max(s.committer.last_visible(), s.floor.covering(s.clock.latest(), *s.store));
}
Sweeper& Database::sweeper() {
  return *state_->sweeper;
}
Feed& Database::feed() {
  return *state_->feed;
}
ledger::Ledger& Database::ledger() {
  return *state_->ledger;
}
Jobs& Database::jobs() {
  return state_->jobs;
}

void Database::request_index(const Collection& collection, IndexSpec spec) {
  state_->requested_indexes->add(collection, std::move(spec));
}

// A now, a catalog and a snapshot of one moment: nothing in the snapshot is later than now, nothing
// at or before now is missing from it. A commit in between makes it try again; in the end it blocks
// commits.
View Database::view() {
  State& s = *state_;
  s.foreground.fetch_add(1, std::memory_order_relaxed);
  const auto open = [&s] {
    OpenViews::Token token = s.open_views.enter();
    CatalogPtr catalog = s.current();
    const Instant now = s.clock.read();
    return std::make_unique<View::State>(*s.store, now, std::move(catalog), s.store->snapshot(),
                                         std::move(token));
  };
  const auto is_one_moment = [&s](const View::State& view) {
    return records::to_instant(view.snapshot->version()) <= view.now && view.catalog == s.current();
  };
  for (int attempt = 0; attempt < 3 || NoWait::stands(); ++attempt) {
    auto view = open();
    if (is_one_moment(*view)) return View(std::move(view));
    // The loop repeats only while a commit is visible and has not ended.
    std::this_thread::yield();
  }
  const auto no_commits = s.committer.block_commits();
  auto view = open();
  CHECK(is_one_moment(*view));
  return View(std::move(view));
}

Result<View> Database::up_to_date_view(CollectionId id) {
  return up_to_date_view(std::span(&id, 1));
}

Result<View> Database::up_to_date_view(std::span<const CollectionId> ids) {
  Sweeper& sweeper = *state_->sweeper;
  for (int attempt = 0; attempt < limits::commit_attempts_max; ++attempt) {
    const std::uint64_t batch_count = sweeper.batch_count();
    View opened = view();
    const auto is_settled = [&](CollectionId id) {
      const CollectionPtr collection = opened.catalog().any_collection(id);
      if (!collection || collection->policy.expired_to_trash_since.is_never()) return true;
      // No sweep in between: everything recorded is in the view's snapshot.
      return sweeper.has_recorded(id, opened.now()) && sweeper.batch_count() == batch_count;
    };
    bool are_settled = true;
    for (const CollectionId id : ids) {
      if (is_settled(id)) continue;
      TRY(sweeper.flush_expirations(id));
      are_settled = false;
    }
    if (are_settled) return opened;
  }
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

Result<std::optional<Document>> Database::get(const CollectionPtr& collection,
                                              const DocumentKey& key) {
  if (collection->body.is_partitioned() && key.routing.empty()) {
    View all = view();
    const CollectionPtr current = all.catalog().any_collection(collection->id);
    if (!current) return std::nullopt;
    return all.get(*current, key, all.live());
  }
  State& s = *state_;
  s.foreground.fetch_add(1, std::memory_order_relaxed);
  const Bytes row_key = keys::head(collection->id, keys::encode(key));
  for (;;) {
    const std::uint64_t generation = s.catalog_generation.load(std::memory_order_acquire);
    const CollectionPtr current = s.current()->any_collection(collection->id);
    if (!current) return std::nullopt;
    const Instant now = s.clock.read();
    struct Kept {
      Bytes key, value;
    };
    auto kept = std::make_shared<Kept>();
    const store::Version version = TRY(s.store->get(row_key, kept->value, nullptr));
    // A commit or a change of policy in between belongs to a later now, which exists once that
    // commit has ended.
    if (records::to_instant(version) > now) {
      std::this_thread::yield();
      continue;
    }
    if (s.catalog_generation.load(std::memory_order_acquire) != generation) continue;
    if (version == 0) return std::nullopt;
    kept->key = row_key;
    const store::Row row{kept->key, kept->value, version};
    Document document = TRY(records::head_document(row, current->policy, kept));
    if (!sees(Lens::live(now), document.version, current->policy)) return std::nullopt;
    return document;
  }
}

}  // namespace mayfly
