// The plan of a query before any path is chosen. Each Scan and Lookup becomes an Access, which
// takes over the filter directly above it. All other nodes stay as they are. By default a Scan
// reads the collection from end to end; later rules may narrow it.
#include "query/planning/access.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

PlanTreePtr begin(const Scan& n, Instant now) {
  Access access{n.collection,
                n.lens,
                n.routing,
                KeyScan{},
                nullptr,
                nullptr,
                n.lens.is_current(now),
                "nothing in the query narrows the keys"};
  if (n.routing) std::get<KeyScan>(access.path).range = keys_of_routing(*n.routing);
  return make<PlanTree>(std::move(access));
}
PlanTreePtr begin(const Lookup& n, Instant now) {
  return make<PlanTree>(Access{n.collection, n.lens, std::nullopt, Points{n.keys, false}, nullptr,
                               nullptr, n.lens.is_current(now), "the query names the keys"});
}
PlanTreePtr begin(const Values& n, Instant) {
  return make<PlanTree>(n);
}
PlanTreePtr begin(const Outer& n, Instant) {
  return make<PlanTree>(n);
}
PlanTreePtr begin(const Filter& n, Instant now) {
  PlanTreePtr input = begin_plan(*n.input, now);
  const auto* access = input->as<Access>();
  if (access == nullptr || access->residual) {
    return make<PlanTree>(PlannedFilter{std::move(input), n.condition});
  }
  Access narrowed = *access;
  narrowed.residual = n.condition;
  return make<PlanTree>(std::move(narrowed));
}
PlanTreePtr begin(const Project& n, Instant now) {
  return make<PlanTree>(PlannedProject{begin_plan(*n.input, now), n.value});
}
PlanTreePtr begin(const Unnest& n, Instant now) {
  return make<PlanTree>(PlannedUnnest{begin_plan(*n.input, now), n.slot, n.over});
}
PlanTreePtr begin(const Sort& n, Instant now) {
  return make<PlanTree>(PlannedSort{begin_plan(*n.input, now), n.keys, n.ties});
}
PlanTreePtr begin(const Group& n, Instant now) {
  return make<PlanTree>(PlannedGroup{begin_plan(*n.input, now), n.keys, n.aggregates, n.slot});
}
PlanTreePtr begin(const Slice& n, Instant now) {
  return make<PlanTree>(PlannedSlice{begin_plan(*n.input, now), n.offset, n.limit});
}
PlanTreePtr begin(const Distinct& n, Instant now) {
  return make<PlanTree>(PlannedDistinct{begin_plan(*n.input, now)});
}
PlanTreePtr begin(const Concat& n, Instant now) {
  PlannedConcat all;
  for (const QueryPtr& input : n.inputs) all.inputs.push_back(begin_plan(*input, now));
  return make<PlanTree>(std::move(all));
}

}  // namespace

PlanTreePtr begin_plan(const Query& query, Instant now) {
  return std::visit([&](const auto& node) { return begin(node, now); }, query.node);
}

}  // namespace mayfly::query
