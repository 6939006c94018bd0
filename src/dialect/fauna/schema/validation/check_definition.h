// What documents that FQL itself defines must be, and who may write them.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

struct DefinitionName {
  const std::string& name;            // or its id
  std::optional<std::string> before;  // of one that is there already
};
// Whether the fields are right; puts those that are always there into them. Fails by itself only
// where the failure is none of constraints.
Result<void> check_definition(Interpreter& run, const SystemCollection& of,
                              const DefinitionName& name, FqlObject& fields, Failures& failures);

// Whether nothing else needs it.
Result<void> check_may_delete(Interpreter& run, const SystemCollection& of,
                              const std::string& name);

// Makes way for a document of another name.
Result<void> rename_definition(Interpreter& run, const SystemCollection& of,
                               const std::string& from, const std::string& to, PutOptions& options);

}  // namespace mayfly::fauna
