// References: fields that name records. The named record is alive when the reference is written.
// The property's onDelete tells what happens to the reference when that record is deleted. An
// expiry is no deletion: it leaves references as they are.
#pragma once

#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/write.h"

namespace mayfly::centrali {

// Adds an error to call.details for each reference in the data that names no living record of its
// target.
Result<void> check_references(CentraliCall& call, Transaction& transaction,
                              const Structure& structure, const Object& data);

// Removes the record. Before that, the records that refer to it are removed or their references
// emptied, as their properties say, or else the removal fails with exists. `depth` counts the
// removals that led here. Fails with too_large over limits::cascade_records_max and
// limits::cascade_depth_max.
Result<void> remove_found(CentraliCall& call, Transaction& transaction, const FoundRecord& found,
                          Removal how, std::size_t depth);

}  // namespace mayfly::centrali
