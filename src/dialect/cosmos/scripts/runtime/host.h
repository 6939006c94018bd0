// ScriptHost: the operations of a script on its container, all in one transaction and one
// partition. Source: spec cosmos.md, section 24.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "db/write/transaction.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/scripts/runtime/request_scripts.h"

namespace mayfly::cosmos {

// What a script runs on. It outlives the host.
struct ScriptEnvironment {
  CosmosCall& call;
  Transaction& transaction;
  const Container& container;
  Restriction partition;  // with its routing
  RequestScripts& scripts;
};

// Threads: the one that answers the request.
class ScriptHost {
 public:
  explicit ScriptHost(const ScriptEnvironment& environment) : environment_(environment) {}

  // Runs an operation that the script library (library.h) asks for. The result is {"resource": …,
  // "options": …}, or {"error": {"number", "body"}} for an error that the script may handle. Two
  // requests are no operations: "log" has no result, and "accepts" returns whether a further
  // operation of a name would still run. Fails with errors that end the script.
  Result<Value> answer(std::string_view name, std::span<const Value> arguments);
  const std::string& log() const { return log_; }

 private:
  struct Operation;
  static const Operation operations_[];
  using Arguments = std::span<const Value>;

  Result<Object> create(Arguments given);
  Result<Object> upsert(Arguments given);
  Result<Object> read(Arguments given);
  Result<Object> read_all(Arguments given);
  Result<Object> query(Arguments given);
  Result<Object> replace(Arguments given);
  Result<Object> remove(Arguments given);
  bool accepts(std::string_view name) const;
  void take_log(std::string_view text);

  Result<void> check_collection(const Value& link);
  Result<DocumentKey> key_of(const Value& link);
  Result<Object> shown(const DocumentKey& key);
  Result<Object> put_new(Arguments given, bool replaces);
  Result<Object> rows_of(std::string_view query, const Value& options);

  const ScriptEnvironment& environment_;
  std::string log_;
  std::size_t writes_ = 0;
};

}  // namespace mayfly::cosmos
