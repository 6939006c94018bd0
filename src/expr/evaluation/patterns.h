// The cost of matching a compiled pattern.
#pragma once

#include <cstddef>

#include "expr/expr.h"

namespace mayfly::expr {

// The instructions of the compiled program, which matching may run for each byte of a text; 0: the
// argument is no regular expression.
std::size_t steps_per_character(const Prepared* pattern);

}  // namespace mayfly::expr
