// Checks for holds before a request that removes much: the request is refused as a whole, before
// anything is removed. A hold that is set after the check still protects its document.
#pragma once

#include "db/read/view.h"

namespace mayfly {

// Whether a document of the collection is under hold, living or removed.
Result<bool> has_holds(View& view, const Collection& collection);

// Each fails with forbidden if a document is under hold, as the removal itself would.
Result<void> check_droppable(View& view, const Collection& collection);
Result<void> check_droppable(View& view, const DatabaseInfo& database);
Result<void> check_removable(const Document& document);

}  // namespace mayfly
