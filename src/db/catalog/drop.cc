// Dropping databases and collections in one atomic commit. Their rows are erased later
// (erase_dropped.cc).
#include <algorithm>

#include "base/service/logging.h"
#include "db/catalog/draft.h"
#include "db/ledger/state.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

// Fails with forbidden if a document of the collection is held.
Result<void> check_no_hold(store::Store& store, const Collection& collection) {
  const Bytes prefix = keys::table(keys::Table::hold, collection.id);
  const store::Range first{
      .lo = prefix, .hi = after_prefix(prefix), .rows_max = 1, .keys_only = true};
  if (TRY(store.read({{}, {first}}, nullptr)).scans.front().rows.empty()) return {};
  return fail(Code::forbidden, "the collection '" + collection.name + "' has documents under hold",
              "collection");
}

// Whether a database has a collection that is not internal and is not in `named`.
bool has_others(const Catalog& catalog, DatabaseId database, const CatalogParts& named) {
  const auto all = catalog.collections(database);
  return std::any_of(all.begin(), all.end(), [&](const CollectionPtr& collection) {
    return !named.collections.contains(collection->id);
  });
}

// Which of these exist, with all collections of the databases.
CatalogParts find_parts(const Catalog& catalog, const CatalogParts& named) {
  CatalogParts found;
  for (const DatabaseId id : named.databases) {
    if (!catalog.any_database(id)) continue;
    if (named.keeps_other_collections && has_others(catalog, id, named)) continue;
    found.databases.insert(id);
  }
  for (const auto& [id, collection] : catalog.all_collections()) {
    const bool is_named =
        named.collections.contains(id) || found.databases.contains(collection->database);
    const bool is_emptied = named.emptied.contains(id);
    if (is_named || is_emptied) found.collections.insert(id);
    if (!is_named && is_emptied) found.emptied.insert(id);
  }
  return found;
}

// The collection that replaces an emptied one.
Collection empty_copy(const Collection& before, CollectionId id, Instant at) {
  Collection copy = before;
  copy.id = id;
  copy.created_at = at;
  copy.changed_at = at;
  copy.row_version = 0;
  for (Index& index : copy.indexes) {
    index.is_ready = true;
    index.past_since = at;
  }
  return copy;
}

void note_dropped(const Catalog& before, const CatalogParts& dropped) {
  for (const DatabaseId id : dropped.databases) {
    const auto collections = std::count_if(
        dropped.collections.begin(), dropped.collections.end(),
        [&](const CollectionId of) { return before.any_collection(of)->database == id; });
    log(LogLevel::info, "a database is dropped",
        {{"database", before.any_database(id)->name},
         {"collections", static_cast<std::uint64_t>(collections)}});
  }
  for (const CollectionId id : dropped.collections) {
    const CollectionPtr collection = before.any_collection(id);
    if (dropped.databases.contains(collection->database)) continue;
    const DatabaseInfoPtr database = before.any_database(collection->database);
    log(LogLevel::info, "a collection is dropped",
        {{"database", database ? database->name : ""}, {"collection", collection->name}});
  }
}

}  // namespace

Result<CatalogParts> Database::drop(const CatalogParts& parts) {
  CatalogParts dropped;
  CatalogPtr before;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
    before = state_->current();
    dropped = find_parts(*before, parts);
    if (dropped.databases.empty() && dropped.collections.empty()) {
      const char* what = parts.databases.empty() ? "collection" : "database";
      return fail(Code::not_found, std::string("there is no such ") + what);
    }
    for (const CollectionId id : dropped.collections) {
      TRY(check_no_hold(*state_->store, *before->any_collection(id)));
      draft.drop(id);
    }
    for (const CollectionId id : dropped.emptied) {
      const CollectionId copy = draft.take_id();
      draft.put(empty_copy(*before->any_collection(id), copy, at));
      draft.batch.puts.push_back({keys::ledger_state(copy), ledger::encode_state(at)});
    }
    for (const DatabaseId id : dropped.databases) {
      draft.drop_database(id);
    }
    return {};
  }));
  note_dropped(*before, dropped);
  for (const CollectionId id : dropped.collections) state_->sweeper->forget_collection(id);
  for (const CollectionId id : dropped.collections) state_->ledger->forget(id);
  state_->dropped.add_collections();
  state_->erase_soon();
  return dropped;
}

Result<void> Database::drop_database(DatabaseId id) {
  TRY(drop({.databases = {id}, .collections = {}}));
  return {};
}

Result<void> Database::drop_collection(CollectionId id) {
  TRY(drop({.databases = {}, .collections = {id}}));
  return {};
}

}  // namespace mayfly
