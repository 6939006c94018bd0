#include "dialect/cosmos/documents/patched.h"

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/query_text.h"

namespace mayfly::cosmos {

Result<NewDocument> patched(Transaction& transaction, const Container& container,
                            const DocumentKey& key, const Patch& patch) {
  View& view = transaction.view();
  const auto current = TRY(view.get(*container.collection, key, view.live()));
  if (!current) return tl::unexpected(no_such_resource());
  if (!patch.condition.empty() &&
      !TRY(fits(patch.condition, container, *current, transaction.now()))) {
    return tl::unexpected(condition_failed());
  }
  Value body = current->body.unpack();
  TRY(apply(patch, body));
  return take_document(body, container.definition);
}

}  // namespace mayfly::cosmos
