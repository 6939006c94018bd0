#include "dialect/common/internal_collection.h"

namespace mayfly {

Result<CollectionPtr> internal_collection(Database& database, DatabaseId of,
                                          const CollectionSpec& spec) {
  if (auto known = database.catalog()->find_internal(of, spec.name)) return known;
  auto made = database.create_collection(of, spec);
  if (made || made.error().code != Code::exists) return made;
  // Another request was quicker, and another one may have dropped it since.
  if (auto known = database.catalog()->find_internal(of, spec.name)) return known;
  return fail(Code::contended, "the database has been dropped meanwhile");
}

}  // namespace mayfly
