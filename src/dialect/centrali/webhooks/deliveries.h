// What can be done with the deliveries of webhooks: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_deliveries(CentraliCall& call);
Result<net::Response> read_delivery(CentraliCall& call);
Result<net::Response> replay_delivery(CentraliCall& call);
Result<net::Response> cancel_delivery(CentraliCall& call);

}  // namespace mayfly::centrali
