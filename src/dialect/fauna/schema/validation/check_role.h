// Validates roles and access providers.
#pragma once

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

void check_role(const FqlObject& fields, Failures& failures);
// `before` is its current name; nullopt for a new one. Sets the audience.
Result<void> check_access_provider(Interpreter& run, const std::optional<std::string>& before,
                                   FqlObject& fields, Failures& failures);

}  // namespace mayfly::fauna
