// Extracts the conditions that an access path can serve from expressions.
#include "query/planning/access.h"

#include <algorithm>

#include "base/limits.h"
#include "expr/function.h"
#include "value/order/order.h"

namespace mayfly::query {
namespace {

// Whether less and greater can compare the value.
bool is_ordered(const Value& v) {
  return !v.is_missing() && !v.is(Kind::array) && !v.is(Kind::object);
}

bool is_nan(const Value& v) {
  return v.is(Kind::real) && v.real() != v.real();
}

std::optional<Condition> range_of(Condition c, Comparison how, const Value& literal) {
  if (!is_ordered(literal) || is_nan(literal)) return std::nullopt;
  switch (how) {
    case Comparison::less: c.to = {literal, false}; break;
    case Comparison::less_or_equal: c.to = {literal, true}; break;
    case Comparison::greater: c.from = {literal, false}; break;
    case Comparison::greater_or_equal: c.from = {literal, true}; break;
    default: return std::nullopt;
  }
  return c;
}

std::optional<Condition> between_of(Condition c, const Value& low, const Value& high) {
  const bool same_kind = low.kind() == high.kind() || (low.is_number() && high.is_number());
  if (!same_kind || !is_ordered(low) || is_nan(low) || is_nan(high)) return std::nullopt;
  c.from = {low, true};
  c.to = {high, true};
  return c;
}

// The texts that begin with `prefix` are those from `prefix` up to the least text that no longer
// does.
std::optional<Condition> prefix_of(Condition c, const Value& prefix) {
  if (!prefix.is(Kind::text)) return std::nullopt;
  c.from = {prefix, true};
  const Bytes after = after_prefix(prefix.text());
  if (!after.empty()) c.to = {Value(after), false};
  return c;
}

// `is_null_for_missing`: a missing value counts as null.
std::optional<Condition> members_of(Condition c, const Value& list, bool is_null_for_missing) {
  if (!list.is(Kind::array) || list.array().empty()) return std::nullopt;
  if (list.array().size() > limits::filter_nodes_max) return std::nullopt;
  for (const Value& item : list.array()) {
    if (!item.is_missing()) c.values.push_back(item);
    if (item.is_null() && is_null_for_missing) c.values.emplace_back();
  }
  const auto before = [](const Value& a, const Value& b) { return order(a, b) < 0; };
  std::sort(c.values.begin(), c.values.end(), before);
  c.values.erase(std::unique(c.values.begin(), c.values.end(), same), c.values.end());
  if (c.values.empty()) return std::nullopt;
  return c;
}

// The compared operand: `field` or `field ?? null` of the slot, or any other expression on the row.
struct Operand {
  Field field = {};
  bool is_null_for_missing = false;
  ExprPtr expression = nullptr;
};

std::optional<Operand> expression_operand(const ExprPtr& e, Slot slot) {
  if (slot != 0 || e->as<expr::Literal>() != nullptr) return std::nullopt;
  if (e->as<expr::FieldOf>() != nullptr) return std::nullopt;
  return Operand{.expression = e};
}

std::optional<Operand> operand_of(const ExprPtr& e, Slot slot) {
  if (const auto* fallback = e->as<expr::IfMissing>()) {
    const auto* literal = fallback->otherwise->as<expr::Literal>();
    if (literal == nullptr || !literal->value.is_null()) return expression_operand(e, slot);
    auto operand = operand_of(fallback->first, slot);
    if (operand) operand->is_null_for_missing = true;
    return operand;
  }
  const auto* field = e->as<expr::FieldOf>();
  if (field == nullptr || field->slot != slot) return expression_operand(e, slot);
  return Operand{field->field};
}

// The arguments after the first; empty if one of them is not a literal.
std::optional<std::vector<const Value*>> literals_of(const expr::FunctionCall& call) {
  std::vector<const Value*> literals;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const auto* literal = call.arguments[i]->as<expr::Literal>();
    if (literal == nullptr) return std::nullopt;
    literals.push_back(&literal->value);
  }
  return literals;
}

std::optional<Condition> condition_on(const ExprPtr& e, Slot slot) {
  const auto* call = e->as<expr::FunctionCall>();
  if (call == nullptr || call->arguments.empty()) return std::nullopt;
  const auto operand = operand_of(call->arguments[0], slot);
  const auto literals = literals_of(*call);
  if (!operand || !literals) return std::nullopt;
  Condition c{.source = e, .field = operand->field, .expression = operand->expression};
  const Function& function = *call->function;
  if (function.name == "is_missing" && !operand->is_null_for_missing) {
    c.values = {Value()};
    return c;
  }
  if (literals->empty()) return std::nullopt;
  const Value& first = *literals->front();
  if (function.comparison == Comparison::equal) {
    return members_of(std::move(c), Array{first}, operand->is_null_for_missing);
  }
  if (function.name == "in") return members_of(std::move(c), first, operand->is_null_for_missing);
  if (operand->is_null_for_missing && first.is_null()) return std::nullopt;
  if (function.comparison != Comparison::none) {
    return range_of(std::move(c), function.comparison, first);
  }
  if (function.name == "between") return between_of(std::move(c), first, *literals->at(1));
  if (function.name == "starts_with") return prefix_of(std::move(c), first);
  return std::nullopt;
}

// `array_contains(field, literal)`: some item is equal to the literal.
std::optional<Condition> containing(const ExprPtr& e, const expr::FunctionCall& call) {
  const auto* field = call.arguments.empty() ? nullptr : call.arguments[0]->as<expr::FieldOf>();
  const auto literals = literals_of(call);
  if (call.function->name != "array_contains" || field == nullptr || field->slot != 0 || !literals)
    return std::nullopt;
  Condition c{.source = e, .field = field->field, .about = Condition::About::item};
  return members_of(std::move(c), Array{*literals->front()}, false);
}

std::optional<Condition> item_condition(const ExprPtr& e) {
  if (const auto* call = e->as<expr::FunctionCall>()) return containing(e, *call);
  const auto* each = e->as<expr::Each>();
  if (each == nullptr || each->mode != expr::Each::Mode::any) return std::nullopt;
  const auto* over = each->over->as<expr::FieldOf>();
  auto c = over && over->slot == 0 ? condition_on(each->body, each->slot) : std::nullopt;
  if (!c || !(c->field == Field{})) return std::nullopt;
  return Condition{.source = e,
                   .field = over->field,
                   .about = Condition::About::item,
                   .values = c->values,
                   .from = c->from,
                   .to = c->to};
}

bool have_same_values(const Condition& a, const Condition& b) {
  return !a.values.empty() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same);
}

}  // namespace

ByteRange keys_of_routing(BytesView routing) {
  Bytes prefix;
  put_escaped(prefix, routing);
  return {prefix, after_prefix(prefix)};
}

std::optional<Condition> condition_of(const ExprPtr& e) {
  return condition_on(e, 0);
}

std::optional<Condition> item_condition_of(const ExprPtr& e) {
  const auto* either = e->as<expr::Or>();
  if (either == nullptr) return item_condition(e);
  if (either->operands.size() != 2) return std::nullopt;
  for (const bool is_second : {false, true}) {
    const auto item = item_condition(either->operands[is_second ? 1 : 0]);
    const auto whole = condition_of(either->operands[is_second ? 0 : 1]);
    if (!item || !whole || whole->expression || !(item->field == whole->field)) continue;
    if (!have_same_values(*item, *whole)) continue;
    return Condition{.source = e,
                     .field = item->field,
                     .about = Condition::About::either,
                     .values = item->values};
  }
  return std::nullopt;
}

}  // namespace mayfly::query
