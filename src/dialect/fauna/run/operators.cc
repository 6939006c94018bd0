// Evaluates operators: those that may skip an operand are here, the others are in arithmetic.h.
#include "dialect/fauna/library/scalars/arithmetic.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

bool holds(BinaryOperator op, std::partial_ordering order) {
  switch (op) {
    case BinaryOperator::less: return order < 0;
    case BinaryOperator::less_equal: return order <= 0;
    case BinaryOperator::greater: return order > 0;
    default: return order >= 0;
  }
}

// The types that `isa` accepts, and the kinds of their values.
struct TypeRow {
  std::string_view name;
  bool (*fits)(const FqlValue& value);
};
template <FqlKind kind>
bool is_of_kind(const FqlValue& value) {
  return value.is(kind);
}
constexpr TypeRow types[] = {
    {"Null", is_of_kind<FqlKind::null>},
    {"Boolean", is_of_kind<FqlKind::boolean>},
    {"Int", [](const FqlValue& v) { return v.is(FqlKind::whole) && !v.whole().is_long; }},
    {"Long", [](const FqlValue& v) { return v.is(FqlKind::whole) && v.whole().is_long; }},
    {"Double", is_of_kind<FqlKind::real>},
    {"Number", [](const FqlValue& v) { return v.is_number(); }},
    {"String", is_of_kind<FqlKind::text>},
    {"Bytes", is_of_kind<FqlKind::bytes>},
    {"Time",
     [](const FqlValue& v) { return v.is(FqlKind::time) || v.is(FqlKind::transaction_time); }},
    {"TransactionTime", is_of_kind<FqlKind::transaction_time>},
    {"Date", is_of_kind<FqlKind::date>},
    {"UUID", is_of_kind<FqlKind::uuid>},
    {"ID", is_of_kind<FqlKind::id>},
    {"Set", is_of_kind<FqlKind::set>},
    {"Array", is_of_kind<FqlKind::array>},
    {"Function", is_of_kind<FqlKind::function>},
    {"SetCursor", is_of_kind<FqlKind::set_cursor>},
    {"EventSource", is_of_kind<FqlKind::event_source>},
    {"Struct", is_of_kind<FqlKind::object>},
    {"Object", [](const FqlValue& v) { return v.is(FqlKind::object) || v.is(FqlKind::document); }},
};

Result<bool> is_a(Interpreter& run, const FqlValue& value, const FqlValue& type) {
  if (!type.is(FqlKind::module)) {
    return run.fail_argument("type_object", "expected a module object");
  }
  const std::string& name = type.module()->name;
  if (value.is(FqlKind::document)) {
    const bool is_there = TRY(run.exists(value));
    if (!is_there) return name == "Null";
    return name == "Doc" || name == "Object" || value.document()->collection == name;
  }
  for (const TypeRow& row : types) {
    if (row.name == name) return row.fits(value);
  }
  return false;
}

}  // namespace

Result<FqlValue> Interpreter::of(const Unary& unary, Frame frame) {
  const FqlValue value = TRY(evaluate(*unary.operand, frame));
  TRY(step());
  if (unary.op == UnaryOperator::logical_not) {
    if (!value.is(FqlKind::boolean)) {
      return fail("invalid_function_invocation",
                  "The function `!` does not exist on `" + type_name(value) + "`");
    }
    return FqlValue(!value.boolean());
  }
  return find_unary_operator(symbol_of(unary.op))(*this, value);
}

Result<FqlValue> Interpreter::of(const Operations& operations, Frame frame) {
  FqlValue value = TRY(evaluate(*operations.first, frame));
  for (const Operation& operation : operations.rest) {
    auto next = operate(operation, std::move(value), frame);
    if (!next) locate(operation.operand->span);
    value = TRY(std::move(next));
  }
  return value;
}

// Operators that do not always evaluate their right side.
Result<FqlValue> Interpreter::operate(const Operation& operation, FqlValue left, Frame frame) {
  TRY(step());
  switch (operation.op) {
    case BinaryOperator::coalesce:
      if (!TRY(is_null(left))) return left;
      return evaluate(*operation.operand, frame);
    case BinaryOperator::logical_or:
      if (TRY(boolean(left))) return FqlValue(true);
      return FqlValue(TRY(boolean(TRY(evaluate(*operation.operand, frame)))));
    case BinaryOperator::logical_and:
      if (!TRY(boolean(left))) return FqlValue(false);
      return FqlValue(TRY(boolean(TRY(evaluate(*operation.operand, frame)))));
    default: break;
  }
  const FqlValue right = TRY(evaluate(*operation.operand, frame));
  if (left.is(FqlKind::whole) && right.is(FqlKind::whole)) {
    auto known = calculate_whole(operation.op, left.whole().number, right.whole().number);
    if (known) return *std::move(known);
  }
  switch (operation.op) {
    case BinaryOperator::equal: return FqlValue(TRY(equal(left, right)));
    case BinaryOperator::not_equal: return FqlValue(!TRY(equal(left, right)));
    case BinaryOperator::less:
    case BinaryOperator::less_equal:
    case BinaryOperator::greater:
    case BinaryOperator::greater_equal:
      return FqlValue(holds(operation.op, TRY(compare(meter(), left, right))));
    case BinaryOperator::isa: return FqlValue(TRY(is_a(*this, left, right)));
    default: break;
  }
  const BinaryFunction calculate = find_binary_operator(symbol_of(operation.op));
  if (calculate != nullptr) return calculate(*this, left, right);
  return fail("invalid_function_invocation", "The function `" +
                                                 std::string(symbol_of(operation.op)) +
                                                 "` does not exist on `" + type_name(left) + "`");
}

}  // namespace mayfly::fauna
