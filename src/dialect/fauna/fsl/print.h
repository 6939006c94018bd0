// Renders a schema as FSL, in the layout of generated files: members by kind (fields, wildcard,
// indexes, constraints, days, migrations), one per line, indented by two spaces. Parsing the text
// gives the same schema.
#pragma once

#include <string>

#include "dialect/fauna/fsl/ast.h"

namespace mayfly::fauna::fsl {

// Includes the comments above the item, and a line break at the end.
std::string render_item(const Item& item);
// One member of a collection, without comments. Only lines after the first are indented. Empty if
// the member is the default (`history_days 0`).
std::string render_member(const Member& member);
// A path, within mva() if the term is multiple.
std::string render_term(const Term& term);

// The header of a generated file, then its items, separated by empty lines.
std::string render_generated_file(const std::vector<Item>& items);

}  // namespace mayfly::fauna::fsl
