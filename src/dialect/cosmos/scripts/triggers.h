// Triggers: scripts that run before or after the write of a document, in its transaction, if the
// request's headers name them. Source: spec cosmos.md, sections 2.1 and 24.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/write/transaction.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/scripts/runtime/request_scripts.h"

namespace mayfly::cosmos {

bool names_triggers(const CosmosCall& call);
// For actions that run no triggers: fails with invalid if the request names any.
Result<void> refuse_triggers(const CosmosCall& call);

enum class WriteOperation : std::uint8_t { create, upsert, replace, remove };

// The triggers of one request. Threads: one at a time.
class Triggers {
 public:
  // Waits until the request may run scripts, if it names triggers. Fails with invalid if it names
  // too many.
  static Result<Triggers> of(CosmosCall& call, WriteOperation operation);

  // Runs the pre-triggers. Returns the request's body as they changed it; nothing if none ran.
  // Fails with invalid if one throws, is unknown, or is not for this operation.
  Result<std::optional<std::string>> before(Transaction& transaction, const Container& container);
  // The same for a request that only patches a document: `body` is the patched document.
  Result<std::optional<Value>> before(Transaction& transaction, const Container& container,
                                      Value body);
  // Runs the post-triggers. `key`: the document that has been written or removed. Returns the
  // answer's body as they changed it; nothing if they did not change it.
  Result<std::optional<Value>> after(Transaction& transaction, const Container& container,
                                     const DocumentKey& key);

 private:
  Triggers(CosmosCall& call, WriteOperation operation) : call_(call), operation_(operation) {}

  CosmosCall& call_;
  WriteOperation operation_;
  std::optional<RequestScripts> scripts_;  // if it names any
  std::vector<std::string> before_;
  std::vector<std::string> after_;
};

}  // namespace mayfly::cosmos
