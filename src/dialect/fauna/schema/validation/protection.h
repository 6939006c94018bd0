// Databases in protected mode refuse changes that would make documents expire or purge versions.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Whether the run's database is protected: its parent, or a higher ancestor, sets this.
Result<bool> is_protected(Interpreter& run);
// Checks a change of a collection's definition. `sets_history`: `after` sets `history_days`
// explicitly.
void check_protected(const FqlObject& before, const FqlObject& after, bool sets_history,
                     Failures& failures);
// Adds the failure of a collection that is to be deleted.
void refuse_deletion(Failures& failures);

}  // namespace mayfly::fauna
