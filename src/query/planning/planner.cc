#include "query/planning/planner.h"

#include <algorithm>

#include "base/check.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

template <class Tree>
Result<void> check_after(std::string_view rule, const Tree& tree, const SizeBounds& bounds) {
  Result<void> sound = check(tree, bounds);
  if (sound) return {};
  return tl::unexpected(std::move(sound).error().during("planning, rule " + std::string(rule)));
}

Result<QueryPtr> simplify(const QueryPtr& query) {
  QueryPtr root = query;
  for (const QueryRule& rule : query_rules) {
    QueryPtr changed = rule.apply(root);
    if (changed == root) continue;
    root = std::move(changed);
    TRY(check_after(rule.name, *root, query->bounds));
  }
  return root;
}

Result<PlanTreePtr> improve(PlanTreePtr root, const Planning& planning, const SizeBounds& bounds) {
  for (const PlanRule& rule : plan_rules) {
    PlanTreePtr changed = rule.apply(root, planning);
    if (changed == root) continue;
    root = std::move(changed);
    TRY(check_after(rule.name, *root, bounds));
  }
  return root;
}

Ties outermost_ties(const PlanTree& tree) {
  if (const auto* sort = tree.as<PlannedSort>()) return sort->ties;
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  return inputs.size() == 1 ? outermost_ties(*inputs[0]) : Ties::any;
}

IndexId index_of(const PlanTree& root) {
  const Access* access = only_access(root);
  const auto* path = access ? std::get_if<IndexScan>(&access->path) : nullptr;
  return path ? path->index.id : 0;
}

bool reads_collection(const PlanTree& tree) {
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  return tree.as<Access>() != nullptr ||
         std::ranges::any_of(inputs, [](const auto& input) { return reads_collection(*input); });
}

}  // namespace

Result<Plan> plan(const QueryPtr& query, const Planning& planning) {
  TRY(check(*query, query->bounds));
  const QueryPtr simple = TRY(simplify(query));
  PlanTreePtr begun = begin_plan(*simple, planning.now);
  TRY(check_after("begin plan", *begun, query->bounds));
  const PlanTreePtr root = TRY(improve(std::move(begun), planning, query->bounds));
  return Plan{query, root, outermost_ties(*root), index_of(*root)};
}

PlanTreePtr plan_nested(const Query& query) {
  PlanTreePtr root = begin_plan(query, Instant());
  CHECK(!reads_collection(*root));
  return root;
}

}  // namespace mayfly::query
