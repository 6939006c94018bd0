// Writing one document, in a transaction that may do more.
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/document.h"

namespace mayfly::cosmos {

enum class WriteMode : std::uint8_t { create, upsert, replace };
PutOptions::Expect expectation(WriteMode mode);

// If-Match: no condition, any version, or one version.
struct IfMatch {
  bool is_given = false;
  bool is_any = false;
  Instant written_at;  // an instant of no version if the tag is not one of this server
};
IfMatch parse_if_match(std::string_view header);

struct WriteResult {
  bool is_new = false;
  DocumentKey key;
};

// The substatus for a document whose partition key differs from that of the request.
inline constexpr int key_differs_substatus = 1001;

// Puts the document in the transaction. For a new document, `if_match` is ignored. Fails with
// exists, not_found, stale, invalid, too_large, with the service's messages; so does the next.
Result<WriteResult> write_document(RidNumbers& numbers, Transaction& transaction,
                                   const Container& container, NewDocument document, WriteMode mode,
                                   const IfMatch& if_match);
Result<void> remove_document(Transaction& transaction, const Container& container,
                             const DocumentKey& key, const IfMatch& if_match);

// The error of the database with the service's message; unchanged if the service has none for it.
Error with_service_message(Error error);

}  // namespace mayfly::cosmos
