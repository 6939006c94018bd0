// References: fields that name records. What they name is alive when it is written, and what
// happens to them when that record is deleted is said by the property's onDelete. An expiry is no
// deletion: it leaves references as they are.
#pragma once

#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/write.h"

namespace mayfly::centrali {

// Adds to call.details each reference in the data that names no living record of its target.
Result<void> check_references(Call& call, Transaction& transaction, const Structure& structure,
                              const Object& data);

// Removes the record, after the records that refer to it have been refused (exists), removed or
// emptied, as their properties ask for. `depth` counts the removals that led here. Fails with
// too_large over limits::cascade_records_max and limits::cascade_depth_max.
Result<void> remove_found(Call& call, Transaction& transaction, const Found& found, Removal how,
                          std::size_t depth);

}  // namespace mayfly::centrali
