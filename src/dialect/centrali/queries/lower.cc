#include "dialect/centrali/queries/lower.h"

#include "base/limits.h"
#include "dialect/centrali/render.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

using expr::call;
using expr::literal;

tl::unexpected<Error> wrong(const NamedComparison& comparison, std::string_view claim) {
  return fail(Code::invalid,
              "'" + std::string(comparison.op->name) + "' of " + comparison.field.name + " " +
                  std::string(claim),
              comparison.field.name);
}

// The negation; a condition that is unknown counts as false.
ExprPtr negated(ExprPtr condition) {
  return expr::negation(expr::if_missing(std::move(condition), literal(false)));
}

Readings all_readings(const Operand& operand) {
  Readings all;
  for (const Readings& item : operand.items) all.insert(all.end(), item.begin(), item.end());
  return all;
}

// Whether the value is one of these. A missing value counts as null.
ExprPtr is_one_of(const ExprPtr& value, const Readings& readings) {
  ExprList any;
  Array others;
  for (const Value& reading : readings) {
    if (reading.is_null()) {
      any.push_back(call("equal", {call("coalesce", {value}), literal(nullptr)}));
    } else {
      others.push_back(reading);
    }
  }
  if (others.size() == 1) any.push_back(expr::equal(value, literal(others.front())));
  if (others.size() > 1) any.push_back(call("in", {value, literal(std::move(others))}));
  return expr::any_of(std::move(any));
}

// --- times --- Clients see milliseconds. An instant equals the shown millisecond from its first
// microsecond to its last.

Result<Instant> time_of(const NamedComparison& comparison, const Value& value) {
  if (value.is(Kind::text)) {
    if (const auto parsed = parse_rfc3339(value.text())) return floor_millis(*parsed);
  }
  return wrong(comparison, "takes an ISO 8601 time");
}

ExprPtr is_at(const ExprPtr& value, Instant t) {
  return expr::all_of({call("greater_or_equal", {value, literal(t)}),
                       call("less", {value, literal(t + Span::millis(1))})});
}

ExprPtr compare_time(const ExprPtr& value, std::string_view function, Instant t) {
  if (function == "greater") {
    return call("greater_or_equal", {value, literal(t + Span::millis(1))});
  }
  if (function == "less_or_equal") return call("less", {value, literal(t + Span::millis(1))});
  return call(function, {value, literal(t)});
}

Result<ExprPtr> lower_time(const NamedComparison& comparison, const ExprPtr& value,
                           const Operand& operand) {
  using Kind = Operator::Kind;
  const Kind kind = comparison.op->kind;
  ExprList any;
  for (const Value& reading : all_readings(operand)) {
    if (reading.is_null() && kind != Kind::order) {
      any.push_back(call("is_null", {value}));
      continue;
    }
    const Instant t = TRY(time_of(comparison, reading));
    any.push_back(kind == Kind::order ? compare_time(value, comparison.op->function, t)
                                      : is_at(value, t));
  }
  ExprPtr condition = expr::any_of(std::move(any));
  return kind == Kind::not_equal ? negated(std::move(condition)) : condition;
}

// --- status ---

Result<ExprPtr> lower_status(const NamedComparison& comparison, const ExprPtr& removed_at,
                             const Operand& operand) {
  ExprList any;
  for (const Value& reading : all_readings(operand)) {
    if (!reading.is(Kind::text)) return wrong(comparison, "takes active or archived");
    const ExprPtr is_active = call("is_null", {removed_at});
    if (reading.text() == "active") any.push_back(is_active);
    if (reading.text() == "archived") any.push_back(expr::negation(is_active));
  }
  ExprPtr condition = expr::any_of(std::move(any));
  if (comparison.op->kind == Operator::Kind::not_equal) return negated(std::move(condition));
  return condition;
}

// --- the operators over values ---

ExprPtr any_call(std::string_view function, const ExprPtr& value, const Readings& readings) {
  ExprList any;
  for (const Value& reading : readings) {
    any.push_back(call(function, {value, literal(reading)}));
  }
  return expr::any_of(std::move(any));
}

Result<ExprPtr> lower_exists(const NamedComparison& comparison, const ExprPtr& value,
                             const Operand& operand) {
  const Readings readings = all_readings(operand);
  std::optional<bool> wanted;
  for (const Value& reading : readings) {
    if (reading.is(Kind::boolean)) wanted = reading.boolean();
  }
  if (!wanted) return wrong(comparison, "takes true or false");
  // The record's own fields are always present, some of them as null.
  const bool is_data = comparison.field.kind == NamedField::Kind::data;
  ExprPtr exists = is_data ? call("exists", {value}) : expr::negation(call("is_null", {value}));
  return *wanted ? exists : negated(std::move(exists));
}

// A text within a text, or an item of an array.
ExprPtr lower_contains(const ExprPtr& value, const Readings& readings) {
  return expr::any_of(
      {any_call("contains", value, readings), any_call("array_contains", value, readings)});
}

ExprPtr has_any(const ExprPtr& value, const Readings& readings) {
  return call("array_contains_any", {value, literal(Array(readings.begin(), readings.end()))});
}

ExprPtr has_all(const ExprPtr& value, const Operand& operand) {
  ExprList all{call("is_array", {value})};
  for (const Readings& item : operand.items) all.push_back(has_any(value, item));
  return expr::all_of(std::move(all));
}

// --- texts of a query string ---

