#include "expr/analyse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "expr/evaluation/comparison.h"
#include "expr/evaluation/evaluate.h"
#include "expr/evaluation/meter.h"
#include "expr/function.h"
#include "expr/limits.h"

namespace mayfly {
namespace {

template <class T>
void add_once(std::vector<T>& to, const T& what) {
  if (std::find(to.begin(), to.end(), what) == to.end()) to.push_back(what);
}

void collect_fields(const Expr& e, std::vector<expr::FieldOf>& fields) {
  if (const auto* field = e.as<expr::FieldOf>()) add_once(fields, *field);
  for_each_operand(e, [&](const Expr& operand) { collect_fields(operand, fields); });
}

void collect_free_slots(const Expr& e, std::vector<Slot>& slots) {
  if (const auto* field = e.as<expr::FieldOf>()) return add_once(slots, field->slot);
  const auto* each = e.as<expr::Each>();
  if (each == nullptr) {
    for_each_operand(e, [&](const Expr& operand) { collect_free_slots(operand, slots); });
    return;
  }
  collect_free_slots(*each->over, slots);
  for (const Slot slot : free_slots(*each->body)) {
    if (slot != each->slot) add_once(slots, slot);
  }
}

struct Size {
  std::size_t nodes = 0;
  std::size_t depth = 0;
};

// Stops below the greatest allowed depth, so that measuring is safe for trees of any depth.
void measure(const Expr& e, std::size_t depth, const SizeBounds& bounds, Size& size) {
  ++size.nodes;
  size.depth = std::max(size.depth, depth);
  if (depth > bounds.depth_max || size.nodes > bounds.nodes_max) return;
  for_each_operand(e, [&](const Expr& operand) { measure(operand, depth + 1, bounds, size); });
}

std::string named(std::string_view row, std::size_t most, std::size_t present) {
  const std::string number = std::to_string(most);
  return most == present ? std::string(row) + " (" + number + ")" : number;
}

bool all_literals(const Expr& e) {
  bool all = true;
  for_each_operand(e, [&](const Expr& operand) { all = all && operand.as<expr::Literal>(); });
  return all;
}

// Nothing in such a node can be computed in advance: its value is unique, or depends on a slot.
bool is_opaque(const Expr& e) {
  const auto* call = e.as<expr::FunctionCall>();
  return e.as<expr::Literal>() || e.as<expr::FieldOf>() || e.as<expr::Foreign>() ||
         e.as<expr::Must>() || e.as<expr::Each>() ||
         (call && call->function->effect != Effect::pure);
}

class Nothing final : public Scope {
 public:
  Value field(Slot, const Field&) const override { return {}; }
};

// Drops literal operands that cannot change the result; a decisive literal also drops all operands
// after it.
template <class Node>
ExprPtr fold_junction(const Node& node, bool decisive, ExprPtr (*build)(ExprList)) {
  ExprList kept;
  for (const ExprPtr& operand : node.operands) {
    const auto* literal = operand->as<expr::Literal>();
    if (literal == nullptr || !literal->value.is(Kind::boolean)) {
      kept.push_back(operand);
    } else if (literal->value.boolean() == decisive) {
      const bool reached =
          std::none_of(kept.begin(), kept.end(), [](const ExprPtr& e) { return may_fail(*e); });
      if (reached) return operand;
      kept.push_back(operand);
      break;
    }
  }
  if (kept.empty()) return expr::literal(!decisive);
  return build(std::move(kept));
}

ExprPtr fold_if_missing(const ExprPtr& e, const expr::IfMissing& node) {
  if (is_never_missing(*node.first)) return node.first;
  const auto* literal = node.first->as<expr::Literal>();
  return literal && literal->value.is_missing() ? node.otherwise : e;
}

// Moves a literal to the right of a comparison; a comparison with missing is missing.
ExprPtr fold_comparison(const ExprPtr& e, const expr::FunctionCall& call) {
  if (call.function->comparison == Comparison::none || may_fail(*e)) return e;
  const auto* left = call.arguments[0]->as<expr::Literal>();
  const auto* right = call.arguments[1]->as<expr::Literal>();
  if ((left && left->value.is_missing()) || (right && right->value.is_missing())) {
    return expr::literal(Value());
  }
  if (!left || right) return e;
  return expr::call(function_of(mirrored(call.function->comparison)),
                    {call.arguments[1], call.arguments[0]});
}

}  // namespace

void for_each_operand(const Expr& e, const std::function<void(const Expr&)>& visit) {
  const auto visit_list = [&](const ExprList& list) {
    for (const ExprPtr& operand : list) visit(*operand);
  };
  if (const auto* call = e.as<expr::FunctionCall>()) visit_list(call->arguments);
  if (const auto* junction = e.as<expr::And>()) visit_list(junction->operands);
  if (const auto* junction = e.as<expr::Or>()) visit_list(junction->operands);
  if (const auto* node = e.as<expr::Not>()) visit(*node->operand);
  if (const auto* node = e.as<expr::IfMissing>()) visit(*node->first), visit(*node->otherwise);
  if (const auto* node = e.as<expr::Must>()) visit(*node->operand);
  if (const auto* node = e.as<expr::Each>()) visit(*node->over), visit(*node->body);
  if (const auto* node = e.as<expr::Foreign>()) visit_list(node->arguments);
}

ExprPtr with_operands(const ExprPtr& e, const std::function<ExprPtr(const ExprPtr&)>& replace) {
  bool changed = false;
  const auto replaced = [&](const ExprPtr& operand) {
    ExprPtr with = replace(operand);
    changed = changed || with != operand;
    return with;
  };
  const auto replaced_list = [&](const ExprList& list) {
    ExprList with;
    for (const ExprPtr& operand : list) with.push_back(replaced(operand));
    return with;
  };
  ExprPtr made = e;
  if (const auto* call = e->as<expr::FunctionCall>()) {
    ExprList arguments = replaced_list(call->arguments);
    if (changed) made = expr::call(*call->function, std::move(arguments));
  } else if (const auto* conjunction = e->as<expr::And>()) {
    ExprList operands = replaced_list(conjunction->operands);
    if (changed) made = expr::all_of(std::move(operands));
  } else if (const auto* choice = e->as<expr::Or>()) {
    ExprList operands = replaced_list(choice->operands);
    if (changed) made = expr::any_of(std::move(operands));
  } else if (const auto* negation = e->as<expr::Not>()) {
    ExprPtr operand = replaced(negation->operand);
    if (changed) made = expr::negation(std::move(operand));
  } else if (const auto* fallback = e->as<expr::IfMissing>()) {
    ExprPtr first = replaced(fallback->first);
    ExprPtr otherwise = replaced(fallback->otherwise);
    if (changed) made = expr::if_missing(std::move(first), std::move(otherwise));
  } else if (const auto* must = e->as<expr::Must>()) {
    ExprPtr operand = replaced(must->operand);
    if (changed) made = expr::must(std::move(operand), must->message);
  } else if (const auto* each = e->as<expr::Each>()) {
    ExprPtr over = replaced(each->over);
    ExprPtr body = replaced(each->body);
    if (changed) made = expr::each(each->mode, each->slot, std::move(over), std::move(body));
  } else if (const auto* foreign = e->as<expr::Foreign>()) {
    ExprList arguments = replaced_list(foreign->arguments);
    if (changed) {
      made = expr::foreign(foreign->name, foreign->effect, foreign->call, std::move(arguments),
                           foreign->identity);
    }
  }
  return made;
}

std::vector<expr::FieldOf> fields_read(const Expr& e) {
  std::vector<expr::FieldOf> fields;
  collect_fields(e, fields);
  return fields;
}

std::vector<Slot> free_slots(const Expr& e) {
  std::vector<Slot> slots;
  collect_free_slots(e, slots);
  return slots;
}

Effect effect_of(const Expr& e) {
  Effect effect = Effect::pure;
  if (const auto* call = e.as<expr::FunctionCall>()) effect = call->function->effect;
  if (const auto* foreign = e.as<expr::Foreign>()) effect = foreign->effect;
  for_each_operand(e, [&](const Expr& operand) { effect = std::max(effect, effect_of(operand)); });
  return effect;
}

bool may_fail(const Expr& e) {
  bool may = e.as<expr::Must>() || e.as<expr::Foreign>();
  for_each_operand(e, [&](const Expr& operand) { may = may || may_fail(operand); });
  return may;
}

bool is_truth(const Expr& e) {
  if (e.as<expr::And>() || e.as<expr::Or>() || e.as<expr::Not>()) return true;
  if (const auto* call = e.as<expr::FunctionCall>()) return call->function->gives_truth;
  if (const auto* node = e.as<expr::IfMissing>()) {
    return is_truth(*node->first) && is_truth(*node->otherwise);
  }
  if (const auto* literal = e.as<expr::Literal>()) {
    return literal->value.is(Kind::boolean) || literal->value.is_missing();
  }
  const auto* each = e.as<expr::Each>();
  return each && (each->mode == expr::Each::Mode::any || each->mode == expr::Each::Mode::all);
}

bool is_never_missing(const Expr& e) {
  if (const auto* literal = e.as<expr::Literal>()) return !literal->value.is_missing();
  if (const auto* call = e.as<expr::FunctionCall>()) return call->function->is_never_missing;
  if (const auto* node = e.as<expr::IfMissing>()) {
    return is_never_missing(*node->first) || is_never_missing(*node->otherwise);
  }
  return e.as<expr::Must>() != nullptr;
}

Result<void> check_size(const Expr& e, const SizeBounds& bounds) {
  Size size;
  measure(e, 1, bounds, size);
  if (size.depth > bounds.depth_max) {
    return fail(Code::too_large,
                "The expression is nested deeper than " +
                    named("filter_depth_max", bounds.depth_max, limits::filter_depth_max) + ".");
  }
  if (size.nodes > bounds.nodes_max) {
    return fail(Code::too_large,
                "The expression has more than " +
                    named("filter_nodes_max", bounds.nodes_max, limits::filter_nodes_max) +
                    " parts.");
  }
  return {};
}

namespace {

// The budget for computing the constants of one expression. A constant that fails or exceeds the
// budget stays as it is and is evaluated with the rows, where the request's meter counts.
struct Folding {
  std::size_t bytes_left = limits::fold_bytes_max;

