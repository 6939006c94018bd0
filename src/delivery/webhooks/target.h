// Webhooks: a message is the body of a POST, signed as Standard Webhooks asks for.
#pragma once

#include <functional>
#include <memory>

#include "delivery/target.h"
#include "net/calls/caller.h"

namespace mayfly::delivery {

// Begins a call, and ends it by its second argument, in any thread: net::Caller::call.
using SendCall = std::function<void(net::Call, net::Caller::Done)>;

// Settings: `url`, `secret` ("whsec_…"), which is made where it is not given, and `batch_max`, with
// which a body is a list of so many messages at most. An answer in 2xx
// takes the message; 408, 425, 429 and 5xx say that the target is away; any other refuses it.
// `reach`: where a url may lead; addresses are judged when they have been resolved.
std::unique_ptr<Target> webhook_target(SendCall send, net::Reach reach);

}  // namespace mayfly::delivery
