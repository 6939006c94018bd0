// The internal collections in which a dialect keeps what it needs beside its clients' documents.
#pragma once

#include "db/database.h"

namespace mayfly {

// The internal collection of the specification's name; made where it is missing. Never null. Fails
// with not_found where there is no such database, contended where it has just been dropped.
Result<CollectionPtr> internal_collection(Database& database, DatabaseId of,
                                          const CollectionSpec& spec);

}  // namespace mayfly
