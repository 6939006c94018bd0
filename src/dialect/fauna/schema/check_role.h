// What roles and access providers must be.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

void check_role(const FqlObject& fields, Failures& failures);
void check_access_provider(Interpreter& run, FqlObject& fields, Failures& failures);

}  // namespace mayfly::fauna
