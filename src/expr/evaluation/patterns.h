// What a compiled pattern costs to match.
#pragma once

#include <cstddef>

#include "expr/expr.h"

namespace mayfly::expr {

// The steps that it takes for each character of a text at worst; 0: it is no pattern.
std::size_t steps_per_character(const Prepared* pattern);

}  // namespace mayfly::expr
