// Internal databases and collections: making them, and moving what lies under names from before.
#include "base/check.h"
#include "base/logging.h"
#include "db/draft.h"

namespace mayfly {
namespace {

// Marks what a dialect made: before names with '#' were kept for that, a user could choose one.
constexpr const char* internal_facet = "internal";

Result<void> check_free(const Catalog& catalog, const std::string& name) {
  if (!catalog.find_internal_database(name)) return {};
  return fail(Code::exists, "there is already an internal database named '" + name + "'", "name");
}

std::string free_name(const Catalog& catalog, std::string name) {
  do {
    name.insert(name.begin(), '_');
  } while (catalog.find_database(name));
  return name;
}

}  // namespace

Result<DatabaseInfoPtr> Database::create_internal_database(const std::string& name) {
  CHECK(is_internal(name));
  DatabaseInfoPtr created;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
    DatabaseInfo info{.name = name, .created_at = at, .facets = {{internal_facet, "{}"}}};
    created = TRY(add_database(draft, std::move(info)));
    return {};
  }));
  return created;
}

Result<void> Database::make_internal(DatabaseId id, const std::string& name) {
  CHECK(is_internal(name));
  TRY(change_catalog(*state_, [&](Draft& draft, Instant) -> Result<void> {
    const DatabaseInfoPtr before = draft.catalog->any_database(id);
    if (!before) return fail(Code::not_found, "there is no such database");
    TRY(check_free(*draft.catalog, name));
    DatabaseInfo after = *before;
    after.name = name;
    after.facets[internal_facet] = "{}";
    draft.rename(*before, std::move(after));
    return {};
  }));
  return {};
}

Result<void> Database::make_collection_internal(CollectionId id, const std::string& name) {
  CHECK(is_internal(name));
  TRY(change_catalog(*state_, [&](Draft& draft, Instant) -> Result<void> {
    const CollectionPtr before = draft.catalog->any_collection(id);
    if (!before) return fail(Code::not_found, "there is no such collection");
    if (draft.catalog->find_internal(before->database, name)) {
      return fail(Code::exists, "there is already an internal collection named '" + name + "'",
                  "name");
    }
    Collection after = *before;
    after.name = name;
    draft.rename(*before, std::move(after));
    return {};
  }));
  return {};
}

Result<void> Database::hide_database(const std::string& name, const std::string& to) {
  const CatalogPtr catalog = state_->current();
  const DatabaseInfoPtr found = catalog->find_database(name);
  if (!found) return {};
  std::string hidden = to;
  for (int number = 2; catalog->find_internal_database(hidden); ++number) {
    hidden = to + "." + std::to_string(number);
  }
  return make_internal(found->id, hidden);
}

Result<bool> Database::has_names_from_before() const {
  Bytes value;
  return TRY(state_->store->get(keys::internal_names(), value, nullptr)) == 0;
}

Result<void> Database::end_names_from_before() {
  TRY(state_->commit_alone([this](Instant at) {
    store::CommitBatch batch{.version = records::to_version(at)};
    batch.puts.push_back({keys::internal_names(), {}});
    return state_->store->commit(batch);
  }));
  return {};
}

// A user's database of such a name, from before they were internal, gets one that can be found.
Result<void> Database::free_internal_names() {
  const CatalogPtr catalog = state_->current();
  for (const auto& [id, database] : catalog->all_databases()) {
    if (!is_internal(database->name) || database->facets.contains(internal_facet)) continue;
    DatabaseInfo after = *database;
    after.name = free_name(*state_->current(), database->name);
    log(LogLevel::warn, "names of databases that begin with '#' are internal; one was renamed",
        {{"from", database->name}, {"to", after.name}});
    TRY(change_catalog(*state_, [&](Draft& draft, Instant) -> Result<void> {
      draft.rename(*database, after);
      return {};
    }));
  }
  return {};
}

}  // namespace mayfly
