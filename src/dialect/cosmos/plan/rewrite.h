// Queries as partitions are asked them: with what the client needs to put rows together.
#pragma once

#include <string>

#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

// [{"item": key}, …] AS groupByItems, and the rows AS payload, with aggregates in their parts.
// Fills the plan's groups and aggregates. TOP, OFFSET and DISTINCT are left to the client.
sql::Query rewrite_groups(const sql::Query& query, QueryPlan& plan);

// c._rid, [{"item": value}, …] AS orderByItems, and the rows AS payload, behind the place of a
// filter that resumes. `document` is the name that the query has for it. The plan's order is the
// caller's to fill. DISTINCT is left to the client.
sql::Query rewrite_order(const sql::Query& query, const std::string& document);

}  // namespace mayfly::cosmos
