// Computes expressions that do not depend on rows, and removes filters that accept all rows or
// none.
#include "expr/analyse.h"
#include "query/rules/rules.h"

namespace mayfly::query {

QueryPtr fold_constants(const QueryPtr& query) {
  const QueryPtr below = with_inputs(query, fold_constants);
  const QueryPtr folded = with_expressions(below, fold);
  const auto* filter = folded->as<Filter>();
  const auto* literal = filter ? filter->condition->as<expr::Literal>() : nullptr;
  if (literal == nullptr) return folded;
  return literal->value.is_true() ? filter->input : values({});
}

}  // namespace mayfly::query
