// Patches of a document: operations at paths, all or none of them.
// Source: spec cosmos.md, section 11.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "dialect/cosmos/containers/definition.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct PatchOperation {
  enum class Kind : std::uint8_t { add, set, replace, remove, increment, move };
  Kind kind = Kind::add;
  std::vector<std::string> path;  // a JSON pointer's steps; never empty
  std::vector<std::string> from;  // for move
  Value value;
};

struct Patch {
  std::vector<PatchOperation> operations;
  std::string condition;  // "from c where …"; empty: there is none
};

// [op, …] or {"operations": [op, …], "condition": …}. Fails with invalid, also for an immutable
// path.
Result<Patch> parse_patch(const Value& body, const PartitionKey& key);

// Whether the body of a patch may contain a condition, without parsing it: true if in doubt.
bool may_hold_condition(std::string_view body);

// Fails with invalid; `document` is then unspecified.
Result<void> apply(const Patch& patch, Value& document);

}  // namespace mayfly::cosmos
