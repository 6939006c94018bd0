#include "query/rows.h"

#include "base/check.h"

namespace mayfly::query {
namespace {

// Whether the documents come in the order of something that is each one's own; a list may name one
// twice.
bool is_ordered(const Access& access) {
  const auto* points = std::get_if<Points>(&access.path);
  return points == nullptr || points->are_sorted;
}

// Whether rows are told apart by the key of their document and the items of Unnests, or by the keys
// of their group.
bool has_identity(const Query& query) {
  if (const auto* access = query.as<Access>()) return is_ordered(*access);
  if (const auto* sort = query.as<Sort>(); sort != nullptr && sorted_groups(*sort)) return true;
  const bool keeps = query.as<Filter>() || query.as<Project>() || query.as<Unnest>() ||
                     query.as<Slice>() || query.as<Sort>();
  return keeps && has_identity(*inputs_of(query)[0]);
}

// What stands between the root and a node. A bookmark has room for one Slice and one Distinct, and
// for the items of Unnests only where documents have an order.
struct Above {
  bool slice = false;
  bool unnest = false;
  bool distinct = false;
};

bool has_place(const Query& query, Above above) {
  if (const auto* access = query.as<Access>()) return is_ordered(*access) || !above.unnest;
  if (query.as<Sort>()) return !above.unnest && has_identity(query);
  if (query.as<Group>()) return !above.unnest;
  const std::vector<QueryPtr> inputs = inputs_of(query);
  if (inputs.size() != 1) return false;
  if (query.as<Filter>() || query.as<Project>()) return has_place(*inputs[0], above);
  const bool is_counted = query.as<Concat>() || (query.as<Slice>() && above.slice) ||
                          (query.as<Distinct>() && (above.distinct || above.unnest));
  if (is_counted) return false;
  above.slice = above.slice || query.as<Slice>();
  above.unnest = above.unnest || query.as<Unnest>();
  above.distinct = above.distinct || query.as<Distinct>();
  return has_place(*inputs[0], above);
}

}  // namespace

const Group* sorted_groups(const Sort& sort) {
  const Query* input = sort.input.get();
  while (const auto* filter = input->as<Filter>()) input = filter->input.get();
  return input->as<Group>();
}

bool has_place(const Query& root) {
  return has_place(root, Above());
}

RowsPtr open_rows(const Scan&, Context, Demand) {
  CHECK(!"a planned query has no Scan");
  return nullptr;
}
RowsPtr open_rows(const Lookup&, Context, Demand) {
  CHECK(!"a planned query has no Lookup");
  return nullptr;
}

RowsPtr open(const Query& query, Context context, Demand demand) {
  return std::visit([&](const auto& node) { return open_rows(node, context, demand); }, query.node);
}

}  // namespace mayfly::query
