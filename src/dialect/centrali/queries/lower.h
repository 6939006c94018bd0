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

// One thing that a field is compared with. A query string does not say what kind of value its text
// is: then there are several readings, and any of them will do.
using Readings = std::vector<Value>;
struct Operand {
  std::vector<Readings> items;
};
// What a JSON value of a canonical query means: itself, or of an array each item.
Operand operand_of(const Value& value);
// An array as one value.
Operand operand_of_one(const Value& value);
// What a text of a query string means for a field, by the structure's property or else in every way
// that it reads.
Operand operand_of(std::string_view text, const NamedComparison& comparison,
                   const Structure& structure);

Result<ExprPtr> lower(const NamedComparison& comparison, const Operand& operand);
// {"and": […]}, {"or": […]}, {"not": {…}}, {"data.x": {"gte": 1, "lt": 5}}, {"data.x": "y"}
Result<ExprPtr> lower_where(const Value& where, const std::string& place);

// Records in which one of the fields holds the text, in any case: as a text, or as an item or
// member of one that is an array or object. No fields: one of those at the top of the data.
ExprPtr lower_search(std::string_view text, const std::vector<NamedField>& fields);

// "-createdAt,data.x"
Result<std::vector<query::SortKey>> lower_sort(std::string_view text);
Result<query::SortKey> lower_sort_key(std::string_view name, bool is_descending);

}  // namespace mayfly::centrali
