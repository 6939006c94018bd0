#include "expr/expr.h"

#include <utility>

#include "base/check.h"
#include "expr/analyse.h"
#include "expr/function.h"

namespace mayfly {

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::pure: return "pure";
    case Effect::reads: return "reads";
    case Effect::writes: return "writes";
  }
  return "unknown";
}

namespace expr {
namespace {

template <class Node>
ExprPtr make(Node node) {
  return std::make_shared<const Expr>(Expr{std::move(node)});
}

// And or Or of the operands; nested ones of the same kind are flattened.
template <class Node>
ExprPtr junction(ExprList operands) {
  Node node;
  for (ExprPtr& operand : operands) {
    if (const Node* nested = operand->as<Node>()) {
      node.operands.insert(node.operands.end(), nested->operands.begin(), nested->operands.end());
    } else {
      node.operands.push_back(std::move(operand));
    }
  }
  if (node.operands.size() == 1 && is_truth(*node.operands[0])) return node.operands[0];
  return make(std::move(node));
}

}  // namespace

ExprPtr literal(Value value) {
  return make(Literal{std::move(value)});
}
ExprPtr field(Field field, Slot slot) {
  return make(FieldOf{std::move(field), slot});
}
ExprPtr body(std::string_view name) {
  return field(Field::body(name));
}
ExprPtr metadata(std::string_view name) {
  return field(Field::metadata(name));
}
ExprPtr slot(Slot slot) {
  return field(Field{}, slot);
}

ExprPtr call(std::string_view name, ExprList arguments) {
  const Function* function = find_function(name);
  CHECK(function != nullptr);
  return call(*function, std::move(arguments));
}

ExprPtr call(const Function& function, ExprList arguments) {
  CHECK(arguments.size() >= function.arguments_min);
  CHECK(function.arguments_max == any_number || arguments.size() <= function.arguments_max);
  FunctionCall node{&function, std::move(arguments), nullptr};
  if (function.prepare != nullptr) {
    std::vector<const Value*> literals;
    for (const ExprPtr& argument : node.arguments) {
      const Literal* literal = argument->as<Literal>();
      literals.push_back(literal ? &literal->value : nullptr);
    }
    node.prepared = function.prepare(literals);
  }
  return make(std::move(node));
}

ExprPtr all_of(ExprList operands) {
  return junction<And>(std::move(operands));
}
ExprPtr any_of(ExprList operands) {
  return junction<Or>(std::move(operands));
}
ExprPtr negation(ExprPtr operand) {
  return make(Not{std::move(operand)});
}

ExprPtr if_missing(ExprPtr first, ExprPtr otherwise) {
  return make(IfMissing{std::move(first), std::move(otherwise)});
}

ExprPtr must(ExprPtr operand, std::string message) {
  return make(Must{std::move(operand), std::move(message)});
}

ExprPtr each(Each::Mode mode, Slot slot, ExprPtr over, ExprPtr body) {
  return make(Each{mode, slot, std::move(over), std::move(body)});
}

ExprPtr foreign(std::string name, Effect effect, ForeignFunction call, ExprList arguments,
                std::string identity) {
  return make(
      Foreign{std::move(name), effect, std::move(call), std::move(arguments), std::move(identity)});
}

}  // namespace expr
}  // namespace mayfly
