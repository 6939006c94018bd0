// One function for each kind of node, except chains (chains.cc).
#include "dialect/fauna/check/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/threads/thread.h"
#include "dialect/fauna/check/types/fits.h"
#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

// The function in the expected type: `((A) => B) | Null`.
const StaticType* function_in(const StaticType& expected) {
  if (expected.is(StaticKind::function)) return &expected;
  if (!expected.is(StaticKind::one_of)) return nullptr;
  for (const StaticPtr& part : expected.parts) {
    if (part->is(StaticKind::function)) return part.get();
  }
  return nullptr;
}

Diagnostic not_called(Span at) {
  Diagnostic warning{Severity::warning, "Function is not called.", at};
  warning.hints.push_back({"Call the function.", {at.end, at.end, at.source}, "()"});
  return warning;
}

}  // namespace

bool Checker::may_continue(const StaticPtr& type) {
  if (error_ || errors.size() >= limits::fql_errors_max) return false;
  const auto done = meter_.tick(1 + type->size);
  if (!done) error_ = done.error();
  return done.has_value();
}

void Checker::report(Diagnostic error) {
  if (errors.size() < limits::fql_errors_max) errors.push_back(std::move(error));
}

void Checker::require(const StaticPtr& actual, const StaticPtr& expected, Span at) {
  if (!fits(*actual, *expected)) report(mismatch(actual, expected, at));
}

StaticPtr Checker::infer(const Expression& expression, Frame& frame) {
  if (stack_left() < limits::fql_stack_left_min) return any_type();
  if (error_ || errors.size() >= limits::fql_errors_max) return any_type();
  StaticPtr type = std::visit([&](const auto& node) { return of(node, expression.span, frame); },
                              expression.node);
  return may_continue(type) ? type : any_type();
}

StaticPtr Checker::check(const Expression& expression, const StaticPtr& expected, Frame& frame) {
  const Lambda* const lambda = expression.as<Lambda>();
  const StaticType* const function = lambda != nullptr ? function_in(*expected) : nullptr;
  const StaticPtr actual = function != nullptr
                               ? inferred(lambda_type(*lambda, function, frame), expression.span)
                               : infer(expression, frame);
  require(actual, expected, expression.span);
  return actual;
}

StaticPtr Checker::of(const Literal& literal, Span at, Frame&) {
  const auto type = std::visit(
      [](const auto& value) -> StaticPtr {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) return null_type();
        if constexpr (std::is_same_v<T, bool>) {
          return literal_type(value ? "true" : "false", "Boolean");
        }
        if constexpr (std::is_same_v<T, std::int32_t>) {
          return literal_type(std::to_string(value), "Int");
        }
        if constexpr (std::is_same_v<T, std::int64_t>) {
          return literal_type(std::to_string(value), "Long");
        }
        if constexpr (std::is_same_v<T, double>) {
          return literal_type(fmt::format("{}", value), "Double");
        }
        if constexpr (std::is_same_v<T, std::string>) {
          return text_literal_type(value);
        }
      },
      literal.value);
  return inferred(type, at);
}

StaticPtr Checker::of(const TextTemplate& text, Span at, Frame& frame) {
  for (const auto& part : text.parts) {
    if (const auto* tree = std::get_if<ExpressionPtr>(&part)) infer(**tree, frame);
  }
  return inferred(scalar_type("String"), at);
}

StaticPtr Checker::of(const ObjectOf& object, Span at, Frame& frame) {
  std::vector<StaticField> fields;
  for (const ObjectField& field : object.fields) {
    StaticPtr type = infer(*field.value, frame);
    if (fields.size() <= limits::fql_type_size_max) {
      fields.push_back({field.name, std::move(type)});
    }
  }
  return inferred(object_type(std::move(fields)), at);
}

StaticPtr Checker::of(const ArrayOf& array, Span at, Frame& frame) {
  StaticList items;
  for (const ExpressionPtr& item : array.items) items.push_back(infer(*item, frame));
  return inferred(tuple_type(std::move(items)), at);
}

void Checker::declare(const Let& let, Frame& frame) {
  if (!let.type) {
    frame[let.slot] = inferred(infer(*let.value, frame), let.value->span);
    return;
  }
  Diagnostics unknown;
  const StaticPtr expected = known_.declared(*let.type, &unknown);
  for (Diagnostic& one : unknown) report(std::move(one));
  check(*let.value, expected, frame);
  frame[let.slot] = inferred(expected, let.type->span);
}

StaticPtr Checker::of(const Block& block, Span, Frame& frame) {
  StaticPtr last = null_type();
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    if (const auto* let = std::get_if<Let>(&block.statements[i])) {
      declare(*let, frame);
      continue;
    }
    const Expression& tree = *std::get<ExpressionPtr>(block.statements[i]);
    last = infer(tree, frame);
    const bool is_last = i + 1 == block.statements.size();
    if (is_last || !last->is(StaticKind::function)) continue;
    if (warnings.size() < limits::fql_errors_max) warnings.push_back(not_called(tree.span));
  }
  return last;
}

StaticPtr Checker::of(const If& whole, Span at, Frame& frame) {
  check(*whole.condition, scalar_type("Boolean"), frame);
  const StaticPtr yes = infer(*whole.yes, frame);
  const StaticPtr no = whole.no ? infer(*whole.no, frame) : null_type();
  return inferred(union_type({yes, no}), at);
}

StaticPtr Checker::of(const At& whole, Span, Frame& frame) {
  static const StaticPtr times = union_type({scalar_type("TransactionTime"), scalar_type("Time")});
  check(*whole.time, times, frame);
  return infer(*whole.body, frame);
}

StaticPtr Checker::of(const Lambda& lambda, Span at, Frame& frame) {
  return inferred(lambda_type(lambda, nullptr, frame), at);
}

