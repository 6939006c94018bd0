// Finding records by id, where the client does not name the structure.
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

struct FoundRecord {
  StructurePtr structure;
  Document document;
};

// A structure that is searched for an id. An id alone finds no document with a partition key. The
// partitions of a structure are searched only if the request or the id itself names it.
struct Candidate {
  StructurePtr structure;
  bool is_named = false;
};
using Candidates = std::vector<Candidate>;

// The structures of the workspace to search for the id. The one that the id was made for and
// `named` come first and count as named.
Candidates candidates_in(const Workspace& workspace, std::string_view id,
                         const StructurePtr& named = nullptr);
// Where to search for a record: the structure that the body names for it (`in_body`), or else the
// one that the request names (in its path, or as structureId or collectionId), or else all of the
// workspace. Fails with not_found if the named structure does not exist.
Result<Candidates> candidates_of(CentraliCall& call, const CatalogPtr& catalog,
                                 const std::string& id, const std::string& in_body = "");

// The record in the first candidate where the lens sees it. Fails with not_found.
Result<FoundRecord> find_record(const Candidates& candidates, const std::string& id, View& view,
                                const Lens& lens);
// A view in which the archives of the candidates are complete: all expirations up to its now are
// recorded (Database::up_to_date_view).
Result<View> view_with_archive(CentraliCall& call, const Candidates& candidates);
// Whether the query string requests archived records, too.
Result<bool> includes_archived(const net::Request& request);

// A record, and the view that it was read through.
struct RecordAndView {
  View view;
  FoundRecord found;
};
// Searches where the request says, or anywhere in the workspace. Fails with not_found.
Result<RecordAndView> find_with_view(CentraliCall& call, const std::string& id, bool with_archived);

// The first of the candidates whose archive has the record; null if there is none.
Result<StructurePtr> find_archived(const Candidates& candidates, const DocumentKey& key,
                                   Transaction& transaction);
// The living record. One point read if the id tells its collection; otherwise as above.
Result<FoundRecord> find_living(CentraliCall& call, const std::string& id);

Error no_such_record(std::string_view id);

}  // namespace mayfly::centrali
