// Each Scan and Lookup becomes an Access, which takes over the filter directly above it. By default
// a Scan reads the collection from end to end; later rules may narrow it.
#include "query/planning/access.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

Access begin(const Scan& scan, Instant now) {
  Access access{scan.collection,
                scan.lens,
                scan.routing,
                KeyScan{},
                nullptr,
                nullptr,
                scan.lens.is_current(now),
                "nothing in the query narrows the keys"};
  if (scan.routing) std::get<KeyScan>(access.path).range = keys_of_routing(*scan.routing);
  return access;
}

Access begin(const Lookup& lookup, Instant now) {
  return {lookup.collection,
          lookup.lens,
          std::nullopt,
          Points{lookup.keys, false},
          nullptr,
          nullptr,
          lookup.lens.is_current(now),
          "the query names the keys"};
}

}  // namespace

QueryPtr begin_access(const QueryPtr& query, const Planning& planning) {
  if (const auto* scan = query->as<Scan>()) return make(begin(*scan, planning.now));
  if (const auto* lookup = query->as<Lookup>()) return make(begin(*lookup, planning.now));
  const QueryPtr below =
      with_inputs(query, [&](const QueryPtr& input) { return begin_access(input, planning); });
  const auto* filter = below->as<Filter>();
  const auto* access = filter ? filter->input->as<Access>() : nullptr;
  if (access == nullptr || access->residual) return below;
  Access narrowed = *access;
  narrowed.residual = filter->condition;
  return make(std::move(narrowed));
}

}  // namespace mayfly::query
