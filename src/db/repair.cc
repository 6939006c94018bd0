#include "db/repair.h"

#include <algorithm>

#include "db/database.h"
#include "db/feed/feed.h"
#include "db/ledger/ledger.h"
#include "db/rows/format.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

Result<std::optional<Bytes>> last_key(store::Store& store, keys::Table table) {
  const Bytes prefix(1, static_cast<char>(table));
  const store::Range range{
      .lo = prefix, .hi = after_prefix(prefix), .rows_max = 1, .reverse = true, .keys_only = true};
  const auto page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
  if (page.rows.empty()) return std::nullopt;
  return Bytes(page.rows[0].key);
}

// Greater than every id in any row: a collection created from now on must not find rows of one
// whose entry in the catalog is lost.
Result<std::uint32_t> free_id(store::Store& store) {
  std::uint32_t id = 1;
  Bytes said;
  if (TRY(store.get(keys::next_id(), said, nullptr)) != 0) id = Reader(said).u32();
  for (const keys::Table table : keys::collection_tables) {
    const auto key = TRY(last_key(store, table));
    const auto used = key ? keys::collection_of(*key) : std::nullopt;
    if (used) id = std::max(id, *used + 1);
  }
  for (const Bytes& prefix : {keys::all_databases(), keys::all_collections(), keys::all_dropped(),
                              keys::all_watermarks()}) {
    const store::Range range{.lo = prefix,
                             .hi = after_prefix(prefix),
                             .rows_max = 1,
                             .reverse = true,
                             .keys_only = true};
    const auto page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    if (!page.rows.empty()) {
      id = std::max(id, Reader(page.rows[0].key.substr(prefix.size())).u32() + 1);
    }
  }
  return id;
}

Result<void> repair_meta(store::Store& store) {
  Bytes said, id;
  put_u32(id, TRY(free_id(store)));
  store::CommitBatch batch{.version = store.applied() + 1};
  if (TRY(store.get(keys::format(), said, nullptr)) == 0) {
    batch.puts.push_back({keys::format(), Bytes(format_name)});
  }
  batch.puts.push_back({keys::next_id(), std::move(id)});
  TRY(store.commit(batch));
  store.sync(batch.version);
  return {};
}

Result<void> refill(Database& database, const Collection& collection, RepairSummary& mended) {
  for (const Index& index : collection.indexes) {
    TRY(database.drop_any_index(collection.id, index.name));
    const auto made = database.create_index(collection.id, {index.name, index.fields, index.unique,
                                                            index.entries, index.is_of_definition});
    if (made) {
      ++mended.indexes;
    } else {
      mended.dropped_indexes.push_back(index.name + " of " + collection.name + ": " +
                                       made.error().message);
    }
  }
  return {};
}

}  // namespace

Result<RepairSummary> mend(std::unique_ptr<store::Store> store) {
  TRY(repair_meta(*store));
  const ManualClock clock(records::to_instant(store->applied()));
  const auto database = TRY(Database::open(std::move(store), clock));
  RepairSummary mended;
  const CatalogPtr catalog = database->catalog();
  for (const auto& [id, collection] : catalog->all_collections()) {
    TRY(database->feed().replace_incomplete(*collection));
    TRY(database->ledger().make(id));
    TRY(refill(*database, *collection, mended));
    ++mended.collections;
  }
  return mended;
}

Result<std::size_t> recount(std::unique_ptr<store::Store> store) {
  const ManualClock clock(records::to_instant(store->applied()));
  const auto database = TRY(Database::open(std::move(store), clock));
  const CatalogPtr catalog = database->catalog();
  std::size_t collections = 0;
  for (const auto& [id, collection] : catalog->all_collections()) {
    TRY(database->ledger().reset(id));
    ++collections;
  }
  database->store().sync(database->store().applied());
  return collections;
}

}  // namespace mayfly
