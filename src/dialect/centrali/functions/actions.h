// What can be done with compute functions and their runs: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_functions(CentraliCall& call);
Result<net::Response> create_function(CentraliCall& call);
Result<net::Response> read_function(CentraliCall& call);
Result<net::Response> update_function(CentraliCall& call);
Result<net::Response> remove_function(CentraliCall& call);

Result<net::Response> list_runs(CentraliCall& call);
Result<net::Response> list_runs_of_function(CentraliCall& call);
Result<net::Response> list_runs_of_trigger(CentraliCall& call);
Result<net::Response> read_run(CentraliCall& call);

}  // namespace mayfly::centrali
