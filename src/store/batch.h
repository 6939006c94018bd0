// The check of a commit that every engine makes before it reads the rows.
#pragma once

#include "store/store.h"

namespace mayfly::store {

// Fails with too_large, naming the limit, if the batch exceeds an engine's limits.
Result<void> fits(const CommitBatch& batch, const Limits& limits);

}  // namespace mayfly::store
