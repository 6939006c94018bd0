// Paths that a policy includes by a wildcard get their index when queries need it
// (docs/decisions/0038-indexes-by-use.md).
#pragma once

#include "dialect/cosmos/containers/container.h"
#include "query/run.h"

namespace mayfly::cosmos {

// Whether the container has an index with the query's order, and the query has no filter.
bool has_index_of_order(const Container& container, const query::Query& asked);
// Requests the index by which the query would have read much less for this page, if there is one
// and the policy includes its path.
void request_index(Database& database, const Container& container, const query::Query& asked,
                   const query::RowsPage& page);

}  // namespace mayfly::cosmos
