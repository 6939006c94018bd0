// A change of a collection that is committed together with what a transaction writes: both, or
// neither.
#pragma once

#include "db/database.h"

namespace mayfly {

// At most one of a transaction, which does not use the collection itself. The commit fails as
// Database::change_collection does; the transaction's own view does not show the change.
void change_with(Transaction& transaction, CollectionId id, CollectionChange change);

}  // namespace mayfly
