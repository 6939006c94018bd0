// Databases in protected mode refuse changes of definitions that lose data: an earlier expiration
// of documents, a shorter history, the deletion of a collection.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Whether the run's database is protected. It may set this itself or inherit it from an ancestor
// (documents/environment.h).
Result<bool> is_protected(Interpreter& run);
// Checks a change of a collection's definition. `sets_history`: `after` sets `history_days`
// explicitly.
void check_protected(const FqlObject& before, const FqlObject& after, bool sets_history,
                     Failures& failures);
// Adds the failure of a collection that is to be deleted.
void refuse_deletion(Failures& failures);

}  // namespace mayfly::fauna
