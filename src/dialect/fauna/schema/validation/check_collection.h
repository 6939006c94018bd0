// What the definition of a collection must be, and the normal form in which it is kept.
#pragma once

#include "dialect/fauna/schema/validation/check_definition.h"

namespace mayfly::fauna {

// The shape of the fields is right (check_shape.h).
Result<void> check_collection(Interpreter& run, const DefinitionName& name, FqlObject& fields,
                              Failures& failures);

}  // namespace mayfly::fauna
