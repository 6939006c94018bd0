// Names of definitions: what they may be, and that they are free.
#pragma once

#include "dialect/fauna/schema/validation/check_definition.h"

namespace mayfly::fauna {

// Names of collections and functions, and the aliases of both, are one space.
Result<void> check_names(Interpreter& run, const SystemCollection& of, const DefinitionName& name,
                         const FqlObject& fields, Failures& failures);
// Of fields, computed fields and indexes of a collection.
void check_member_names(const FqlObject& collection, Failures& failures);

}  // namespace mayfly::fauna
