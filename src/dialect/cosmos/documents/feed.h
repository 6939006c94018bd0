// Pages of rows: how large, and where they go on.
#pragma once

#include <optional>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "query/run.h"

namespace mayfly::cosmos {

// From x-ms-max-item-count and x-ms-continuation. Fails with invalid.
Result<query::RunOptions> paging_of(const Call& call);
void add_continuation(const query::RowsPage& page, net::Response& response);

// The living documents of a container, or of those that the request is restricted to.
query::QueryPtr documents_of(const Container& container, const Lens& lens,
                             const std::optional<Restriction>& restriction);
// By creation, the first first.
query::QueryPtr in_order_of_creation(query::QueryPtr query);

}  // namespace mayfly::cosmos
