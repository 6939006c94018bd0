// What can be said of an expression without evaluating it, and what it can be simplified to.
#pragma once

#include <functional>
#include <vector>

#include "base/limits.h"
#include "expr/expr.h"

namespace mayfly {

// The fields it reads, each once, in order of appearance; also those of slots that it binds itself.
std::vector<expr::FieldOf> fields_read(const Expr& expr);
// The slots it reads and does not bind itself.
std::vector<Slot> free_slots(const Expr& expr);
// The strongest effect in it.
Effect effect_of(const Expr& expr);
// Whether it may end the request: holds a Must or a Foreign. Such expressions are not moved past
// one another.
bool may_fail(const Expr& expr);
// Whether its value is always true, false or missing.
bool is_truth(const Expr& expr);
// Whether its value is never missing.
bool is_never_missing(const Expr& expr);
// How large an expression may be, counted as a tree: what several nodes share counts for each. A
// literal is one node, whatever it holds.
struct SizeBounds {
  std::size_t depth_max = limits::filter_depth_max;
  std::size_t nodes_max = limits::filter_nodes_max;
};
// Fails with too_large beyond them.
Result<void> check_size(const Expr& expr, const SizeBounds& bounds = {});
// The same value with what is constant computed, nested And and Or flattened, and literals moved to
// the right of comparisons.
ExprPtr fold(const ExprPtr& expr);
// The operands of an And, or the expression itself.
ExprList conjuncts(const ExprPtr& expr);

// Calls for each direct operand, in order.
void for_each_operand(const Expr& expr, const std::function<void(const Expr&)>& visit);
// The same node with each direct operand replaced; the same pointer where none has changed.
ExprPtr with_operands(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& replace);

}  // namespace mayfly
