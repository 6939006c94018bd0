#include "query/plan.h"

namespace mayfly::query {

const Access* only_access(const PlanTree& tree) {
  if (const auto* access = tree.as<Access>()) return access;
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  return inputs.size() == 1 ? only_access(*inputs[0]) : nullptr;
}

}  // namespace mayfly::query
