// Holds, looked for before a request that removes much: it is refused as a whole, before anything
// is gone. A hold that is set behind the look still refuses what it is on.
#pragma once

#include "db/read/view.h"

namespace mayfly {

// Whether a document of the collection is under hold, living or removed.
Result<bool> has_holds(View& view, const Collection& collection);

// Each fails with forbidden where a document is under hold, as the removal itself would.
Result<void> check_droppable(View& view, const Collection& collection);
Result<void> check_droppable(View& view, const DatabaseInfo& database);
Result<void> check_removable(const Document& document);

}  // namespace mayfly