std::optional<Value> number_of(std::string_view text) {
  if (text.empty() || text.front() == '"' || text.front() == '{' || text.front() == '[') {
    return std::nullopt;
  }
  const auto parsed = parse_json(text);
  if (!parsed || !parsed->is_number()) return std::nullopt;
  return *parsed;
}

std::optional<Value> word_of(std::string_view text) {
  if (text == "true") return Value(true);
  if (text == "false") return Value(false);
  if (text == "null") return Value(nullptr);
  return std::nullopt;
}

Readings readings_of(std::string_view text, const NamedComparison& comparison,
                     const Structure& structure) {
  const NamedField& field = comparison.field;
  if (comparison.op->kind == Operator::Kind::exists) return {word_of(text).value_or(Value(text))};
  if (comparison.op->kind == Operator::Kind::text) return {Value(text)};
  if (field.kind == NamedField::Kind::time) {
    return {text == "null" ? Value(nullptr) : Value(text)};
  }
  if (field.kind == NamedField::Kind::number) return {number_of(text).value_or(Value(text))};
  if (field.kind != NamedField::Kind::data) return {Value(text)};
  const auto& steps = field.field.path.steps;
  const Shape* property =
      steps.size() == 1 ? structure.shape.find(std::get<std::string>(steps[0])) : nullptr;
  if (property != nullptr && is_textual(*property)) return {Value(text)};
  Readings readings{Value(text)};
  if (auto number = number_of(text)) readings.push_back(std::move(*number));
  if (auto word = word_of(text)) readings.push_back(std::move(*word));
  return readings;
}

}  // namespace

Operand operand_of_one(const Value& value) {
  Operand operand;
  operand.items.push_back(Readings(1, value));
  return operand;
}

Operand operand_of(const Value& value) {
  if (!value.is(Kind::array)) return operand_of_one(value);
  Operand operand;
  for (const Value& item : value.array()) operand.items.push_back(Readings(1, item));
  return operand;
}

Operand operand_of(std::string_view text, const NamedComparison& comparison,
                   const Structure& structure) {
  Operand operand;
  if (!comparison.op->takes_list) {
    operand.items.push_back(readings_of(text, comparison, structure));
    return operand;
  }
  while (true) {
    const std::size_t comma = text.find(',');
    operand.items.push_back(readings_of(text.substr(0, comma), comparison, structure));
    if (comma == std::string_view::npos) return operand;
    text.remove_prefix(comma + 1);
  }
}

Result<ExprPtr> lower(const NamedComparison& comparison, const Operand& operand) {
  using Kind = Operator::Kind;
  const ExprPtr value = expr::field(comparison.field.field);
  const Kind kind = comparison.op->kind;
  const bool is_equality = kind == Kind::equal || kind == Kind::not_equal;
  if (comparison.op->kind == Kind::exists) return lower_exists(comparison, value, operand);
  if (comparison.field.kind == NamedField::Kind::status) {
    if (is_equality) return lower_status(comparison, value, operand);
    return wrong(comparison, "is not offered");
  }
  if (comparison.field.kind == NamedField::Kind::time) {
    if (is_equality || kind == Kind::order) return lower_time(comparison, value, operand);
    return wrong(comparison, "is not offered");
  }
  const Readings readings = all_readings(operand);
  switch (kind) {
    case Kind::equal: return is_one_of(value, readings);
    case Kind::not_equal: return negated(is_one_of(value, readings));
    case Kind::order:
    case Kind::text: return any_call(comparison.op->function, value, readings);
    case Kind::contains: return lower_contains(value, readings);
    case Kind::has_any: return has_any(value, readings);
    case Kind::has_all: return has_all(value, operand);
    case Kind::exists: break;
  }
  return fail(Code::internal, "an operator is not lowered");
}

// Whether a text contains the other, or an array or object contains such a text.
ExprPtr holds_text(const ExprPtr& value, std::string_view text, Slot item) {
  const auto is_in = [&](const ExprPtr& where) {
    return expr::if_missing(call("contains_ignoring_case", {where, literal(text)}), literal(false));
  };
  const auto in_any = [&](ExprPtr list) {
    return expr::if_missing(
        expr::each(expr::Each::Mode::any, item, std::move(list), is_in(expr::slot(item))),
        literal(false));
  };
  return expr::any_of({is_in(value), in_any(value), in_any(call("values", {value}))});
}

ExprPtr lower_search(std::string_view text, const std::vector<NamedField>& fields) {
  ExprList any;
  for (const NamedField& field : fields) {
    any.push_back(holds_text(expr::field(field.field), text, 1));
  }
  if (!any.empty()) return expr::any_of(std::move(any));
  constexpr Slot field = 1, item = 2;
  return expr::each(expr::Each::Mode::any, field, call("values", {expr::slot(0)}),
                    holds_text(expr::slot(field), text, item));
}

Result<query::SortKey> lower_sort_key(std::string_view name, bool is_descending) {
  const NamedField field = TRY(parse_field(name));
  if (field.kind == NamedField::Kind::status) {
    return fail(Code::invalid, "records cannot be sorted by status", "sort");
  }
  return query::SortKey{expr::field(field.field), is_descending};
}

Result<std::vector<query::SortKey>> lower_sort(std::string_view text) {
  std::vector<query::SortKey> keys;
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    const bool is_descending = name.starts_with('-');
    if (is_descending || name.starts_with('+')) name.remove_prefix(1);
    keys.push_back(TRY(lower_sort_key(name, is_descending)));
  }
  return keys;
}

}  // namespace mayfly::centrali
