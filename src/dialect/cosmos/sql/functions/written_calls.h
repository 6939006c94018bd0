// Functions of the table (names.cc) that are composed of several rows of the library.
#pragma once

#include "dialect/cosmos/sql/functions/names.h"

namespace mayfly::cosmos::sql {

using Write = ExprPtr(const NamedFunction&, ExprList, const CallContext&);

// The row, or the other one if the third argument is true.
Write write_by_case;
// The row for the first argument and any, or each, of the others.
Write write_for_any;
Write write_for_all;
// The other row, applied to the result of the row.
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
// In the language of the surroundings: any, or each, of the phrases after the first argument; their
// score; the row for one text.
Write write_for_any_phrase;
Write write_for_all_phrases;
Write write_phrases_score;
Write write_in_language;

}  // namespace mayfly::cosmos::sql
