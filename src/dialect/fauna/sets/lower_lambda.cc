// Translates lambdas to expressions of the core, so that its planner can analyze them. Only lambdas
// with the same meaning in the core are lowered: comparisons of a document's own fields with
// captured values or literals. The only exception are ids in fields: a comparison with a number,
// and `<` and `>` with anything, do not find them (docs/dialects/fauna.md).
//
// Only paths of one step are lowered. A field with a reference is never equal to such a value, in
// FQL and in the core; a longer path would have to follow the reference.
#include <algorithm>
#include <limits>

#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/indexes/comparison_functions.h"
#include "dialect/fauna/sets/lower.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

// Resolves a lambda's variables: its parameter and its captured values.
class LambdaNames {
 public:
  LambdaNames(const Closure& closure, const FqlCollection& of) : closure_(closure), of_(of) {}

  bool is_parameter(const Expression& expression) const {
    const auto* variable = expression.as<Variable>();
    return variable != nullptr && variable->slot == 0U;
  }

  std::optional<mayfly::Value> value(const Expression& expression) const {
    if (const auto* literal = expression.as<Literal>()) return literal_value(*literal);
    const auto* variable = expression.as<Variable>();
    if (variable == nullptr || !variable->slot) return std::nullopt;
    const auto& captures = closure_.lambda().captures;
    const auto found = std::lower_bound(
        captures.begin(), captures.end(), *variable->slot,
        [](const Capture& capture, std::uint32_t slot) { return capture.to < slot; });
    if (found == captures.end() || found->to != *variable->slot) return std::nullopt;
    return scalar(closure_.captured()[static_cast<std::size_t>(found - captures.begin())]);
  }

  std::optional<Field> field(const Expression& expression) const {
    const auto* chain = expression.as<Chain>();
    if (chain == nullptr || chain->steps.size() != 1) return std::nullopt;
    const auto* step = std::get_if<FieldStep>(&chain->steps[0].what);
    if (step == nullptr || !is_parameter(*chain->receiver)) return std::nullopt;
    return field_named(step->name);
  }

 private:
  // Metadata that can be compared in stored form.
  std::optional<Field> field_named(const std::string& name) const {
    if (name == "ttl") return Field::metadata("expires_at");
    if (name == "ts") return Field::metadata("written_at");
    const bool is_special = name == "id" || name == "coll" || name == "data";
    // Needed to find tokens and credentials by their documents.
    const bool is_shown_otherwise = of_.system != nullptr && name != "document";
    if (is_special || is_shown_otherwise) return std::nullopt;
    if (of_.definition && of_.definition->find_computed(name) != nullptr) return std::nullopt;
    return Field::body(name);
  }

  static std::optional<mayfly::Value> literal_value(const Literal& literal) {
    return std::visit(
        [](const auto& value) -> std::optional<mayfly::Value> {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, std::monostate>) return mayfly::Value(nullptr);
          if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
            return mayfly::Value(static_cast<std::int64_t>(value));
          }
          if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                        std::is_same_v<T, std::string>) {
            return mayfly::Value(value);
          }
        },
        literal.value);
  }

  // Arrays and objects are left to the interpreter.
  static std::optional<mayfly::Value> scalar(const FqlValue& value) {
    switch (value.kind()) {
      case FqlKind::null:
      case FqlKind::boolean:
      case FqlKind::whole:
      case FqlKind::real:
      case FqlKind::text:
      case FqlKind::time:
      case FqlKind::date:
      case FqlKind::id:
      case FqlKind::document: return lowered_value(value);
      default: return std::nullopt;
    }
  }

  const Closure& closure_;
  const FqlCollection& of_;
};

// `==`, `<=` and `>=` with null hold for null and missing values; `<` and `>` never hold.
ExprPtr compare_with_null(const ExprPtr& field, std::string_view name) {
  if (name == "less" || name == "greater") return expr::literal(false);
  return expr::any_of({expr::call("is_missing", {field}), expr::call("is_null", {field})});
}

