// What changes within one item of a schema.
#pragma once

#include <string>

#include "dialect/fauna/fsl/ast.h"

namespace mayfly::fauna {

// Lines, indented by two; empty where nothing that means something changes. `before` may be null:
// then everything but defaults is shown.
std::string render_item_changes(const fsl::Item* before, const fsl::Item& after);

}  // namespace mayfly::fauna