// The types of the parameters are known if a function with as many parameters is expected.
StaticPtr Checker::lambda_type(const Lambda& lambda, const StaticType* expected, Frame& frame) {
  const std::size_t count = lambda.parameters.size() - (lambda.is_variadic ? 1 : 0);
  const bool is_known =
      expected != nullptr && expected->parts.size() == count && !lambda.is_variadic;
  Frame inner(lambda.frame_size, any_type());
  StaticList parameters(count, any_type());
  if (is_known) parameters = expected->parts;
  std::copy(parameters.begin(), parameters.end(), inner.begin());
  if (lambda.is_variadic) inner[count] = array_type(any_type());
  for (const Capture& capture : lambda.captures) inner[capture.to] = frame[capture.from];
  StaticPtr result = infer(*lambda.body, inner);
  // A predicate may return null, which counts as false.
  const bool is_right =
      !is_known || fits(*result, *expected->rest) ||
      (expected->rest->is_scalar("Boolean") && fits(*without_null(result), *expected->rest));
  if (!is_right) {
    report(mismatch(result, expected->rest, lambda.body->span));
    result = expected->rest;
  }
  return function_type(std::move(parameters), std::move(result),
                       {count, lambda.is_variadic ? Arity::any : count});
}

StaticPtr Checker::of(const Variable& variable, Span at, Frame& frame) {
  if (variable.slot) return frame[*variable.slot];
  if (StaticPtr type = known_.global(variable.name)) return type;
  report(error_at(at, fmt::format("Unbound variable `{}`", variable.name)));
  return any_type();
}

// --- operators ---

StaticPtr Checker::of(const Unary& unary, Span at, Frame& frame) {
  const bool is_logical = unary.op == UnaryOperator::logical_not;
  const StaticPtr type = scalar_type(is_logical ? "Boolean" : "Number");
  check(*unary.operand, type, frame);
  return inferred(type, at);
}

StaticPtr Checker::of(const Operations& operations, Span, Frame& frame) {
  StaticPtr value = infer(*operations.first, frame);
  Span at = operations.first->span;
  for (const Operation& operation : operations.rest) {
    value = operate(value, operation, at, frame);
    at = joined(at, operation.operand->span);
    value = inferred(value, at);
  }
  return value;
}

StaticPtr Checker::operate(const StaticPtr& left, const Operation& operation, Span left_at,
                           Frame& frame) {
  static const StaticPtr number = scalar_type("Number");
  static const StaticPtr boolean = scalar_type("Boolean");
  switch (operation.op) {
    case BinaryOperator::coalesce:
      return union_type({without_null(left), infer(*operation.operand, frame)});
    case BinaryOperator::logical_or:
    case BinaryOperator::logical_and:
      require(left, boolean, left_at);
      check(*operation.operand, boolean, frame);
      return boolean;
    case BinaryOperator::equal:
    case BinaryOperator::not_equal:
    case BinaryOperator::greater:
    case BinaryOperator::less:
    case BinaryOperator::greater_equal:
    case BinaryOperator::less_equal:
    case BinaryOperator::isa: infer(*operation.operand, frame); return boolean;
    default: break;
  }
  const std::string_view symbol = symbol_of(operation.op);
  const StaticPtr value =
      needed(left, fmt::format("does not have field `{}`", symbol), operation.op_span, left_at);
  if (value->is(StaticKind::any) || value->is(StaticKind::never)) {
    infer(*operation.operand, frame);
    return operation.op == BinaryOperator::add ? any_type() : number;
  }
  if (operation.op == BinaryOperator::add && fits(*value, *scalar_type("String"))) {
    infer(*operation.operand, frame);
    return scalar_type("String");
  }
  if (!fits(*value, *number)) {
    infer(*operation.operand, frame);
    // Unions of texts and numbers support it.
    if (value->is(StaticKind::one_of)) return any_type();
    report(error_at(operation.op_span, fmt::format("Type `{}` does not have field `{}`",
                                                   render_static(*widened(value)), symbol)));
    return any_type();
  }
  check(*operation.operand, number, frame);
  return number;
}

// --- projections ---

StaticPtr Checker::of(const Projection& projection, Span at, Frame& frame) {
  return inferred(projected(infer(*projection.of, frame), projection, frame), at);
}

StaticPtr Checker::project_one(const StaticPtr& type, const Lambda& element, Frame& frame) {
  const StaticType expected{.kind = StaticKind::function, .parts = {type}, .rest = any_type()};
  const StaticPtr made = lambda_type(element, &expected, frame);
  // The type of a function that is too large is unknown.
  return made->is(StaticKind::function) ? made->rest : any_type();
}

StaticPtr Checker::projected(const StaticPtr& type, const Projection& projection, Frame& frame) {
  const Lambda& element = *projection.element->as<Lambda>();
  const StaticPtr null = null_in(type);
  const StaticPtr value = without_null(type);
  StaticPtr made;
  switch (value->kind) {
    case StaticKind::never: return null ? null_type() : value;
    case StaticKind::object:
    case StaticKind::document: made = project_one(value, element, frame); break;
    case StaticKind::array:
    case StaticKind::tuple:
      made = array_type(project_one(without_null(element_of(*value)), element, frame));
      break;
    case StaticKind::set:
      made = set_type(project_one(without_null(element_of(*value)), element, frame));
      break;
    case StaticKind::any:
    case StaticKind::one_of: project_one(any_type(), element, frame); return any_type();
    default:
      report(error_at(projection.of->span, fmt::format("Cannot use projection with type `{}`",
                                                       render_static(*widened(value)))));
      return any_type();
  }
  if (null) made = union_type({made, null_type()});
  return made;
}

}  // namespace mayfly::fauna
