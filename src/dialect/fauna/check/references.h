// Checks the names that roles and access providers refer to.
#pragma once

#include "dialect/fauna/check/schema.h"

namespace mayfly::fauna {

// Adds an error for each resource of a role, and each role of an access provider, that the schema
// does not have. Names that were missing before this change are accepted: another API may have
// dropped a collection, and that must not block other changes.
Result<void> check_references(Interpreter& run, CheckedSchema& checked);

}  // namespace mayfly::fauna
