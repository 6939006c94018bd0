// Gives an order of ties to a sort that no index serves and that leaves it open: the direction of
// its first key, or what earlier pages had.
#include "query/rules/rules.h"

namespace mayfly::query {

PlanTreePtr settle_ties(const PlanTreePtr& tree, const Planning& planning) {
  const PlanTreePtr below =
      with_inputs(tree, [&](const PlanTreePtr& input) { return settle_ties(input, planning); });
  const auto* sort = below->as<PlannedSort>();
  if (sort == nullptr || sort->ties != Ties::any) return below;
  PlannedSort with_ties = *sort;
  const bool is_descending = !sort->keys.empty() && sort->keys[0].is_descending;
  with_ties.ties = is_descending ? Ties::descending : Ties::ascending;
  if (planning.keep && planning.keep->ties != Ties::any) with_ties.ties = planning.keep->ties;
  return make<PlanTree>(std::move(with_ties));
}

}  // namespace mayfly::query
