// ORDER BY RANK as clients answer it: they ask every partition for statistics of the texts, then
// one query for each part of the rank, with the statistics in their places; and put the rows
// together by their ranks in each (RRF). Source: spec cosmos.md, section 15.1.
#pragma once

#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

bool asks_for_rank(const sql::Query& query);

// Fails with invalid as the query itself would, and where it cannot be put together from its parts.
Result<HybridPlan> make_hybrid_plan(const sql::Query& query, const sql::Asked& asked,
                                    const Definition& definition, Instant now);

}  // namespace mayfly::cosmos
