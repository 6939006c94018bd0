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
  std::string id;  // for those whose body does not say it
  Value body;
  IfMatch if_match;
  std::string if_none_match;
  std::optional<PartitionValues> key;  // its own; nothing: the request's
  bool is_minimal = false;
};
Result<std::vector<BatchOperation>> parse_batch(const Value& body);

// What came of one.
struct Outcome {
  int status = 0;
  int substatus = 0;
  std::string message;
  DocumentKey key;
  std::optional<Document> document;  // to be shown; its version is known with the commit
  Bytes packed;                      // the body it had, where a later operation changes it again
  bool is_own = false;               // the document is as this transaction has written it
};

// Runs one operation in the transaction, which then may hold its writes. What has gone wrong is an
// outcome, too; it fails only where the transaction is to run again.
Result<Outcome> run_operation(Call& call, Transaction& transaction, const Container& container,
                              const BatchOperation& operation, const std::optional<Bytes>& routing);

}  // namespace mayfly::cosmos
