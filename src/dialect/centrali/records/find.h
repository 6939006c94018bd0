// Finding records, of which clients know the id but not the structure.
#pragma once

#include <optional>
#include <string>

#include "db/view.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/structures/directory.h"
#include "lifetime/lens.h"

namespace mayfly::centrali {

struct Found {
  StructurePtr structure;
  Document document;
};

// Where the record named by the route may be: the structure that the request names (in its path, or
// as structureId or collectionId), or else those of the workspace, the one that the id was made for
// first.
Result<std::vector<StructurePtr>> places_of(Call& call, const CatalogPtr& catalog,
                                            const std::string& id);

// The first of the places that has it, visible through the lens. Fails with not_found.
Result<Found> find_record(const std::vector<StructurePtr>& places, const std::string& id,
                          View& view, const Lens& lens);
// The living record. One point read where the id says its collection; otherwise as above.
Result<Found> find_living(Call& call, const std::string& id);

Error no_such_record(std::string_view id);

}  // namespace mayfly::centrali
