// The subscription of a webhook. It has the webhook's id and is changed in the same transaction.
#pragma once

#include "delivery/deliveries.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly::centrali {

// Creates or changes the subscription to match the webhook. `workspace` is null if it has no
// structures. A webhook that becomes active gets no earlier events, but the deliveries that were
// pending. The caller holds Deliveries::SubscriptionChange.
Result<void> put_subscription(Transaction& transaction, DatabaseId database,
                              const WorkspacePtr& workspace, const Webhook& webhook);

// Sends the message again, with attempts of its own. A pending message is sent immediately. The
// caller holds Deliveries::SubscriptionChange.
Result<void> send_again(Transaction& transaction, DatabaseId database, delivery::LogRow row);

}  // namespace mayfly::centrali
