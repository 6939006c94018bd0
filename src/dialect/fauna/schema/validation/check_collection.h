// Validates the definition of a collection and brings it into its normal form.
#pragma once

#include "dialect/fauna/schema/validation/check_definition.h"

namespace mayfly::fauna {

// The shape of the fields must have been checked (check_shape.h).
Result<void> check_collection(Interpreter& run, const DefinitionName& name, FqlObject& fields,
                              Failures& failures);

}  // namespace mayfly::fauna
