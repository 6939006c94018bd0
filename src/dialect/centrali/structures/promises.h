// What a structure's collection promises beside a default lifetime: how long it keeps versions,
// archived records and events.
#pragma once

#include "db/database.h"
#include "value/value.h"

namespace mayfly::centrali {

// Versions: retentionPolicy.historySeconds, or else 30 days where enableVersioning is true and a
// day where it is not: as long as events are told, which show what a record was before. Archived
// records: retentionPolicy.archiveSeconds, or else 30 days. 0 is not at all. Fails with invalid.
Result<void> promise_keeping(const Object& facet, CollectionChange& change);

// The same for a structure that changes from `before` to `after` by `body`: only what the body says
// or takes back. What others have set of the rest stays.
Result<void> change_keeping(const Object& body, const Object& before, const Object& after,
                            CollectionChange& change);

}  // namespace mayfly::centrali
