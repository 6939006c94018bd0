// DISTINCT of just the first sort key: equal values are adjacent, so only the last one must be
// remembered, and an index may skip the rows that repeat it.
#include "expr/analyse.h"
#include "query/planning/indexable_fields.h"
#include "query/rules/rules.h"

namespace mayfly::query {

PlanTreePtr skip_repetitions(const PlanTreePtr& tree, const Planning& planning) {
  const PlanTreePtr below = with_inputs(
      tree, [&](const PlanTreePtr& input) { return skip_repetitions(input, planning); });
  const auto* distinct = below->as<PlannedDistinct>();
  const auto* project = distinct ? distinct->input->as<PlannedProject>() : nullptr;
  const auto* sort = project ? project->input->as<PlannedSort>() : nullptr;
  if (sort == nullptr || sort->keys.empty() || sort->keys[0].null_is_greatest) return below;
  if (!are_same(*sole_member(project->value), *sort->keys[0].value)) return below;
  PlannedSort once = *sort;
  once.one_of_each = true;
  PlannedProject values{make<PlanTree>(std::move(once)), project->value};
  return make<PlanTree>(PlannedDistinct{make<PlanTree>(std::move(values)), true});
}

}  // namespace mayfly::query
