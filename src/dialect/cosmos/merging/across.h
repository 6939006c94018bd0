// Queries across partitions: which of them a request may make, and which are refused with a plan,
// by which the client queries range by range. Source: spec cosmos.md, section 15, and the addendum,
// section 1.
#pragma once

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

// Fails with invalid if the query is across partitions and the request does not allow that. Fails
// with invalid, and with the plan in `call.additional_info`, if the client has to merge the rows;
// that is always so for ORDER BY RANK.
Result<void> check_cross_partition(CosmosCall& call, const Container& container,
                                   const Restriction& restriction, const sql::Query& query,
                                   const sql::QueryInput& input, Instant now);

// Fails with invalid if the rows cannot be merged from those of the container's ranges.
Result<void> check_mergeable(const Container& container, const sql::Query& query);

}  // namespace mayfly::cosmos
