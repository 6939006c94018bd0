// The differences within one item of a schema.
#pragma once

#include <string>

#include "dialect/fauna/fsl/ast.h"

namespace mayfly::fauna {

// Lines, indented by two spaces; empty if no change has an effect. If `before` is null, everything
// except defaults is shown.
std::string render_item_changes(const fsl::Item* before, const fsl::Item& after);

}  // namespace mayfly::fauna
