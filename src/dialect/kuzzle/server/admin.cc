// Actions of administrators on the whole server. Rights are checked as for any other action.
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "dialect/common/collections/holds.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/collections.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/bulk.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/memory/memory.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/specifications/specification.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr const char* acknowledge = R"({"acknowledge":true})";  // as Kuzzle spells it

// --- emptying ---

// The number of those that are not built in.
template <class Row>
Result<std::int64_t> count_made(View& view) {
  std::int64_t made = 0;
  TRY(find_security_table<Row>(view.catalog()).each(view, [&](const Row& row) -> Result<bool> {
    const bool is_begun = !std::is_same_v<Row, User> && is_built_in(row.document.id);
    if (!is_begun) ++made;
    return true;
  }));
  return made;
}

// Whether another dialect stores something in the database besides its collections: this one stores
// nothing in internal collections of an index.
Result<bool> keeps_others(View& view, const DatabaseInfo& database) {
  bool has_one = false;
  for (const CollectionPtr& collection : view.catalog().internal_collections(database.id)) {
    TRY(view.each(*collection, [&](const Document&) -> Result<bool> {
      has_one = true;
      return false;
    }));
  }
  return has_one;
}

// Data of other dialects stays: their databases, their collections within an index, and an index in
// which they store more. Fails with forbidden if one of them has a document under hold.
Result<CatalogParts> droppable_places(const KuzzleCall& call) {
  CatalogParts own{.databases = {}, .collections = {}, .keeps_other_collections = true};
  View view = call.database().view();
  for (const auto& index : view.catalog().databases()) {
    if (!is_visible_index(*index)) continue;
    bool has_others = TRY(keeps_others(view, *index));
    for (const auto& collection : view.catalog().collections(index->id)) {
      const bool is_own = collection->facets.contains(mapping_facet);
      has_others = has_others || !is_own;
      if (!is_own) continue;
      TRY(check_droppable(view, *collection));
      own.collections.insert(collection->id);
    }
    if (has_others || !index->facets.contains(index_facet)) continue;
    TRY(check_droppable(view, *index));
    own.databases.insert(index->id);
  }
  return own;
}

// Another request may have dropped them meanwhile.
Result<void> drop_if_there(const KuzzleCall& call, const CatalogParts& places) {
  const auto dropped = call.database().drop(places);
  if (dropped || dropped.error().code == Code::not_found) return {};
  return tl::unexpected(dropped.error());
}

// --- loading ---

struct ListedPlace {
  std::string index;
  std::string collection;
  Value what;
};

// The entries of {index: {collection: …}}, if the caller may load all of them.
Result<std::vector<ListedPlace>> listed_places(const KuzzleCall& call) {
  std::vector<ListedPlace> places;
  for (const auto& [index, collections] : *TRY(call.body())) {
    if (!collections.is(Kind::object)) return wrong_type(index, "object");
    for (const auto& [collection, what] : collections.object()) {
      if (places.size() == limits::collections_load_max) {
        return problem("services.storage.write_limit_exceeded",
                       fmt::format("Number of collections exceeds the server configured value ({})",
                                   limits::collections_load_max));
      }
      TRY(authorize(call, same_action_in(call.message, index, collection)));
      places.push_back({index, collection, what});
    }
  }
  return places;
}

// Loads each of them. Rights are checked for all collections before the first is loaded.
using LoadOne = std::function<Result<void>(const KuzzleCall& there, const Value& what)>;
Result<void> load_each(const KuzzleCall& call, const LoadOne& load) {
  for (const ListedPlace& place : TRY(listed_places(call))) {
    const Message there = same_action_in(call.message, place.index, place.collection);
    TRY(load({.message = there,
              .shared = call.shared,
              .principal = call.principal,
              .answer_by = call.answer_by},
             place.what));
  }
  return {};
}

}  // namespace

