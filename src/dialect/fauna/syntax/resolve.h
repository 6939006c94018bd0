// Gives every local variable of a program its slot in the frame of the lambda around it, and every
// lambda the list of what it takes from the frame where it stands (ast.h). The parser calls it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// The outermost frame begins with the program's values and these arguments. Gives what is wrong
// where the lambdas capture more than limits.h lets them: the program is of no use then. Takes time
// for each expression and each capture, no more.
std::optional<Diagnostic> resolve(Program& program, std::span<const std::string> arguments);

}  // namespace mayfly::fauna
