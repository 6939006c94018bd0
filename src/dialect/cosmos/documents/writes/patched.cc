#include "dialect/cosmos/documents/writes/patched.h"

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
  // Other dialects may store the id beside the body.
  body.mutable_object().set("id", key.id);
  TRY(apply(patch, body));
  NewDocument document = TRY(take_document(body, container.definition));
  if (document.routing == key.routing) return document;
  return tl::unexpected(bad_request("A patch cannot change the partition key of a document."));
}

}  // namespace mayfly::cosmos
