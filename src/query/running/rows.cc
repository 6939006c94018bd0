#include "query/running/rows.h"

#include <map>

#include "base/crypto/crypto.h"
#include "expr/render.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

// Whether the documents come in an order of unique keys. A list may name one key twice.
bool is_ordered(const Access& access) {
  const auto* points = std::get_if<Points>(&access.path);
  return points == nullptr || points->are_sorted;
}

// Whether the key of the document and the items of Unnests identify a row.
bool has_identity(const PlanTree& tree) {
  if (const auto* access = tree.as<Access>()) return is_ordered(*access);
  const bool keeps = tree.as<PlannedFilter>() || tree.as<PlannedProject>() ||
                     tree.as<PlannedUnnest>() || tree.as<PlannedSlice>() || tree.as<PlannedSort>();
  return keeps && has_identity(*inputs_of(tree)[0]);
}

// The nodes between the root and a node. A bookmark has room for one Slice and one Distinct, and
// for the items of Unnests only if documents have an order.
struct Above {
  bool slice = false;
  bool unnest = false;
  bool distinct = false;
};

bool has_position(const PlanTree& tree, Above above) {
  if (const auto* access = tree.as<Access>()) return is_ordered(*access) || !above.unnest;
  if (const auto* sort = tree.as<PlannedSort>()) {
    return !above.unnest && (sorted_groups(*sort) != nullptr || has_identity(*sort->input));
  }
  if (tree.as<PlannedGroup>()) return !above.unnest;
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  if (inputs.size() != 1) return false;
  if (tree.as<PlannedFilter>() || tree.as<PlannedProject>()) return has_position(*inputs[0], above);
  const bool is_counted = tree.as<PlannedConcat>() || (tree.as<PlannedSlice>() && above.slice) ||
                          (tree.as<PlannedDistinct>() && (above.distinct || above.unnest));
  if (is_counted) return false;
  above.slice = above.slice || tree.as<PlannedSlice>();
  above.unnest = above.unnest || tree.as<PlannedUnnest>();
  above.distinct = above.distinct || tree.as<PlannedDistinct>();
  return has_position(*inputs[0], above);
}

}  // namespace

Bytes identity_of(const Value& value) {
  Bytes whole;
  if (value.is(Kind::array)) {
    whole = "a";
    for (const Value& item : value.array()) whole += sha256(identity_of(item));
  } else if (value.is(Kind::object)) {
    whole = "o";
    std::map<std::string_view, const Value*> members;
    for (const auto& [name, member] : value.object()) {
      if (!member.is_missing()) members.emplace(name, &member);
    }
    for (const auto& [name, member] : members) {
      whole += sha256(name) + sha256(identity_of(*member));
    }
  } else if (put_sort_key(whole, value)) {
    return whole;
  } else {
    whole = "s" + render_literal(value);
  }
  return sha256(whole);
}

const PlannedGroup* sorted_groups(const PlannedSort& sort) {
  const PlanTree* input = sort.input.get();
  while (const auto* filter = input->as<PlannedFilter>()) input = filter->input.get();
  return input->as<PlannedGroup>();
}

bool has_position(const PlanTree& root) {
  return has_position(root, Above());
}

RowsPtr open(const PlanTree& tree, Context context, Demand demand) {
  return std::visit([&](const auto& node) { return open_rows(node, context, demand); }, tree.node);
}

}  // namespace mayfly::query
