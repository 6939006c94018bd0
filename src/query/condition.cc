// Which expressions a path can serve.
#include "query/access.h"

#include <algorithm>

#include "base/limits.h"
#include "expr/function.h"
#include "value/order.h"

namespace mayfly::query {
namespace {

// A kind whose values can be compared by less and greater.
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

// The texts that begin with `prefix` are those from it to the least text that no longer does.
std::optional<Condition> prefix_of(Condition c, const Value& prefix) {
  if (!prefix.is(Kind::text)) return std::nullopt;
  c.from = {prefix, true};
  const Bytes after = after_prefix(prefix.text());
  if (!after.empty()) c.to = {Value(after), false};
  return c;
}

std::optional<Condition> members_of(Condition c, const Value& list) {
  if (!list.is(Kind::array) || list.array().empty()) return std::nullopt;
  if (list.array().size() > limits::filter_nodes_max) return std::nullopt;
  for (const Value& item : list.array()) {
    if (!item.is_missing()) c.values.push_back(item);
  }
  const auto before = [](const Value& a, const Value& b) { return order(a, b) < 0; };
  std::sort(c.values.begin(), c.values.end(), before);
  c.values.erase(std::unique(c.values.begin(), c.values.end(), same), c.values.end());
  if (c.values.empty()) return std::nullopt;
  return c;
}

}  // namespace

ByteRange keys_of_routing(BytesView routing) {
  Bytes prefix;
  put_escaped(prefix, routing);
  return {prefix, after_prefix(prefix)};
}

std::optional<Condition> condition_of(const ExprPtr& e) {
  const auto* call = e->as<expr::Call>();
  const auto* field =
      call && !call->arguments.empty() ? call->arguments[0]->as<expr::FieldOf>() : nullptr;
  if (field == nullptr || field->slot != 0) return std::nullopt;
  Condition c;
  c.source = e;
  c.field = field->field;
  std::vector<const Value*> literals;
  for (std::size_t i = 1; i < call->arguments.size(); ++i) {
    const auto* literal = call->arguments[i]->as<expr::Literal>();
    if (literal == nullptr) return std::nullopt;
    literals.push_back(&literal->value);
  }
  const Function& function = *call->function;
  if (function.name == "is_missing") {
    c.values = {Value()};
    return c;
  }
  if (literals.empty()) return std::nullopt;
  if (function.comparison == Comparison::equal) {
    if (literals[0]->is_missing()) return std::nullopt;
    c.values = {*literals[0]};
    return c;
  }
  if (function.comparison != Comparison::none) {
    return range_of(std::move(c), function.comparison, *literals[0]);
  }
  if (function.name == "in") return members_of(std::move(c), *literals[0]);
  if (function.name == "between") return between_of(std::move(c), *literals[0], *literals[1]);
  if (function.name == "starts_with") return prefix_of(std::move(c), *literals[0]);
  return std::nullopt;
}

}  // namespace mayfly::query
