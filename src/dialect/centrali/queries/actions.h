// Lists, queries and counts: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

Result<net::Response> list_records(CentraliCall& call);
Result<net::Response> query_records(CentraliCall& call);
Result<net::Response> count_records(CentraliCall& call);
// The records of these ids, in the requested order; missing ones are left out.
Result<net::Response> read_records_by_ids(CentraliCall& call);

}  // namespace mayfly::centrali
