// How calls of functions in the table (names.cc) become expressions, if they are more than a call
// of one row of the library with the same arguments. Each is a NamedFunction::write. Below, "the
// row" is NamedFunction::row, and "the other" is NamedFunction::other.
#pragma once

#include "dialect/cosmos/sql/functions/names.h"

namespace mayfly::cosmos::sql {

using Write = ExprPtr(const NamedFunction&, ExprList, const CallContext&);

// The row with the first two arguments, or the other if the third argument is true.
Write write_by_case;
// True if the row, with the first argument and one of the others, is true for any, or for all, of
// these others.
Write write_for_any;
Write write_for_all;
// The other, applied to the result of the row.
Write write_nested;
// The row with its two arguments swapped.
Write write_swapped;
Write write_array_contains;
Write write_random;
Write write_current_time_text;
Write write_current_millis;
Write write_current_ticks;
Write write_document_id;
Write write_vector_distance;
// The same in CallContext::language: whether a text has any, or all, of the phrases after it; their
// score; the row with one text.
Write write_for_any_phrase;
Write write_for_all_phrases;
Write write_phrases_score;
Write write_in_language;

}  // namespace mayfly::cosmos::sql
