// A document after a patch, within a transaction. It is not written.
#pragma once

#include "db/write/transaction.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/writes/patch.h"

namespace mayfly::cosmos {

// Fails with not_found, with stale if the patch's condition does not hold, and with invalid.
Result<NewDocument> patched(Transaction& transaction, const Container& container,
                            const DocumentKey& key, const Patch& patch);

}  // namespace mayfly::cosmos
