// Values as FQL turns them into text. Documents that are to be shown with their fields come as
// ShownDocument: a handle is shown as a reference, because nothing here asks a database.
#pragma once

#include <string>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// What "#{x}" and toString() give: a string itself, doubles without fraction as whole numbers, ids
// and times bare; for all else the debug text.
std::string display_text(const FqlValue& value);
// What dbg() prints and messages quote: FQL on one line, `{ a: 1, b: [1, "x"] }`.
std::string debug_text(const FqlValue& value);

// The name of a value's type in messages ("received Int"): `{ *: Any }` of objects, `Lambda` of
// functions, the name of a module. A document is `Doc`: whether it is a `NullDoc` is for the caller
// to say.
std::string type_name(const FqlValue& value);

}  // namespace mayfly::fauna
