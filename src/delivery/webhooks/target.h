// Webhooks: a message is the body of a POST, signed as Standard Webhooks requires.
#pragma once

#include <functional>
#include <memory>

#include "delivery/target.h"
#include "net/calls/caller.h"

namespace mayfly::delivery {

// Starts a call and calls its second argument at the end, in any thread: net::Caller::call.
using SendCall = std::function<void(net::OutgoingCall, net::Caller::Done)>;

// Settings: `url`; `secret` ("whsec_…"), generated if it is missing; and `batch_max`, with which a
// body is a list of at most that many messages. An answer of 2xx means taken; 408, 425, 429 and 5xx
// mean that the target is away; any other means refused. `address_policy`: where a url may lead;
// addresses are checked once they are resolved.
std::unique_ptr<Target> webhook_target(SendCall send, net::AddressPolicy address_policy);

}  // namespace mayfly::delivery
