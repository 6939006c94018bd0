// The names of aggregates in plans, and the parts of an aggregate that each partition returns.
#pragma once

#include <string_view>

#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos {

// The plan's name of the aggregate that the expression calls; empty if it calls none.
std::string_view aggregate_in_plan(const sql::Scalar& scalar);

// {"item": …}, with the further members that the client needs of an average, minimum or maximum.
// The expression must be an aggregate.
sql::ScalarPtr part_of_aggregate(const sql::ScalarPtr& scalar);

}  // namespace mayfly::cosmos
