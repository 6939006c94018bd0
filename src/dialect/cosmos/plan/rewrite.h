// Queries rewritten for partitions, with the values that the client needs to merge rows.
#pragma once

#include <string>

#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

// [{"item": key}, …] AS groupByItems, and the rows AS payload, in which part_of_aggregate()
// replaces aggregates; for a SELECT VALUE without GROUP BY the payload alone. Fills the plan's
// groups and aggregates. The client does TOP, OFFSET and DISTINCT.
sql::Query rewrite_groups(const sql::Query& query, QueryPlan& plan);

// c._rid, [{"item": value}, …] AS orderByItems, and the rows AS payload, after the placeholder of a
// filter by which the client resumes. `document` is the document's name in the query. The caller
// fills the plan's order. The client does DISTINCT.
sql::Query rewrite_order(const sql::Query& query, const std::string& document);

}  // namespace mayfly::cosmos
