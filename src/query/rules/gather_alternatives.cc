// `.a = 1 or .a = 2` becomes `.a in [1, 2]`, which points and indexes can serve.
#include "expr/analyse.h"
#include "expr/function.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

// The field and the literals of `field = literal` or `field in [literals]`.
struct Alternatives {
  const Expr* field = nullptr;
  Array values;
};

Alternatives alternatives_of(const Expr& e) {
  const auto* call = e.as<expr::FunctionCall>();
  if (call == nullptr || call->arguments.size() != 2) return {};
  const auto* literal = call->arguments[1]->as<expr::Literal>();
  if (literal == nullptr || !call->arguments[0]->as<expr::FieldOf>()) return {};
  if (call->function->comparison == Comparison::equal && !literal->value.is_missing()) {
    return {call->arguments[0].get(), {literal->value}};
  }
  if (call->function->name == "in" && literal->value.is(Kind::array)) {
    return {call->arguments[0].get(), literal->value.array()};
  }
  return {};
}

ExprPtr gathered(const ExprPtr& e) {
  const ExprPtr below = with_operands(e, gathered);
  const auto* either = below->as<expr::Or>();
  if (either == nullptr || either->operands.size() < 2) return below;
  ExprPtr field;
  Array all;
  for (const ExprPtr& operand : either->operands) {
    const Alternatives found = alternatives_of(*operand);
    if (found.field == nullptr) return below;
    const auto& named = *found.field->as<expr::FieldOf>();
    if (field != nullptr && !(named == *field->as<expr::FieldOf>())) return below;
    if (field == nullptr) field = expr::field(named.field, named.slot);
    all.insert(all.end(), found.values.begin(), found.values.end());
  }
  return expr::call("in", {field, expr::literal(Value(std::move(all)))});
}

}  // namespace

QueryPtr gather_alternatives(const QueryPtr& query) {
  const QueryPtr below = with_inputs(query, gather_alternatives);
  return below->as<Filter>() ? with_expressions(below, gathered) : below;
}

}  // namespace mayfly::query
