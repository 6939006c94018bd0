// Checks whether a new unique constraint holds for the existing documents of a collection.
#pragma once

#include <string>

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// `before` and `after` are definitions in normal form. A new constraint that does not hold gets the
// status `failed` and is not enforced. One that has failed before is checked again.
Result<void> put_unique_status(Interpreter& run, const std::string& collection,
                               const FqlObject& before, FqlObject& after);

// The terms of a constraint for messages: `[.a, mva(.b)]`.
std::string render_unique(const FqlValue& terms);

}  // namespace mayfly::fauna
