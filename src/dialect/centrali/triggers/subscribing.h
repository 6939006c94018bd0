// The subscription of an event-driven trigger. It has the trigger's id and is changed in the same
// transaction.
#pragma once

#include "delivery/deliveries.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

// The owner of the subscription (Subscription::owner).
inline constexpr std::string_view subscription_owner = "centrali";

// Fails with unsupported if the trigger needs a subscription and the server delivers no events.
Result<void> check_subscribing(const CentraliCall& call, const Trigger& trigger);
// Creates, changes or removes the subscription to match the trigger, which was `before` until now.
// The caller holds Deliveries::SubscriptionChange.
Result<void> put_subscription(CentraliCall& call, Transaction& transaction, DatabaseId workspace,
                              const Trigger& before, const Trigger& trigger);
// It is no error if there is none.
Result<void> remove_subscription(Transaction& transaction, DatabaseId workspace,
                                 const std::string& trigger);

}  // namespace mayfly::centrali
