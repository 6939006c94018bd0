// Validates system documents and their changes.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

struct DefinitionName {
  const std::string& name;            // or its id
  std::optional<std::string> before;  // the current name, if the document exists
};
// Validates the fields and adds those that always exist. Constraint failures are added to
// `failures`; other failures are returned.
Result<void> check_definition(Interpreter& run, const SystemCollection& of,
                              const DefinitionName& name, FqlObject& fields, Failures& failures);

// Fails if another document needs it.
Result<void> check_may_delete(Interpreter& run, const SystemCollection& of,
                              const std::string& name);

// Prepares for the rename of a document.
Result<void> rename_definition(Interpreter& run, const SystemCollection& of,
                               const std::string& from, const std::string& to, PutOptions& options);

}  // namespace mayfly::fauna
