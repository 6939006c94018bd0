// Renders values as FQL source, for debug texts (text.h) and the decorated format
// (wire/formats/decorated.h).
#pragma once

#include <string>
#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// "…" with FQL's escapes: for backslash, the three quotes, `#`, NUL, and white space other than the
// space.
void append_quoted(std::string_view text, std::string& out);
// A member's name: unquoted if it is a letter followed by letters, digits or `_`; else quoted.
void append_key(std::string_view name, std::string& out);
// null, true, 1, 1.5, Math.NaN, "a", Bytes("…"), Time("…"), TransactionTime(), Date("…"),
// UUID("…"), ID("…"), the name of a module. Only for values of those kinds.
void append_literal(const FqlValue& scalar, std::string& out);
// Like Double.toString() of Java: 1.0, 1.0E10, NaN, -Infinity.
std::string java_text(double d);

// The module's name; "Deleted" for a deleted collection.
std::string_view module_name(const Module& module);
// `[function <lambda>]`, `[function abs()]`.
std::string function_text(const Callable& function);
// `Foo("1")`, `Collection.byName("X")`; for a missing document, the cause is added in a comment.
std::string reference_text(const ShownDocument& document);
// Converts a handle to a reference in results.
ShownDocument shown_reference(const DocumentHandle& handle);
// A whole document as an object: id or name, coll, then its fields.
FqlObject object_of(const ShownDocument& document);
// The same for a page: data, after.
FqlObject object_of(const ShownPage& page);

}  // namespace mayfly::fauna
