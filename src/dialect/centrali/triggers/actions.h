// What can be done with function triggers: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_triggers(CentraliCall& call);
Result<net::Response> create_trigger(CentraliCall& call);
Result<net::Response> read_trigger(CentraliCall& call);
Result<net::Response> update_trigger(CentraliCall& call);
Result<net::Response> remove_trigger(CentraliCall& call);
Result<net::Response> pause_trigger(CentraliCall& call);
Result<net::Response> resume_trigger(CentraliCall& call);

// Both run the function within the request and answer when it has ended. The first answers with the
// run, the second with the function's result.
Result<net::Response> invoke_trigger(CentraliCall& call);
Result<net::Response> answer_http_trigger(CentraliCall& call);

}  // namespace mayfly::centrali
