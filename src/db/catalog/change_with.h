// A change of a collection that is committed together with the writes of a transaction: both or
// neither.
#pragma once

#include "db/database.h"

namespace mayfly {

// At most one for a transaction, which must not use that collection itself. The commit fails as
// Database::change_collection does. The transaction's own view does not show the change.
void change_with(Transaction& transaction, CollectionId id, CollectionChange change);

}  // namespace mayfly
