// A container is given more key ranges, because its throughput asks for them.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// Divides the key ranges of the container until there are as many as so many request units ask for.
// Never merges any. The container is as it was, or has an index too many, where this fails: with
// contended where others keep changing the container, and otherwise as the database does.
Result<void> split_ranges(Call& call, CollectionId container, std::int64_t units);

}  // namespace mayfly::cosmos
