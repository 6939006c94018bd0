// ORDER BY RANK, which clients evaluate. They query every partition for statistics of the texts.
// Then they send one query for each part of the rank, with the statistics filled in, and merge the
// rows by their ranks in each (RRF). Source: spec cosmos.md, section 15.1.
#pragma once

#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

bool asks_for_rank(const sql::Query& query);

// Fails with invalid as the query itself would, and if it cannot be merged from its parts.
Result<HybridPlan> make_hybrid_plan(const sql::Query& query, const sql::QueryInput& input,
                                    const Definition& definition, Instant now);

}  // namespace mayfly::cosmos
