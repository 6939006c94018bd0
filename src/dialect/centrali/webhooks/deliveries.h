// What can be done with the deliveries of webhooks: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_deliveries(Call& call);
Result<net::Response> read_delivery(Call& call);
Result<net::Response> replay_delivery(Call& call);
Result<net::Response> cancel_delivery(Call& call);

}  // namespace mayfly::centrali
