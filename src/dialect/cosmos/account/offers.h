// Offers: the throughput of a database or container. It is stored and reported, limits nothing, and
// determines the number of key ranges of a container. Source: spec cosmos.md, section 22.
#pragma once

#include <optional>

#include "base/result.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The throughput that the headers of a creation request; missing: none. Fails with invalid.
Result<Value> requested_throughput(const CosmosCall& call);
// The request units of an offer; of an automatic one, the maximum.
std::int64_t units_of(const Value& content);
// Stores the throughput for the resource of that rid.
Result<void> store_throughput(CosmosCall& call, const DatabaseInfo& database,
                              BytesView resource_rid, Value content);

}  // namespace mayfly::cosmos
