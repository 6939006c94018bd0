// Webhooks as earlier versions stored them: with a feed position of their own, and a row for each
// delivery.
#pragma once

#include "db/database.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

// Creates the subscription of each webhook that has none, from that position on. Pending deliveries
// are sent; ended ones are no longer listed. A failure is logged, and the next start tries again.
void migrate_webhooks(Database& database, Directory& directory);

}  // namespace mayfly::centrali
