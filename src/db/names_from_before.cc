#include "db/names_from_before.h"

namespace mayfly {
namespace {

std::string free_collection_name(const Catalog& catalog, DatabaseId of, std::string_view name) {
  std::string free(name);
  for (int number = 2; catalog.find_internal(of, free); ++number) {
    free = std::string(name) + "." + std::to_string(number);
  }
  return free;
}

Result<void> move_collections(Database& database, const NameFromBefore& row) {
  const CatalogPtr catalog = database.catalog();
  for (const DatabaseInfoPtr& of : catalog->databases()) {
    const CollectionPtr found = catalog->find_collection(of->id, row.name);
    if (!found || !found->facets.contains(row.facet)) continue;
    const std::string to = free_collection_name(*catalog, of->id, row.to);
    TRY(database.make_collection_internal(found->id, to));
  }
  return {};
}

}  // namespace

Result<void> move_names_from_before(Database& database, std::span<const NameFromBefore> names) {
  if (!TRY(database.has_names_from_before())) return {};
  for (const NameFromBefore& row : names) {
    const bool is_database = row.facet.empty();
    TRY(is_database ? database.hide_database(std::string(row.name), std::string(row.to))
                    : move_collections(database, row));
  }
  return database.end_names_from_before();
}

}  // namespace mayfly
