// What can be done with webhook subscriptions and their deliveries: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_webhooks(Call& call);
Result<net::Response> create_webhook(Call& call);
Result<net::Response> read_webhook(Call& call);
Result<net::Response> update_webhook(Call& call);
Result<net::Response> remove_webhook(Call& call);
Result<net::Response> rotate_webhook_secret(Call& call);

Result<net::Response> list_deliveries(Call& call);
Result<net::Response> read_delivery(Call& call);
Result<net::Response> replay_delivery(Call& call);
Result<net::Response> cancel_delivery(Call& call);

}  // namespace mayfly::centrali