  bool spend(const Value& value) {
    const std::size_t bytes = weight(value);
    const bool is_enough = bytes <= bytes_left;
    bytes_left = is_enough ? bytes_left - bytes : 0;
    return is_enough;
  }
};

std::optional<Value> constant_value(const Expr& e, Folding& folding) {
  if (is_opaque(e) || !all_literals(e)) return std::nullopt;
  bool is_enough = true;
  for_each_operand(e, [&](const Expr& operand) {
    is_enough = is_enough && folding.spend(operand.as<expr::Literal>()->value);
  });
  if (!is_enough) return std::nullopt;
  Meter meter;
  Result<Value> value = evaluate(e, Nothing(), meter);
  if (!value || !folding.spend(*value)) return std::nullopt;
  return *std::move(value);
}

ExprPtr fold(const ExprPtr& e, Folding& folding) {
  ExprPtr folded = with_operands(e, [&](const ExprPtr& operand) { return fold(operand, folding); });
  if (auto value = constant_value(*folded, folding)) return expr::literal(*std::move(value));
  if (const auto* node = folded->as<expr::And>()) return fold_junction(*node, false, expr::all_of);
  if (const auto* node = folded->as<expr::Or>()) return fold_junction(*node, true, expr::any_of);
  if (const auto* node = folded->as<expr::IfMissing>()) return fold_if_missing(folded, *node);
  if (const auto* node = folded->as<expr::FunctionCall>()) return fold_comparison(folded, *node);
  return folded;
}

}  // namespace

ExprPtr fold(const ExprPtr& e) {
  Folding folding;
  return fold(e, folding);
}

ExprList conjuncts(const ExprPtr& e) {
  const auto* conjunction = e->as<expr::And>();
  return conjunction ? conjunction->operands : ExprList{e};
}

}  // namespace mayfly
