// What can be done with one record: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> create_record(Call& call);
Result<net::Response> read_record(Call& call);
Result<net::Response> patch_record(Call& call);
Result<net::Response> replace_record(Call& call);
Result<net::Response> remove_record(Call& call);
Result<net::Response> restore_record(Call& call);

}  // namespace mayfly::centrali
