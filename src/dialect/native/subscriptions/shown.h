// Subscriptions and dead letters on the wire.
#pragma once

#include "delivery/deliveries.h"

namespace mayfly::native {

// `secret`: to be shown this once, to the client that has just made it.
Value to_value(const delivery::Subscription& subscription, const delivery::Target* target,
               const delivery::SubscriptionState& state, bool shows_secret = false);
Value to_value(const delivery::DeadLetter& letter);

}  // namespace mayfly::native
