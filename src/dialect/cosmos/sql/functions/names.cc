// The table of the functions.
#include "dialect/cosmos/sql/functions/names.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "dialect/cosmos/sql/functions/written_calls.h"
#include "expr/function.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr bool aggregate = true;

constexpr NamedFunction function_table[] = {
    // aggregates
    {"COUNT", 1, 1, "count", aggregate},
    {"SUM", 1, 1, "sum", aggregate},
    {"AVG", 1, 1, "average", aggregate},
    {"MIN", 1, 1, "minimum_of_scalars", aggregate},
    {"MAX", 1, 1, "maximum_of_scalars", aggregate},
    {"MAKELIST", 1, 1, "collect", aggregate},
    {"MAKESET", 1, 1, "collect_distinct", aggregate},
    {"COUNTIF", 1, 1, "count_true", aggregate},
    // types of values
    {"IS_DEFINED", 1, 1, "exists"},
    {"IS_NULL", 1, 1, "is_null"},
    {"IS_STRING", 1, 1, "is_text"},
    {"IS_NUMBER", 1, 1, "is_number"},
    {"IS_BOOL", 1, 1, "is_boolean"},
    {"IS_ARRAY", 1, 1, "is_array"},
    {"IS_OBJECT", 1, 1, "is_object"},
    {"IS_PRIMITIVE", 1, 1, "is_scalar"},
    {"IS_INTEGER", 1, 1, "is_integer"},
    {"IS_FINITE_NUMBER", 1, 1, "is_finite"},
    {"IS_DATETIME", 1, 1, "is_time_text"},
    // conditionals
    {"IIF", 3, 3, "when"},
    {"CHOOSE", 2, any_number, "choose"},
    // text
    {"CONTAINS", 2, 3, "contains", false, write_by_case, "contains_ignoring_case"},
    {"STARTSWITH", 2, 3, "starts_with", false, write_by_case, "starts_with_ignoring_case"},
    {"ENDSWITH", 2, 3, "ends_with", false, write_by_case, "ends_with_ignoring_case"},
    {"STRINGEQUALS", 2, 3, "equal_text", false, write_by_case, "equal_ignoring_case"},
    {"CONTAINS_ANY_CI", 2, any_number, "contains_ignoring_case", false, write_for_any},
    {"CONTAINS_ANY_CS", 2, any_number, "contains", false, write_for_any},
    {"CONTAINS_ALL_CI", 2, any_number, "contains_ignoring_case", false, write_for_all},
    {"CONTAINS_ALL_CS", 2, any_number, "contains", false, write_for_all},
    {"LOWER", 1, 1, "lower"},
    {"UPPER", 1, 1, "upper"},
    {"LENGTH", 1, 1, "length_utf16"},
    {"CONCAT", 2, any_number, "concat"},
    {"SUBSTRING", 3, 3, "substring_utf16"},
    {"INDEX_OF", 2, 3, "index_of_utf16"},
    {"LASTINDEXOF", 2, 2, "last_index_of_utf16"},
    {"REPLACE", 3, 3, "replace"},
    {"REPLICATE", 2, 2, "repeat_within_10000"},
    {"REVERSE", 1, 1, "reverse"},
    {"TRIM", 1, 2, "trim"},
    {"LTRIM", 1, 2, "trim_start"},
    {"RTRIM", 1, 2, "trim_end"},
    {"LEFT", 2, 2, "left_utf16"},
    {"RIGHT", 2, 2, "right_utf16"},
    {"REGEXMATCH", 2, 3, "matches"},
    {"STRINGJOIN", 2, 2, "join"},
    {"STRINGSPLIT", 2, 2, "split_at_text"},
    // conversion
    {"TOSTRING", 1, 1, "to_text"},
    {"STRINGTONUMBER", 1, 1, "text_to_number"},
    {"STRINGTOBOOLEAN", 1, 1, "text_to_boolean"},
    {"STRINGTONULL", 1, 1, "text_to_null"},
    {"STRINGTOARRAY", 1, 1, "text_to_array"},
    {"STRINGTOOBJECT", 1, 1, "text_to_object"},
    // arrays and objects
    {"ARRAY_CONTAINS", 2, 3, "array_holds", false, write_array_contains, "array_holds_part_deeply"},
    {"ARRAY_CONTAINS_ANY", 2, any_number, "array_contains", false, write_for_any},
    {"ARRAY_CONTAINS_ALL", 2, any_number, "array_contains", false, write_for_all},
    {"ARRAY_LENGTH", 1, 1, "array_length"},
    {"ARRAY_SLICE", 2, 3, "array_slice"},
    {"ARRAY_CONCAT", 2, any_number, "array_concat"},
    {"ARRAY_SUM", 1, 1, "array_sum"},
    {"ARRAY_AVG", 1, 1, "array_average"},
    {"ARRAY_MIN", 1, 1, "array_minimum"},
    {"ARRAY_MAX", 1, 1, "array_maximum"},
    {"ARRAY_MEDIAN", 1, 1, "array_median"},
    {"SETINTERSECT", 2, 2, "array_intersect", false, write_swapped},
    {"SETUNION", 2, 2, "array_concat", false, write_nested, "array_distinct"},
    {"OBJECTTOARRAY", 1, 3, "entry_objects"},
    // numbers
    {"ABS", 1, 1, "abs"},
    {"CEILING", 1, 1, "ceiling"},
    {"FLOOR", 1, 1, "floor"},
    {"ROUND", 1, 2, "round"},
    {"TRUNC", 1, 1, "truncate"},
    {"SIGN", 1, 1, "sign"},
    {"POWER", 2, 2, "power"},
    {"SQRT", 1, 1, "square_root"},
    {"SQUARE", 1, 1, "square"},
    {"EXP", 1, 1, "exponential"},
    {"LOG", 1, 2, "logarithm"},
    {"LOG10", 1, 1, "logarithm_10"},
    {"PI", 0, 0, "pi"},
    {"SIN", 1, 1, "sine"},
    {"COS", 1, 1, "cosine"},
    {"TAN", 1, 1, "tangent"},
    {"COT", 1, 1, "cotangent"},
    {"ASIN", 1, 1, "arcsine"},
    {"ACOS", 1, 1, "arccosine"},
    {"ATAN", 1, 1, "arctangent"},
    {"ATN2", 2, 2, "arctangent_of_point"},
    {"DEGREES", 1, 1, "degrees"},
    {"RADIANS", 1, 1, "radians"},
    {"NUMBERBIN", 1, 2, "bin"},
    {"RAND", 0, 0, "", false, write_random},
    {"INTADD", 2, 2, "integer_add"},
    {"INTSUB", 2, 2, "integer_subtract"},
    {"INTMUL", 2, 2, "integer_multiply"},
    {"INTDIV", 2, 2, "integer_divide"},
    {"INTMOD", 2, 2, "integer_remainder"},
    {"INTBITAND", 2, 2, "integer_and"},
    {"INTBITOR", 2, 2, "integer_or"},
    {"INTBITXOR", 2, 2, "integer_xor"},
    {"INTBITNOT", 1, 1, "integer_not"},
    {"INTBITLEFTSHIFT", 2, 2, "integer_shift_left"},
    {"INTBITRIGHTSHIFT", 2, 2, "integer_shift_right"},
    // time
    {"GETCURRENTDATETIME", 0, 0, "", false, write_current_time_text},
    {"GETCURRENTDATETIMESTATIC", 0, 0, "", false, write_current_time_text},
    {"GETCURRENTTIMESTAMP", 0, 0, "", false, write_current_millis},
    {"GETCURRENTTIMESTAMPSTATIC", 0, 0, "", false, write_current_millis},
    {"GETCURRENTTICKS", 0, 0, "", false, write_current_ticks},
    {"GETCURRENTTICKSSTATIC", 0, 0, "", false, write_current_ticks},
    {"DATETIMEADD", 3, 3, "time_text_add"},
    {"DATETIMEBIN", 2, 4, "time_text_bin"},
    {"DATETIMEDIFF", 3, 3, "time_text_difference"},
    {"DATETIMEFORMAT", 2, 2, "format_time_text"},
    {"DATETIMEFROMPARTS", 3, 7, "time_text_from_parts"},
    {"DATETIMEPART", 2, 2, "time_text_part"},
    {"DATETIMETOTICKS", 1, 1, "time_text_to_ticks"},
    {"DATETIMETOTIMESTAMP", 1, 1, "time_text_to_millis"},
    {"TICKSTODATETIME", 1, 1, "ticks_to_time_text"},
    {"TIMESTAMPTODATETIME", 1, 1, "millis_to_time_text"},
    {"YEAR", 1, 1, "time_text_year"},
    {"MONTH", 1, 1, "time_text_month"},
    {"DAY", 1, 1, "time_text_day"},
    // the document
    {"DOCUMENTID", 1, 1, "", false, write_document_id},
    // full text
    {"FULLTEXTCONTAINS", 2, 2, "has_phrase", false, write_for_all_phrases},
    {"FULLTEXTCONTAINSALL", 2, any_number, "has_phrase", false, write_for_all_phrases},
    {"FULLTEXTCONTAINSANY", 2, any_number, "has_phrase", false, write_for_any_phrase},
    {"_FULLTEXTSCORE", 5, 5, "score_phrases", false, write_phrases_score},
    {"_FULLTEXTWORDCOUNT", 1, 1, "count_stems", false, write_in_language},
    // spatial data and vectors
    {"ST_DISTANCE", 2, 2, "geo_distance"},
    {"ST_WITHIN", 2, 2, "geo_within"},
    {"ST_INTERSECTS", 2, 2, "geo_intersects"},
    {"ST_AREA", 1, 1, "geo_area"},
    {"ST_ISVALID", 1, 1, "geo_is_valid"},
    {"ST_ISVALIDDETAILED", 1, 1, "geo_validity"},
    {"VECTORDISTANCE", 2, 4, "", false, write_vector_distance},
};

constexpr std::size_t name_bytes_max = 32;  // longer than every name

}  // namespace

const NamedFunction* find_name(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const NamedFunction*> rows;
    for (const NamedFunction& row : function_table) rows.emplace(row.name, &row);
    return rows;
  }();
  if (name.size() > name_bytes_max) return nullptr;
  std::string capitals(name);
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  const auto found = by_name.find(capitals);
  return found == by_name.end() ? nullptr : found->second;
}

bool is_deterministic(const NamedFunction& function) {
  return function.write != write_random && function.write != write_current_time_text &&
         function.write != write_current_millis && function.write != write_current_ticks;
}

std::span<const NamedFunction> named_functions() {
  return function_table;
}

ExprPtr call_of(const NamedFunction& function, ExprList arguments, const CallContext& context) {
  CHECK(!function.is_aggregate);
  if (function.write == nullptr) return expr::call(function.row, std::move(arguments));
  return function.write(function, std::move(arguments), context);
}

const Aggregate& aggregate_of(const NamedFunction& function) {
  const Aggregate* row = function.is_aggregate ? find_aggregate(function.row) : nullptr;
  CHECK(row != nullptr);
  return *row;
}

}  // namespace mayfly::cosmos::sql
