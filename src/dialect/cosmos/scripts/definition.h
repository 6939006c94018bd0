// The definition of a stored script (stored/): a procedure, trigger or user function.
#pragma once

#include <optional>
#include <string>

#include "db/read/view.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/stored/stored.h"

namespace mayfly::cosmos {

struct ScriptDefinition {
  std::string name;
  std::string body;
  std::string trigger_type;       // Pre, Post; empty but for triggers
  std::string trigger_operation;  // All, Create …; likewise
};
ScriptDefinition read_definition(const StoredResource& stored);

// The script of that name in a container. It is no error if there is none.
Result<std::optional<ScriptDefinition>> find_definition(ResourceKind kind,
                                                        const Container& container,
                                                        const std::string& name, View& view);

}  // namespace mayfly::cosmos
