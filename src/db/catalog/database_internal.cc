// Internal databases and collections: making them, and moving data that earlier versions kept under
// other names.
#include "base/check.h"
#include "base/service/logging.h"
#include "db/catalog/draft.h"
#include "db/catalog/names_from_before.h"

namespace mayfly {
namespace {

// Marks what a dialect made: before names with '#' were reserved, a user could choose such a name.
constexpr const char* internal_facet = "internal";

// `name`, or if that is taken, `name` with the first number appended that makes it free.
template <class IsTaken>
std::string numbered_name(std::string_view name, const IsTaken& is_taken) {
  std::string free(name);
  for (int number = 2; is_taken(free); ++number) {
    free = std::string(name) + "." + std::to_string(number);
  }
  return free;
}

void move_database(Draft& draft, const NameFromBefore& row) {
  const Catalog& catalog = *draft.catalog;
  const DatabaseInfoPtr before = catalog.find_database(row.name);
  if (!before) return;
  DatabaseInfo after = *before;
  after.name = numbered_name(row.to, [&](const std::string& name) {
    return catalog.find_internal_database(name) != nullptr;
  });
  after.facets[internal_facet] = "{}";
  draft.rename(*before, std::move(after));
}

void move_collections(Draft& draft, const NameFromBefore& row) {
  const Catalog& catalog = *draft.catalog;
  for (const DatabaseInfoPtr& of : catalog.databases()) {
    const CollectionPtr before = catalog.find_collection(of->id, row.name);
    if (!before || !before->facets.contains(row.facet)) continue;
    Collection after = *before;
    after.name = numbered_name(row.to, [&](const std::string& name) {
      return catalog.find_internal(of->id, name) != nullptr;
    });
    draft.rename(*before, std::move(after));
  }
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

Result<void> Database::move_names_from_before(std::span<const NameFromBefore> names) {
  Bytes value;
  const bool is_done = TRY(state_->store->get(keys::internal_names(), value, nullptr)) != 0;
  if (is_done) return {};
  TRY(change_catalog(*state_, [names](Draft& draft, Instant) -> Result<void> {
    for (const NameFromBefore& row : names) {
      if (row.facet.empty()) {
        move_database(draft, row);
      } else {
        move_collections(draft, row);
      }
    }
    draft.batch.puts.push_back({keys::internal_names(), {}});
    return {};
  }));
  return {};
}

// Renames a user's database of such a name, made before those names were internal, so that it can
// be found.
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
