// The facts about documents as searches name them.
#pragma once

#include <string_view>

#include "expr/expr.h"

namespace mayfly::kuzzle {

// What a bulk write has said, or else what the core keeps. A search::Fact.
ExprPtr shown_fact(std::string_view name);

}  // namespace mayfly::kuzzle
