// Finding and creating private tables.
#include "db/private_table.h"

namespace mayfly {
namespace {

std::string name_of_table(const PrivateSpec& spec, std::string_view part) {
  return std::string(spec.name) + std::string(part);
}

}  // namespace

CollectionPtr find_private(const Catalog& catalog, const PrivateSpec& spec) {
  const DatabaseInfoPtr of = catalog.find_internal_database(spec.database);
  return of ? find_private(catalog, spec, of->id, {}) : nullptr;
}

CollectionPtr find_private(const Catalog& catalog, const PrivateSpec& spec, DatabaseId of,
                           std::string_view part) {
  return catalog.find_internal(of, name_of_table(spec, part));
}

Result<CollectionPtr> ensure_private(Database& database, const PrivateSpec& spec) {
  if (CollectionPtr found = find_private(*database.catalog(), spec)) return found;
  const auto made = database.create_internal_database(std::string(spec.database));
  if (!made && made.error().code != Code::exists) return tl::unexpected(made.error());
  const DatabaseInfoPtr of = database.catalog()->find_internal_database(spec.database);
  auto collection = of ? ensure_private(database, spec, of->id, {}) : CollectionPtr();
  const bool is_gone =
      collection ? *collection == nullptr : collection.error().code == Code::not_found;
  if (is_gone) return fail(Code::contended, "the data of the dialect are being dropped");
  return collection;
}

Result<CollectionPtr> ensure_private(Database& database, const PrivateSpec& spec, DatabaseId of,
                                     std::string_view part) {
  return database.ensure_collection(of, {.name = name_of_table(spec, part),
                                         .promises = {},
                                         .indexes = spec.indexes,
                                         .is_internal = true});
}

}  // namespace mayfly
