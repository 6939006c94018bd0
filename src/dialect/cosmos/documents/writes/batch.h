// Several operations in one request: all of them or none (a batch), or each by itself (bulk).
// Source: spec cosmos.md, section 12.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct BatchOperation {
  enum class Kind : std::uint8_t { create, upsert, read, replace, patch, remove };
  Kind kind = Kind::create;
  std::string id;  // for operations whose body does not contain it
  Value body;
  IfMatch if_match;
  std::string if_none_match;
  std::optional<PartitionValues> key;  // the operation's own; nothing: that of the request
  bool is_minimal = false;
};
// Fails with invalid, also beyond limits::batch_operations_max.
Result<std::vector<BatchOperation>> parse_batch(const Value& body);

// The result of one operation. A status of 400 or more, as in HTTP: it has failed.
struct OperationResult {
  int status = 0;
  int substatus = 0;
  std::string message;
  DocumentKey key;
  std::optional<Document> document;  // to be shown; its version is known at the commit
  Bytes packed;         // its body at that time, in case a later operation changes it again
  bool is_own = false;  // this transaction has written the document
};

// Runs one operation in the transaction. `routing`: the partition; nothing: the operation's body
// determines it. A failed operation is a result, too: the caller decides whether the transaction
// commits. The function itself fails only, with contended, if the transaction must run again.
Result<OperationResult> run_operation(CosmosCall& call, Transaction& transaction,
                                      const Container& container, const BatchOperation& operation,
                                      const std::optional<Bytes>& routing);

}  // namespace mayfly::cosmos
