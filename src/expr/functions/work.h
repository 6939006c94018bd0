// A bound on functions whose work is the product of two sizes.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "expr/limits.h"

namespace mayfly {

// Fails with too_large if a function would take more than about a second, because nothing can
// interrupt it.
inline Result<void> check_function_work(std::size_t a, std::size_t b) {
  if (b == 0 || a <= limits::function_work_max / b) return {};
  return fail(Code::too_large,
              "A function of the expression takes more steps than "
              "function_work_max (" +
                  std::to_string(limits::function_work_max) + ").");
}

}  // namespace mayfly
