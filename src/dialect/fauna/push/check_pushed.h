// The static check of a schema that files have made, with places in those files.
#pragma once

#include <vector>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {

// Fails with invalid where check_schema finds errors: the message says them.
Result<void> check_pushed(Interpreter& run, const std::vector<fsl::File>& files);

}  // namespace mayfly::fauna
