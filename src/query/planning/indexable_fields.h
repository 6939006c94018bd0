// Which fields an index should have so that a query reads less.
#pragma once

#include <optional>

#include "query/query.h"

namespace mayfly::query {

struct IndexableFields {
  // The body field that the query sorts by first, or the only field whose distinct values it
  // returns. Empty if the query is within one partition: it is sorted anyway, because an index
  // holds the documents of all partitions.
  std::optional<Field> order;
  // The body field that conditions compare, if it is the only one.
  std::optional<Field> filter;
  // Whether a condition requires more than that the field of the order exists.
  bool has_other_conditions = false;
};
IndexableFields indexable_fields(const Query& query);

// The only member of an object expression with one member; for all others, the value itself. Equal
// values are equal in it.
const ExprPtr& sole_member(const ExprPtr& value);

}  // namespace mayfly::query
