// The retention of a structure's collection: how long it keeps versions, archived records and
// events.
#pragma once

#include "db/database.h"
#include "value/value.h"

namespace mayfly::centrali {

// Versions are kept for retentionPolicy.historySeconds, or else for 30 days if enableVersioning is
// true and for a day if it is not. The day is as long as events are kept, which show the earlier
// data of a record. Archived records are kept for retentionPolicy.archiveSeconds, or else for 30
// days. 0 is not at all. Fails with invalid.
Result<void> set_retention(const Object& facet, CollectionChange& change);

// The same for a structure that `body` changes from `before` to `after`. Only retentions that the
// body sets or removes change. Others stay, even if another API has set them.
Result<void> change_retention(const Object& body, const Object& before, const Object& after,
                              CollectionChange& change);

}  // namespace mayfly::centrali
