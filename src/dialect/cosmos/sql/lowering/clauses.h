// Clauses: one SELECT with all its expressions lowered, of a whole query or of a subquery.
#pragma once

#include <optional>
#include <vector>

#include "dialect/cosmos/sql/ast.h"
#include "expr/expr.h"
#include "query/query.h"

namespace mayfly::cosmos::sql {

struct Clauses {
  // A loop over an array; the slot holds the current item.
  struct Step {
    Slot slot = 0;
    ExprPtr over;
  };
  std::vector<Step> steps;
  ExprList conditions;
  bool is_grouped = false;
  Slot group_slot = 0;  // holds the object of keys and aggregates, once rows are grouped
  std::vector<query::Named> keys;
  std::vector<query::NamedAggregate> aggregates;
  std::vector<query::SortKey> order;
  ExprPtr selected;  // null: the row as it is
  bool is_distinct = false;
  std::size_t offset = 0;
  std::optional<std::size_t> limit;
};

}  // namespace mayfly::cosmos::sql
