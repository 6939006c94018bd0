// Functions of the table (names.cc) that are written with more than one row of the library.
#pragma once

#include "dialect/cosmos/sql/functions/names.h"

namespace mayfly::cosmos::sql {

using Write = ExprPtr(const NamedFunction&, ExprList, const Surroundings&);

// The row, or where the third argument is true the other one.
Write write_by_case;
// The row for the first argument and any, or each, of the others.
Write write_for_any;
Write write_for_all;
// The other row of what the row makes of the arguments.
Write write_nested;
// The row for the second argument and the first.
Write write_swapped;
Write write_array_contains;
Write write_random;
Write write_current_time_text;
Write write_current_millis;
Write write_current_ticks;
Write write_document_id;
Write write_vector_distance;
// In the language of the surroundings: any, or each, of the phrases behind the first argument; what
// they are worth; the row of one text.
Write write_for_any_phrase;
Write write_for_all_phrases;
Write write_phrases_score;
Write write_in_language;

}  // namespace mayfly::cosmos::sql
