// What roles and access providers must be.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

void check_role(const FqlObject& fields, Failures& failures);
// `before`: its name so far; nothing of a new one. Puts in the audience.
Result<void> check_access_provider(Interpreter& run, const std::optional<std::string>& before,
                                   FqlObject& fields, Failures& failures);

}  // namespace mayfly::fauna
