// Splits filters at their Ands and moves each part down as far as its meaning stays the same:
// through sorting, through Distinct, into each branch of a Concat, and below an Unnest whose item
// it does not read. A filter with a part that may fail the request stays where it is, because below
// it would be evaluated on other rows.
#include <algorithm>

#include "expr/analyse.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

QueryPtr filtered(const QueryPtr& input, ExprList parts) {
  return parts.empty() ? input : filter(input, expr::all_of(std::move(parts)));
}

QueryPtr sink(const QueryPtr& onto, ExprList parts);

template <class Node>
QueryPtr sink_through(const Node& node, ExprList parts) {
  Node moved = node;
  moved.input = sink(node.input, std::move(parts));
  return make(std::move(moved));
}

QueryPtr sink_below(const Unnest& unnest, const ExprList& parts) {
  ExprList below;
  ExprList above;
  for (const ExprPtr& part : parts) {
    const std::vector<Slot> slots = free_slots(*part);
    const bool reads_item = std::find(slots.begin(), slots.end(), unnest.slot) != slots.end();
    (reads_item ? above : below).push_back(part);
  }
  QueryPtr input = below.empty() ? unnest.input : sink(unnest.input, std::move(below));
  return filtered(make(Unnest{std::move(input), unnest.slot, unnest.over}), std::move(above));
}

QueryPtr sink(const QueryPtr& onto, ExprList parts) {
  if (const auto* inner = onto->as<Filter>()) {
    if (may_fail(*inner->condition)) return filtered(onto, std::move(parts));
    ExprList all = conjuncts(inner->condition);
    all.insert(all.end(), parts.begin(), parts.end());
    return sink(inner->input, std::move(all));
  }
  if (const auto* n = onto->as<Sort>()) return sink_through(*n, parts);
  if (const auto* n = onto->as<Distinct>()) return sink_through(*n, parts);
  if (const auto* n = onto->as<Unnest>(); n && !may_fail(*n->over)) return sink_below(*n, parts);
  if (const auto* n = onto->as<Concat>()) {
    std::vector<QueryPtr> inputs;
    inputs.reserve(n->inputs.size());
    for (const QueryPtr& input : n->inputs) inputs.push_back(sink(input, parts));
    return concat(std::move(inputs));
  }
  return filtered(onto, std::move(parts));
}

}  // namespace

QueryPtr push_filters_down(const QueryPtr& query) {
  const QueryPtr below = with_inputs(query, push_filters_down);
  const auto* filter = below->as<Filter>();
  if (filter == nullptr || may_fail(*filter->condition)) return below;
  return sink(filter->input, conjuncts(filter->condition));
}

}  // namespace mayfly::query
