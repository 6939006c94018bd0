// The filter language: one line of text that says which documents match.
//
//   filter     := condition
//   condition  := alternative ("or" alternative)*
//   alternative:= term ("and" term)*
//   term       := "not" term | comparison
//   comparison := operand [("=" | "!=" | "<" | "<=" | ">" | ">=") operand
//                         | "in" operand | "contains" operand]
//   operand    := literal | field | call | "(" condition ")"
//   literal    := text | number | "true" | "false" | "null" | "[" [literal ("," literal)*] "]"
//   field      := name step* | "." name step* | "@" name       "@": a fact the database keeps
//   step       := "." name | "[" number "]" | "[" text "]"
//   call       := name "(" [condition ("," condition)*] ")"    a function of the library
//
// A missing field has no value: comparing it is neither true nor false; use exists() and
// is_missing(). `contains` searches an array for a value and a text for a part. A text that is
// compared with a time is read as RFC 3339; elsewhere write time("…"). After a dot every name is a
// field, even `and`.
#pragma once

#include <string_view>
#include <vector>

#include "expr/expr.h"
#include "query/query.h"

namespace mayfly::native {

// Fails with invalid: the message shows the position with a caret, `field` is "filter"; with
// too_large over limits::filter_*.
Result<ExprPtr> parse_filter(std::string_view text);

// "-age,name,@written_at": by age from the greatest, then by name, then by @written_at. Fails with
// invalid, `field` is "sort".
Result<std::vector<query::SortKey>> parse_sort(std::string_view text);

}  // namespace mayfly::native
