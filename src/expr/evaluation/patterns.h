// The cost of matching a compiled pattern.
#pragma once

#include <cstddef>

#include "expr/expr.h"

namespace mayfly::expr {

// The steps for each character of a text in the worst case; 0: the argument is no pattern.
std::size_t steps_per_character(const Prepared* pattern);

}  // namespace mayfly::expr
