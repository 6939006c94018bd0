// Which fields definitions have, and of which types they are.
#pragma once

#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

// Adds a failure for each field that is unknown, missing or of another type.
void check_shape(const SystemCollection& of, const FqlObject& fields, Failures& failures);

}  // namespace mayfly::fauna
