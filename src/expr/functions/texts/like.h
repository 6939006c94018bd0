// The LIKE of SQL.
#pragma once

#include "expr/function.h"

namespace mayfly {

// Its row of the library.
Function like_function();

}  // namespace mayfly
