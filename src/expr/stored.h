// Expressions that are kept, such as what an index holds in place of a field: over the body of one
// document and nothing else, so that its value is the same whenever and by whomever it is asked.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/expr.h"

namespace mayfly {

// The expression and the text that it is kept as. Two are equal if their texts are.
struct StoredExpression {
  ExprPtr expression;  // null: none
  std::string text;

  // Folded first, so that a query that asks the same finds it. Fails with invalid where it holds
  // anything but functions, And, Or, Not, IfMissing, fields of the body and literals that JSON can
  // write; with too_large where it is larger than limits::stored_expression_nodes_max.
  static Result<StoredExpression> of(const ExprPtr& expression);
  // What `text` was kept as. Fails with invalid.
  static Result<StoredExpression> parse(std::string_view text);

  explicit operator bool() const { return expression != nullptr; }
  bool operator==(const StoredExpression& other) const { return text == other.text; }
};

// Whether both are written the same.
bool are_same(const Expr& a, const Expr& b);

}  // namespace mayfly
