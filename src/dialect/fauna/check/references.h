// The names that roles and access providers refer to.
#pragma once

#include "dialect/fauna/check/schema.h"

namespace mayfly::fauna {

// Adds an error for each resource of a role, and each role of an access provider, that the schema
// does not have. Not for those that it lacked before, in the same way: another API may have dropped
// a collection, and that holds up no other change.
Result<void> check_references(Interpreter& run, CheckedSchema& checked);

}  // namespace mayfly::fauna
