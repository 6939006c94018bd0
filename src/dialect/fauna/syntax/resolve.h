// Assigns every local variable of a program its slot in the frame of its lambda, and gives every
// lambda the list of its captures from the enclosing frame (ast.h). The parser calls it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// The outermost frame begins with the program's values and these arguments. Returns an error if the
// lambdas capture more than limits.h allows; then the program must not be used. Runs in linear time
// in the number of expressions and captures.
std::optional<Diagnostic> resolve(Program& program, std::span<const std::string> arguments);

}  // namespace mayfly::fauna
