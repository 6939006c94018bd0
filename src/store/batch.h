// What every engine asks of a commit before it looks at its rows.
#pragma once

#include "store/store.h"

namespace mayfly::store {

// Fails with too_large, naming the limit, where the batch has more than an engine can take.
Result<void> fits(const CommitBatch& batch, const Limits& limits);

}  // namespace mayfly::store
