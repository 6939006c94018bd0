// Whether a unique constraint that comes to a collection with documents holds for them.
#pragma once

#include <string>

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Both are definitions in their normal form. What is new and does not hold gets the status
// `failed`; it is not enforced.
Result<void> put_unique_status(Interpreter& run, const std::string& collection,
                               const FqlObject& before, FqlObject& after);

// The terms of a constraint as messages have them: `[.a, mva(.b)]`.
std::string render_unique(const FqlValue& terms);

}  // namespace mayfly::fauna
