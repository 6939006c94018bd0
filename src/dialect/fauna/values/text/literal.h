// The pieces of FQL's own spelling of values, of which debug texts (text.h) and the decorated
// format (wire/formats/decorated.h) are made.
#pragma once

#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// "…" with FQL's escapes: of backslash, the three quotes, `#`, NUL and white space but the space.
void append_quoted(std::string_view text, std::string& out);
// A member's name: bare where it is a letter and then letters, digits or `_`; else quoted.
void append_key(std::string_view name, std::string& out);
// null, true, 1, 1.5, Math.NaN, "a", Bytes("…"), Time("…"), TransactionTime(), Date("…"),
// UUID("…"), ID("…"), the name of a module. Only for values of those kinds.
void append_literal(const FqlValue& scalar, std::string& out);
// As Double.toString() of Java: 1.0, 1.0E10, NaN, -Infinity.
std::string java_text(double d);

// The module's name; "Deleted" for a collection that is no more.
std::string_view module_name(const Module& module);
// `[function <lambda>]`, `[function abs()]`.
std::string function_text(const Callable& function);
// `Foo("1")`, `Collection.byName("X")`; of one that is missing with its cause in a comment.
std::string reference_text(const ShownDocument& document);
// A handle as the reference that results show.
ShownDocument shown_reference(const DocumentHandle& handle);
// A whole document as an object: id or name, coll, then what it holds.
FqlObject object_of(const ShownDocument& document);
// The same of a page: data, after.
FqlObject object_of(const ShownPage& page);

}  // namespace mayfly::fauna
