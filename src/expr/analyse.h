// Static properties of expressions, and simplification.
#pragma once

#include <functional>
#include <vector>

#include "base/limits.h"
#include "expr/expr.h"

namespace mayfly {

// The fields that it reads, each once, in order of appearance; including fields of slots that it
// binds itself.
std::vector<expr::FieldOf> fields_read(const Expr& expr);
// The slots that it reads and does not bind itself.
std::vector<Slot> free_slots(const Expr& expr);
// The strongest effect in it.
Effect effect_of(const Expr& expr);
// Whether it may end the request: it contains a Must or a Foreign. The order of such expressions is
// kept.
bool may_fail(const Expr& expr);
// Whether its value is always true, false or missing.
bool is_truth(const Expr& expr);
// Whether its value is never missing.
bool is_never_missing(const Expr& expr);
// Bounds on the size of an expression, counted as a tree: a shared node counts once for each use. A
// literal is one node, whatever its value.
struct SizeBounds {
  std::size_t depth_max = limits::filter_depth_max;
  std::size_t nodes_max = limits::filter_nodes_max;
};
// Fails with too_large beyond the bounds.
Result<void> check_size(const Expr& expr, const SizeBounds& bounds = {});
// An expression of the same value, with constants computed, nested And and Or flattened, and
// literals moved to the right of comparisons.
ExprPtr fold(const ExprPtr& expr);
// The operands of an And, or the expression itself.
ExprList conjuncts(const ExprPtr& expr);

// Calls `visit` for each direct operand, in order.
void for_each_operand(const Expr& expr, const std::function<void(const Expr&)>& visit);
// The same node with each direct operand replaced; the same pointer if none changes.
ExprPtr with_operands(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& replace);

}  // namespace mayfly
