// Which parts of a filter, and which order, the encoded keys serve.
#include <algorithm>

#include "expr/analyse.h"
#include "query/planning/access.h"

namespace mayfly::query {
namespace {

// The range of keys that a condition on the id accepts; empty if it is not such a condition.
std::optional<ByteRange> keys_of(const Condition& c, const Bytes& routing) {
  if (!(c.field == Field::metadata("id")) || !c.values.empty()) return std::nullopt;
  const auto key_of = [&](const Condition::Bound& bound) { return routing + bound.value.text(); };
  const auto is_id = [](const std::optional<Condition::Bound>& bound) {
    return !bound ||
           (bound->value.is(Kind::text) && bound->value.text().find('\0') == std::string::npos);
  };
  if (!is_id(c.from) || !is_id(c.to)) return std::nullopt;
  ByteRange range{routing, after_prefix(routing)};
  // Ids hold no NUL, so 01 is the least byte that follows an id.
  if (c.from) range.from = key_of(*c.from) + (c.from->is_included ? "" : "\x01");
  if (c.to) range.to = key_of(*c.to) + (c.to->is_included ? "\x01" : "");
  return range;
}

// The first sort key, if it is the id. Ids are unique, so later keys do not matter.
std::optional<SortKey> id_order(const PlannedSort* sort) {
  if (sort == nullptr || sort->keys.empty()) return std::nullopt;
  const auto* field = sort->keys[0].value->as<expr::FieldOf>();
  const bool is_id = field && field->slot == 0 && field->field == Field::metadata("id");
  return is_id ? std::optional(sort->keys[0]) : std::nullopt;
}

}  // namespace

std::optional<Match> match_keys(const Access& access, const PlannedSort* sort) {
  if (!access.routing) return std::nullopt;
  Match match;
  KeyScan path{keys_of_routing(*access.routing)};
  const Bytes routing = path.range.from;
  const bool is_movable = access.residual && !may_fail(*access.residual);
  for (const ExprPtr& part : access.residual ? conjuncts(access.residual) : ExprList{}) {
    const auto condition = is_movable ? condition_of(part) : std::nullopt;
    const auto keys = condition ? keys_of(*condition, routing) : std::nullopt;
    (keys ? match.served : match.residual).push_back(part);
    if (!keys) continue;
    path.range.from = std::max(path.range.from, keys->from);
    path.range.to = std::min(path.range.to, keys->to);
    match.has_range = true;
  }
  const std::optional<SortKey> order = id_order(sort);
  if (order) match.order = Match::Order::whole;
  path.reverse = order && order->is_descending;
  match.path = std::move(path);
  if (!match.has_range && !order) return std::nullopt;
  return match;
}

}  // namespace mayfly::query
