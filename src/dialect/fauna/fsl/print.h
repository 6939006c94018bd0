// Schema to FSL, in the layout of generated files: members by kind (fields, wildcard, indexes,
// constraints, days, migrations), each on a line, two spaces deep. Reading it gives the same
// schema.
#pragma once

#include <string>

#include "dialect/fauna/fsl/ast.h"

namespace mayfly::fauna::fsl {

// With the comments above it and a line break at its end.
std::string render_item(const Item& item);
// One member of a collection without comments; only its further lines are indented. Empty for what
// is the default (`history_days 0`).
std::string render_member(const Member& member);
// A path, within mva() where there are several entries.
std::string render_term(const Term& term);

// The head of a generated file, and its items with an empty line between.
std::string render_generated_file(const std::vector<Item>& items);

}  // namespace mayfly::fauna::fsl
