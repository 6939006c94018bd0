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

// Fails with constraint_failure if another document refers to it, if a document in it is under
// hold, or if it is a collection of a protected database.
Result<void> check_may_delete(Interpreter& run, const SystemCollection& of,
                              const std::string& name);

// Prepares for the rename of a document: removes it under its old name, and sets in `options` that
// the new name must be free. Fails for collections and databases, which keep their names, and as
// check_may_delete() does.
Result<void> rename_definition(Interpreter& run, const SystemCollection& of,
                               const std::string& from, const std::string& to, PutOptions& options);

}  // namespace mayfly::fauna
