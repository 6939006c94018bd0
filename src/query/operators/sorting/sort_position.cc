#include "query/operators/sorting/sort_position.h"

#include "query/running/rows.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly::query {

SortPositionOrder::SortPositionOrder(const PlannedSort& node)
    : node_(node),
      // Groups that are equal in all keys keep their own order.
      are_ties_reversed_(node.ties == Ties::descending && sorted_groups(node) == nullptr) {}

bool SortPositionOrder::is_before(const SortPosition& a, const SortPosition& b) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const SortKey& by = node_.keys[i];
    const auto o = by.null_is_greatest ? order_null_greatest(a.keys[i], b.keys[i])
                                       : order(a.keys[i], b.keys[i]);
    if (o != 0) return by.is_descending ? o > 0 : o < 0;
  }
  if (a.key != b.key) return are_ties_reversed_ ? a.key > b.key : a.key < b.key;
  if (a.ordinals != b.ordinals) {
    return are_ties_reversed_ ? a.ordinals > b.ordinals : a.ordinals < b.ordinals;
  }
  return a.sequence < b.sequence;
}

Result<SortPosition> sort_position_of(const AtSorted& at,
                                      const std::vector<std::uint32_t>& ordinals,
                                      const PlannedSort& node) {
  SortPosition position{{}, at.key, ordinals, 0};
  for (const Bytes& key : at.keys) {
    Reader in(key);
    position.keys.push_back(TRY(take_sort_key(in)));
  }
  if (position.keys.size() == node.keys.size()) return position;
  return fail(Code::invalid, "The bookmark belongs to another query.");
}

}  // namespace mayfly::query
