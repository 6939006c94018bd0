// A query within an expression. Its input is the row that the expression is evaluated on (Outer),
// and it reads what that row holds. It is planned once (plan_nested in planning/planner.h), and has
// no pages.
#pragma once

#include <cstddef>
#include <vector>

#include "expr/evaluation/meter.h"
#include "expr/evaluation/scope.h"
#include "query/plan.h"

namespace mayfly::query {

// Its rows as values, at most `rows_max`; further rows are not computed. `outer` is the scope
// around the query. Fails as its expressions do, with too_large over limits::sort_rows_max rows or
// limits::query_bytes_max, and with timed_out as the meter says.
Result<std::vector<Value>> run_nested(const PlanTree& tree, const Scope& outer, Meter& meter,
                                      std::size_t rows_max);

}  // namespace mayfly::query
