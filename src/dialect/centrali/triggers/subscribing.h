// The subscription of a trigger that is about events: it has the trigger's id, and is changed in
// the same transaction.
#pragma once

#include "delivery/deliveries.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// Who has made the subscription (Subscription::owner).
inline constexpr std::string_view subscription_owner = "centrali";

// Fails with unsupported where the trigger needs one and the server delivers no events.
Result<void> check_subscribing(const Call& call, const Trigger& trigger);
// Makes, changes or removes it, as the trigger has become. Deliveries::Change is held.
Result<void> put_subscription(Call& call, Transaction& transaction, DatabaseId workspace,
                              const Trigger& trigger);
// None is not an error.
Result<void> remove_subscription(Transaction& transaction, DatabaseId workspace,
                                 const std::string& trigger);

}  // namespace mayfly::centrali
