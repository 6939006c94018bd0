// Databases in protected mode: what would make documents die, or versions be forgotten, is refused.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Whether the run's database is: by what its parent says of it, or one above that.
Result<bool> is_protected(Interpreter& run);
// Of a collection's definition; `says_history`: the one after says `history_days` itself.
void check_protected(const FqlObject& before, const FqlObject& after, bool says_history,
                     Failures& failures);
// Adds the failure of a collection that is to be deleted.
void refuse_deletion(Failures& failures);

}  // namespace mayfly::fauna
