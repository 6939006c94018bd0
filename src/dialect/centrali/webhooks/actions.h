// What can be done with webhook subscriptions: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_webhooks(CentraliCall& call);
Result<net::Response> create_webhook(CentraliCall& call);
Result<net::Response> read_webhook(CentraliCall& call);
Result<net::Response> update_webhook(CentraliCall& call);
Result<net::Response> remove_webhook(CentraliCall& call);
Result<net::Response> rotate_webhook_secret(CentraliCall& call);

}  // namespace mayfly::centrali
