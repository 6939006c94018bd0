// What can be done with function triggers: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_triggers(Call& call);
Result<net::Response> create_trigger(Call& call);
Result<net::Response> read_trigger(Call& call);
Result<net::Response> update_trigger(Call& call);
Result<net::Response> remove_trigger(Call& call);
Result<net::Response> pause_trigger(Call& call);
Result<net::Response> resume_trigger(Call& call);

// Both run the function within the request and answer when it has ended. The first answers with the
// run, the second with the function's result.
Result<net::Response> invoke_trigger(Call& call);
Result<net::Response> answer_http_trigger(Call& call);

}  // namespace mayfly::centrali
