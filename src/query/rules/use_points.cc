// `@id = "x"` and `@id in ["x", "y"]` name the keys, if the routing is known. A look-up by key sees
// the same versions as a scan, so this holds under every lens.
#include <algorithm>

#include "db/rows/keys.h"
#include "expr/analyse.h"
#include "query/planning/access.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

bool is_scan_of_one_routing(const Access* access) {
  return access && access->routing && access->residual && !may_fail(*access->residual) &&
         std::holds_alternative<KeyScan>(access->path);
}

// The keys in the order of their encoding. A value that cannot be an id names no document.
Points points_of(const Condition& condition, const Bytes& routing) {
  Points points{{}, true};
  for (const Value& value : condition.values) {
    DocumentKey key{routing, value.is(Kind::text) ? value.text() : std::string()};
    if (check(key)) points.keys.push_back(std::move(key));
  }
  std::sort(points.keys.begin(), points.keys.end());
  return points;
}

}  // namespace

PlanTreePtr use_points(const PlanTreePtr& tree, const Planning& planning) {
  const auto* access = tree->as<Access>();
  if (!is_scan_of_one_routing(access)) {
    return with_inputs(tree, [&](const PlanTreePtr& input) { return use_points(input, planning); });
  }
  ExprList residual;
  std::optional<Condition> found;
  for (const ExprPtr& part : conjuncts(access->residual)) {
    std::optional<Condition> condition = found ? std::nullopt : condition_of(part);
    const bool names_keys = condition && condition->field == Field::metadata("id") &&
                            !condition->values.empty() && !condition->values[0].is_missing();
    if (names_keys) {
      found = std::move(condition);
    } else {
      residual.push_back(part);
    }
  }
  if (!found) return tree;
  Access narrowed = *access;
  narrowed.path = points_of(*found, *access->routing);
  narrowed.served = found->source;
  narrowed.residual = residual.empty() ? nullptr : expr::all_of(std::move(residual));
  narrowed.reason = "the filter names the ids";
  return make<PlanTree>(std::move(narrowed));
}

}  // namespace mayfly::query
