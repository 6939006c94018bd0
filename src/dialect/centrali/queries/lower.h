// Filters, searches and sorts as expressions of the inner language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/centrali/queries/names.h"
#include "dialect/centrali/structures/structure.h"
#include "expr/expr.h"
#include "query/query.h"

namespace mayfly::centrali {

// The possible values of one operand that a field is compared with. A query string does not tell
// the kind of a value, so a text may have several readings. It matches if any of them does.
using Readings = std::vector<Value>;
struct Operand {
  std::vector<Readings> items;
};
// The operand that a JSON value of a canonical query stands for: the value itself, or each item of
// an array.
Operand operand_of(const Value& value);
// The value as one item, also if it is an array.
Operand operand_of_one(const Value& value);
// The operand that a text of a query string stands for. The structure's property tells its kind;
// without one, it has every possible reading.
Operand operand_of(std::string_view text, const NamedComparison& comparison,
                   const Structure& structure);

Result<ExprPtr> lower(const NamedComparison& comparison, const Operand& operand);
// {"and": […]}, {"or": […]}, {"not": {…}}, {"data.x": {"gte": 1, "lt": 5}}, {"data.x": "y"}
Result<ExprPtr> lower_where(const Value& where, const std::string& place);

// Records with the text, in any case, in one of the fields: in a text, or in an item or member of
// an array or object. Without fields, those at the top of the data are searched.
ExprPtr lower_search(std::string_view text, const std::vector<NamedField>& fields);

// "-createdAt,data.x"
Result<std::vector<query::SortKey>> lower_sort(std::string_view text);
Result<query::SortKey> lower_sort_key(std::string_view name, bool is_descending);

}  // namespace mayfly::centrali
