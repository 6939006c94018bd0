// DISTINCT of just the first sort key: equal values are adjacent, so only the last one must be
// remembered, and an index may skip the rows that repeat it.
#include "expr/analyse.h"
#include "query/planning/indexable_fields.h"
#include "query/rules/rules.h"

namespace mayfly::query {
QueryPtr skip_repetitions(const QueryPtr& query, const Planning& planning) {
  const QueryPtr below =
      with_inputs(query, [&](const QueryPtr& input) { return skip_repetitions(input, planning); });
  const auto* distinct = below->as<Distinct>();
  const auto* project = distinct ? distinct->input->as<Project>() : nullptr;
  const auto* sort = project ? project->input->as<Sort>() : nullptr;
  if (sort == nullptr || sort->keys.empty() || sort->keys[0].null_is_greatest) return below;
  if (!are_same(*sole_member(project->value), *sort->keys[0].value)) return below;
  Sort once = *sort;
  once.one_of_each = true;
  return make(Distinct{make(Project{make(std::move(once)), project->value}), true});
}

}  // namespace mayfly::query
