// Stored expressions, such as those that an index stores instead of a field. They read the body of
// one document and nothing else, so their value never depends on the time or on the request.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/expr.h"

namespace mayfly {

// An expression and its stored text. Two are equal if their texts are.
struct StoredExpression {
  ExprPtr expression;  // null: none
  std::string text;

  // Folds the expression first, so that equivalent queries find it. Fails with invalid if it
  // contains anything but functions, And, Or, Not, IfMissing, fields of the body, and literals:
  // null, booleans, numbers, texts, times, and lists of these. Fails with too_large if it is larger
  // than limits::stored_expression_nodes_max.
  static Result<StoredExpression> of(const ExprPtr& expression);
  // Parses a stored text. Fails with invalid, and as parse_json().
  static Result<StoredExpression> parse(std::string_view text);

  explicit operator bool() const { return expression != nullptr; }
  bool operator==(const StoredExpression& other) const { return text == other.text; }
};

// Whether both have the same text.
bool are_same(const Expr& a, const Expr& b);

}  // namespace mayfly
