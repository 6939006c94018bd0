// The metadata of documents under the names that searches use.
#pragma once

#include <string_view>

#include "expr/expr.h"

namespace mayfly::kuzzle {

// A search::Fact: the metadata field that a bulk write stored in the document, or the core's if the
// document has no stored metadata. `active` and `deletedAt` are always the core's.
ExprPtr shown_fact(std::string_view name);

}  // namespace mayfly::kuzzle
