// The subscription of a webhook: it has the webhook's id, and is changed in the same transaction.
#pragma once

#include "delivery/deliveries.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly::centrali {

// Makes or changes it, as the webhook has become. `workspace`: null where it has no structures. One
// that becomes active is sent no events from before, but what was pending. Deliveries::Change is
// held.
Result<void> put_subscription(Transaction& transaction, DatabaseId database,
                              const WorkspacePtr& workspace, const Webhook& webhook);

// The message is sent again, with attempts of its own; one that is pending, at once.
// Deliveries::Change is held.
Result<void> send_again(Transaction& transaction, DatabaseId database, delivery::LogRow row);

}  // namespace mayfly::centrali
