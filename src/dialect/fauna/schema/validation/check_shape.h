// Checks which fields definitions have, and their types.
#pragma once

#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

// Adds a failure for each field that is unknown, missing or of a wrong type.
void check_shape(const SystemCollection& of, const FqlObject& fields, Failures& failures);

}  // namespace mayfly::fauna