// internalCache: the only cached data are open scrolls. memoryStorage: all keys.
Result<std::string> reset_cache(KuzzleCall& call) {
  const auto database = TRY(call.text("database"));
  if (!database) return missing_argument("database");
  if (*database != "internalCache" && *database != "memoryStorage") {
    return problem("services.cache.database_not_found",
                   fill_words(call.generation().words.no_cache_database, *database));
  }
  if (*database == "internalCache") call.shared.scrolls.drop_all();
  if (*database == "memoryStorage") TRY(memory::flush(call.database()));
  return acknowledge;
}

Result<std::string> reset_database(KuzzleCall& call) {
  const CatalogParts own = TRY(droppable_places(call));
  TRY(drop_if_there(call, own));
  call.shared.realtime.wake();
  return acknowledge;
}

// Removes users, profiles, roles and their data, tokens too, in one commit; built-in ones get their
// initial content. The mapping of users stays.
Result<std::string> reset_security(KuzzleCall& call) {
  View view = call.database().view();
  const std::int64_t of_users = TRY(count_made<User>(view));
  const std::int64_t of_profiles = TRY(count_made<Profile>(view));
  const std::int64_t of_roles = TRY(count_made<Role>(view));
  const CatalogPtr catalog = call.database().catalog();
  const auto index = security_database(*catalog);
  const auto collections =
      index ? catalog->internal_collections(index->id) : std::vector<CollectionPtr>();
  CatalogParts parts;
  for (const auto& collection : collections) {
    if (collection->name == auto_refreshes) continue;  // belongs to indexes
    auto& of_it = collection->name == users ? parts.emptied : parts.collections;
    of_it.insert(collection->id);
  }
  TRY(drop_if_there(call, parts));
  return render_json(Object{
      {"deletedUsers", of_users}, {"deletedProfiles", of_profiles}, {"deletedRoles", of_roles}});
}

// Everything stored besides documents: users and rights, tokens, specifications, scrolls.
Result<std::string> reset_kuzzle_data(KuzzleCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  if (const auto index = security_database(*catalog)) TRY(call.database().drop_database(index->id));
  for (const auto& index : catalog->databases()) {
    for (const auto& collection : catalog->collections(index->id)) {
      if (!collection->facets.contains(specifications::facet)) continue;
      CollectionChange change;
      change.facets[std::string(specifications::facet)] = std::nullopt;
      TRY(call.database().change_collection(collection->id, change));
    }
  }
  call.shared.scrolls.drop_all();
  return acknowledge;
}

Result<std::string> load_mappings(KuzzleCall& call) {
  TRY(load_each(call, [](const KuzzleCall& there, const Value& mapping) -> Result<void> {
    return make_collection(there, mapping, MissingIndex::made);
  }));
  return acknowledge;
}

// All are checked before the first is written.
Result<std::string> load_fixtures(KuzzleCall& call) {
  std::vector<Fixture> fixtures;
  TRY(load_each(call, [&](const KuzzleCall& there, const Value& lines) -> Result<void> {
    if (!lines.is(Kind::array)) return wrong_type(there.message.collection, "array");
    TRY(collection_to_write(there, *call.database().catalog()));
    fixtures.push_back({{there.message.index, there.message.collection}, lines});
    return {};
  }));
  const ImportResult imported = TRY(import_all_or_nothing(call, fixtures));
  if (imported.errors.empty()) return acknowledge;
  call.error_details = imported.errors;
  return fail(Code::invalid, fmt::format("{} {}", import_failed, render_json(imported.errors)));
}

// Kuzzle writes the memory of its process into a directory.
Result<std::string> dump(KuzzleCall&) {
  return fail(Code::unsupported,
              "dumps of the server's memory are not offered; what it keeps is copied by a backup");
}

Result<std::string> shut_down(KuzzleCall& call) {
  const auto& end = call.shared.services.end;
  if (!end) return fail(Code::unsupported, "this server cannot be shut down through the API");
  end();
  return acknowledge;
}

// The catalog is always exact.
Result<std::string> refresh_index_cache(KuzzleCall&) {
  return "null";
}

}  // namespace mayfly::kuzzle
