// Offers: the throughput of a database or container. It is stored and reported, limits nothing, and
// determines the number of key ranges of a container. Source: spec cosmos.md, section 22.
#pragma once

#include <optional>

#include "base/result.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The content of the offer that the headers of a creation request name; missing if they name none.
// Fails with invalid.
Result<Value> requested_throughput(const CosmosCall& call);
// The request units per second in the content of an offer; of an automatic one, the maximum. 0 if
// it has none.
std::int64_t units_of(const Value& content);
// Stores the content of the offer of the database or container with that rid, in a transaction of
// its own. Replaces an earlier one.
Result<void> store_throughput(CosmosCall& call, const DatabaseInfo& database,
                              BytesView resource_rid, Value content);

}  // namespace mayfly::cosmos
