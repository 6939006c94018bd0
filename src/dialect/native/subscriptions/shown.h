// Subscriptions and dead letters on the wire.
#pragma once

#include "delivery/deliveries.h"

namespace mayfly::native {

// `shows_secret`: whether to include the secret, which only the answer to its creation does.
Value to_value(const delivery::Subscription& subscription, const delivery::Target* target,
               const delivery::SubscriptionState& state, bool shows_secret = false);
Value to_value(const delivery::DeadLetter& letter);

}  // namespace mayfly::native
