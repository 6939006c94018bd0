// A container is given more key ranges, because its throughput asks for them.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// Divides the key ranges of the container until there are as many as so many request units ask for,
// in one commit with what `request` writes, which does not use the container's documents. Never
// merges any. Nothing has changed where this fails: as `request` does, with contended where others
// keep changing the container, and otherwise as the database does.
Result<void> split_ranges(Call& call, CollectionId container, std::int64_t units,
                          const Database::Work& request);

}  // namespace mayfly::cosmos
