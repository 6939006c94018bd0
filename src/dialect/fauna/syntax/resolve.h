// Gives every local variable of a program its slot in the frame of the lambda around it, and every
// lambda the list of what it takes from the frame where it stands (ast.h). The parser calls it.
#pragma once

#include <span>
#include <string>

#include "dialect/fauna/syntax/ast.h"

namespace mayfly::fauna {

// The outermost frame begins with the program's values and these arguments.
void resolve(Program& program, std::span<const std::string> arguments);

}  // namespace mayfly::fauna
