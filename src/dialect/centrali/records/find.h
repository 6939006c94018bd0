// Finding records, of which clients know the id but not the structure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/read/view.h"
#include "db/write/transaction.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/structures/directory.h"
#include "lifetime/lens.h"

namespace mayfly::centrali {

struct Found {
  StructurePtr structure;
  Document document;
};

// A structure that is searched for an id. An id alone finds no document with a partition key: only
// where the request or the id itself names the structure are its partitions searched.
struct Place {
  StructurePtr structure;
  bool is_named = false;
};
using Places = std::vector<Place>;

// The structures of the workspace in which the id can be found: first, and named, the one that it
// was made for, and `named`.
Places places_in(const Workspace& workspace, std::string_view id,
                 const StructurePtr& named = nullptr);
// Where a record may be: the structure that the body names for it (`in_body`), or else the one that
// the request names (in its path, or as structureId or collectionId), or else those of the
// workspace. Fails with not_found where the one that is named does not exist.
Result<Places> places_of(Call& call, const CatalogPtr& catalog, const std::string& id,
                         const std::string& in_body = "");

// The first of the places that has it, visible through the lens. Fails with not_found.
Result<Found> find_record(const Places& places, const std::string& id, View& view,
                          const Lens& lens);
// A view in which the archives of the places are complete: all deaths up to its now are recorded
// (Database::settled_view).
Result<View> view_with_archive(Call& call, const Places& places);
// Whether the query string asks for archived records, too.
Result<bool> includes_archived(const net::Request& request);

// A record, and the view that it was read through.
struct Shown {
  View view;
  Found found;
};
// Where the request says, or anywhere in the workspace. Fails with not_found.
Result<Shown> find_shown(Call& call, const std::string& id, bool with_archived);

// The first of the places that has it in its archive; null where there is none.
Result<StructurePtr> find_archived(const Places& places, const DocumentKey& key,
                                   Transaction& transaction);
// The living record. One point read where the id says its collection; otherwise as above.
Result<Found> find_living(Call& call, const std::string& id);

Error no_such_record(std::string_view id);

}  // namespace mayfly::centrali
