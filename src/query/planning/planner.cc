#include "query/planning/planner.h"

#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

Ties outermost_ties(const Query& query) {
  if (const auto* sort = query.as<Sort>()) return sort->ties;
  const std::vector<QueryPtr> inputs = inputs_of(query);
  return inputs.size() == 1 ? outermost_ties(*inputs[0]) : Ties::any;
}

IndexId index_of(const Query& root) {
  const Access* access = only_access(root);
  const auto* path = access ? std::get_if<IndexScan>(&access->path) : nullptr;
  return path ? path->index.id : 0;
}

}  // namespace

Result<Plan> plan(const QueryPtr& query, const Planning& planning) {
  TRY(check(*query, query->bounds));
  QueryPtr root = query;
  for (const Rule& rule : rules) {
    QueryPtr changed = rule.apply(root, planning);
    if (changed == root) continue;
    root = std::move(changed);
    Result<void> sound = check(*root, query->bounds);
    if (!sound) {
      return tl::unexpected(
          std::move(sound).error().during("planning, rule " + std::string(rule.name)));
    }
  }
  TRY(check_plan(*root, query->bounds));
  return Plan{query, root, outermost_ties(*root), index_of(*root)};
}

}  // namespace mayfly::query