ExprPtr compared(const Field& field, std::string_view name, const mayfly::Value& value) {
  const ExprPtr field_value = expr::field(field);
  if (value.is_null()) return compare_with_null(field_value, name);
  if (const auto all = stored_equals(value); all.size() > 1 && name == "equal") {
    const ExprPtr any = expr::literal(mayfly::Value(Array(all.begin(), all.end())));
    return expr::if_missing(expr::call("in", {field_value, any}), expr::literal(false));
  }
  // Whether a document is equal to null depends on its existence, so only equality is lowered. A
  // time finer than a microsecond is stored as a reference, and metadata are never references.
  if (value.is(Kind::reference) && (name != "equal" || field.part == Part::metadata)) {
    return nullptr;
  }
  const auto holds = [&](std::string_view how, const mayfly::Value& than) {
    return expr::if_missing(expr::call(how, {field_value, expr::literal(than)}),
                            expr::literal(false));
  };
  // In FQL, NaN is not less than any number; in the core it is less than all.
  if (!value.is_number() || !name.starts_with("less")) return holds(name, value);
  const mayfly::Value least(-std::numeric_limits<double>::infinity());
  return expr::all_of({holds("greater_or_equal", least), holds(name, value)});
}

ExprPtr lower(const LambdaNames& names, const Expression& expression);

ExprPtr lower_comparison(const LambdaNames& names, const Expression& left, BinaryOperator op,
                         const Expression& right) {
  if (op == BinaryOperator::not_equal) {
    ExprPtr same = lower_comparison(names, left, BinaryOperator::equal, right);
    return same == nullptr ? nullptr : expr::negation(std::move(same));
  }
  const CoreComparison* const row = find_core_comparison(op);
  if (row == nullptr) return nullptr;
  if (const auto field = names.field(left)) {
    const auto value = names.value(right);
    // A reference to a missing document is also equal to null, which needs a look-up.
    if (!value || (value->is_null() && field->part == Part::body)) return nullptr;
    return compared(*field, row->name, *value);
  }
  if (const auto field = names.field(right)) {
    const auto value = names.value(left);
    if (!value || (value->is_null() && field->part == Part::body)) return nullptr;
    return compared(*field, row->exchanged, *value);
  }
  return nullptr;
}

ExprPtr lower_operations(const LambdaNames& names, const Operations& operations) {
  const BinaryOperator op = operations.rest.front().op;
  if (op != BinaryOperator::logical_and && op != BinaryOperator::logical_or) {
    if (operations.rest.size() != 1) return nullptr;
    return lower_comparison(names, *operations.first, op, *operations.rest[0].operand);
  }
  ExprList operands{lower(names, *operations.first)};
  for (const Operation& operation : operations.rest) {
    if (operation.op != op) return nullptr;
    operands.push_back(lower(names, *operation.operand));
  }
  for (const ExprPtr& operand : operands) {
    if (operand == nullptr) return nullptr;
  }
  return op == BinaryOperator::logical_and ? expr::all_of(std::move(operands))
                                           : expr::any_of(std::move(operands));
}

ExprPtr lower(const LambdaNames& names, const Expression& expression) {
  if (const auto* operations = expression.as<Operations>()) {
    return lower_operations(names, *operations);
  }
  const auto* unary = expression.as<Unary>();
  if (unary == nullptr || unary->op != UnaryOperator::logical_not) return nullptr;
  ExprPtr operand = lower(names, *unary->operand);
  return operand == nullptr ? nullptr : expr::negation(std::move(operand));
}

// Null if it cannot be lowered. A lambda that a query passes to a function with a role may have
// fewer read rights than the set that it filters, so the interpreter evaluates it.
const Closure* closure_of(Interpreter& run, const Callable& callable) {
  const auto* closure = dynamic_cast<const Closure*>(&callable);
  if (closure == nullptr || closure->lambda().is_variadic) return nullptr;
  if (run.permissions().uses_other_role() && run.is_of_query(*closure)) return nullptr;
  return closure->lambda().parameters.size() == 1 ? closure : nullptr;
}

}  // namespace

ExprPtr lower_predicate(Interpreter& run, const Callable& predicate, const FqlCollection& of) {
  const Closure* const closure = closure_of(run, predicate);
  if (closure == nullptr) return nullptr;
  return lower(LambdaNames(*closure, of), *closure->lambda().body);
}

std::optional<Field> lowered_field(Interpreter& run, const Callable& accessor,
                                   const FqlCollection& of) {
  const Closure* const closure = closure_of(run, accessor);
  if (closure == nullptr) return std::nullopt;
  return LambdaNames(*closure, of).field(*closure->lambda().body);
}

}  // namespace mayfly::fauna
