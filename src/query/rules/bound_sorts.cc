// A sort under a Slice needs to keep no more rows than the slice can return, unless a node between
// them drops rows.
#include "expr/analyse.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

PlanTreePtr bounded(const PlanTreePtr& tree, std::size_t rows_max) {
  if (const auto* project = tree->as<PlannedProject>();
      project && is_never_missing(*project->value)) {
    return make<PlanTree>(PlannedProject{bounded(project->input, rows_max), project->value});
  }
  const auto* sort = tree->as<PlannedSort>();
  if (sort == nullptr) return tree;
  PlannedSort top = *sort;
  top.rows_max = std::min(rows_max, sort->rows_max.value_or(rows_max));
  return make<PlanTree>(std::move(top));
}

}  // namespace

PlanTreePtr bound_sorts(const PlanTreePtr& tree, const Planning& planning) {
  const PlanTreePtr below =
      with_inputs(tree, [&](const PlanTreePtr& input) { return bound_sorts(input, planning); });
  const auto* slice = below->as<PlannedSlice>();
  if (slice == nullptr || !slice->limit) return below;
  const std::size_t rows_max = slice->offset + *slice->limit;
  if (rows_max < slice->offset) return below;
  return make<PlanTree>(PlannedSlice{bounded(slice->input, rows_max), slice->offset, slice->limit});
}

}  // namespace mayfly::query
