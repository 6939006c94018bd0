// Checks that names of definitions are valid and free.
#pragma once

#include "dialect/fauna/schema/validation/check_definition.h"

namespace mayfly::fauna {

// Collections, functions and the aliases of both share one namespace.
Result<void> check_names(Interpreter& run, const SystemCollection& of, const DefinitionName& name,
                         const FqlObject& fields, Failures& failures);
// Checks the names of fields, computed fields and indexes of a collection.
void check_member_names(const FqlObject& collection, Failures& failures);

}  // namespace mayfly::fauna
