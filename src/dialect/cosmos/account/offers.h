// Offers: the throughput that a database or container was given. It is kept and reported, limits
// nothing, and divides a container into key ranges. Source: spec cosmos.md, section 22.
#pragma once

#include <optional>

#include "base/result.h"
#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

// What the headers of a creation ask for; missing: nothing. Fails with invalid.
Result<Value> asked_throughput(const Call& call);
// The request units that it comes to; the most of an automatic one.
std::int64_t units_of(const Value& content);
// Keeps it for a resource of that rid.
Result<void> keep_throughput(Call& call, const DatabaseInfo& database, BytesView resource_rid,
                             Value content);

}  // namespace mayfly::cosmos
