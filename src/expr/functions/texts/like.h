// LIKE of SQL.
#pragma once

#include "expr/function.h"

namespace mayfly {

// The row of the library.
Function like_function();

}  // namespace mayfly
