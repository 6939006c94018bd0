// Lists, queries and counts: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_records(Call& call);
Result<net::Response> query_records(Call& call);
Result<net::Response> count_records(Call& call);
// The records of these ids, in the requested order; missing ones are left out.
Result<net::Response> read_records_by_ids(Call& call);

}  // namespace mayfly::centrali
