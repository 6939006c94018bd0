// A sort under a Slice needs to keep no more rows than the slice can return, unless a node between
// them drops rows.
#include "expr/analyse.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

QueryPtr bounded(const QueryPtr& query, std::size_t rows_max) {
  if (const auto* project = query->as<Project>(); project && is_never_missing(*project->value)) {
    return make(Project{bounded(project->input, rows_max), project->value});
  }
  const auto* sort = query->as<Sort>();
  if (sort == nullptr) return query;
  Sort top = *sort;
  top.rows_max = std::min(rows_max, sort->rows_max.value_or(rows_max));
  return make(std::move(top));
}

}  // namespace

QueryPtr bound_sorts(const QueryPtr& query, const Planning& planning) {
  const QueryPtr below =
      with_inputs(query, [&](const QueryPtr& input) { return bound_sorts(input, planning); });
  const auto* slice = below->as<Slice>();
  if (slice == nullptr || !slice->limit) return below;
  const std::size_t rows_max = slice->offset + *slice->limit;
  if (rows_max < slice->offset) return below;
  return make(Slice{bounded(slice->input, rows_max), slice->offset, slice->limit});
}

}  // namespace mayfly::query
