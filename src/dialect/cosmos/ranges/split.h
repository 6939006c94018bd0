// Splitting the key ranges of a container whose throughput needs more of them.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// Splits the key ranges of the container if there are too few for that many request units per
// second. This is one commit with the writes of `request`, which may run several times and must not
// use the container's documents. Ranges are never merged. Fails as `request` does, with contended
// if others keep changing the container, and otherwise as the database does. Then nothing has
// changed.
Result<void> split_ranges(CosmosCall& call, CollectionId container, std::int64_t units,
                          const Database::Work& request);

}  // namespace mayfly::cosmos
