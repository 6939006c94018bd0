// Converts values to text as FQL does. Documents to be shown with their fields must be
// ShownDocument; a handle is shown as a reference, because these functions use no database.
#pragma once

#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// The result of "#{x}" and toString(): a string itself, doubles without fraction as whole numbers,
// ids and times unquoted; the debug text for all other values.
std::string display_text(const FqlValue& value);
// For dbg() and messages: FQL on one line, `{ a: 1, b: [1, "x"] }`.
std::string debug_text(const FqlValue& value);

// The name of a value's type in messages ("received Int"): `{ *: Any }` for objects, `Lambda` for
// functions, a module's own name. A document is `Doc`; a caller must check for `NullDoc` itself.
std::string type_name(const FqlValue& value);

}  // namespace mayfly::fauna
