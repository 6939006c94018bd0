// Queries across partitions: which of them a request may make, and which are handed back to the
// client with a plan, to be asked range by range. Source: spec cosmos.md, section 15, and the
// addendum, section 1.
#pragma once

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/plan/plan.h"

namespace mayfly::cosmos {

// Fails with invalid where the query is across partitions and the request does not allow that; and
// where its rows are to be put together by the client, with the plan as `call.additional_info`.
Result<void> check_across(Call& call, const Container& container, const Restriction& restriction,
                          const sql::Query& query, const sql::Asked& asked, Instant now);

// Fails with invalid where the rows cannot be put together from those of the container's ranges.
Result<void> check_mergeable(const Container& container, const sql::Query& query);

}  // namespace mayfly::cosmos
