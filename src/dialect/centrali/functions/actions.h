// What can be done with compute functions and their runs: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_functions(Call& call);
Result<net::Response> create_function(Call& call);
Result<net::Response> read_function(Call& call);
Result<net::Response> update_function(Call& call);
Result<net::Response> remove_function(Call& call);

Result<net::Response> list_runs(Call& call);
Result<net::Response> list_runs_of_function(Call& call);
Result<net::Response> list_runs_of_trigger(Call& call);
Result<net::Response> read_run(Call& call);

}  // namespace mayfly::centrali
