// A document as a patch leaves it, within a transaction.
#pragma once

#include "db/write/transaction.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/writes/patch.h"

namespace mayfly::cosmos {

// Fails with not_found, stale where the patch's condition does not hold, invalid.
Result<NewDocument> patched(Transaction& transaction, const Container& container,
                            const DocumentKey& key, const Patch& patch);

}  // namespace mayfly::cosmos
