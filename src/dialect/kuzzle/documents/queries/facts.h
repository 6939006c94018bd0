// The metadata of documents under the names that searches use.
#pragma once

#include <string_view>

#include "expr/expr.h"

namespace mayfly::kuzzle {

// The metadata field of a bulk write, or else that of the core. A search::Fact.
ExprPtr shown_fact(std::string_view name);

}  // namespace mayfly::kuzzle
