// Webhooks as earlier versions kept them: with a place of their own in the feeds, and a row for
// each delivery.
#pragma once

#include "db/database.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

// Gives each webhook that has none its subscription, from that place on; what was pending is sent,
// what had ended is listed no more. Where it fails that is logged, and the next start tries again.
void take_over_webhooks(Database& database, Directory& directory);

}  // namespace mayfly::centrali
