// What can be done with webhook subscriptions: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_webhooks(Call& call);
Result<net::Response> create_webhook(Call& call);
Result<net::Response> read_webhook(Call& call);
Result<net::Response> update_webhook(Call& call);
Result<net::Response> remove_webhook(Call& call);
Result<net::Response> rotate_webhook_secret(Call& call);

}  // namespace mayfly::centrali
