// Aggregates as plans name them, and the parts of one that rows of several partitions are put
// together from.
#pragma once

#include <string_view>

#include "dialect/cosmos/sql/ast.h"

namespace mayfly::cosmos {

// What plans call the aggregate that the expression is a call of; empty where it is none.
std::string_view aggregate_in_plan(const sql::Scalar& scalar);

// {"item": …}, with what else the client needs of an average, minimum or maximum. The expression is
// an aggregate.
sql::ScalarPtr part_of_aggregate(const sql::ScalarPtr& scalar);

}  // namespace mayfly::cosmos
