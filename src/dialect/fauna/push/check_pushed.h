// The static check of a pushed schema, with diagnostics that point into its files.
#pragma once

#include <vector>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Fails with invalid if check_schema finds errors; the message lists them.
Result<void> check_pushed(Interpreter& run, const std::vector<fsl::File>& files);

}  // namespace mayfly::fauna
