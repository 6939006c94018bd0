#include "query/plan.h"

namespace mayfly::query {

const Access* only_access(const Query& query) {
  if (const auto* access = query.as<Access>()) return access;
  const std::vector<QueryPtr> inputs = inputs_of(query);
  return inputs.size() == 1 ? only_access(*inputs[0]) : nullptr;
}

Result<void> check_plan(const Query& root, const SizeBounds& bounds) {
  TRY(check(root, bounds));
  if (root.as<Scan>() || root.as<Lookup>()) {
    return fail(Code::internal, "The plan has a leaf without an access path.");
  }
  if (const auto* access = root.as<Access>()) {
    const auto* path = std::get_if<IndexScan>(&access->path);
    const auto reaches_back = [&] { return access->lens.at >= path->index.past_since; };
    if (path && (access->lens.shows_trash || !(access->is_current || reaches_back()))) {
      return fail(Code::internal, "The plan reads an index through a lens that sees more than it.");
    }
  }
  for (const QueryPtr& input : inputs_of(root)) TRY(check_plan(*input, bounds));
  return {};
}

}  // namespace mayfly::query
