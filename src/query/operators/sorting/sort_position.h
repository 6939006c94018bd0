// Positions of rows in the order of a sort.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "query/bookmark.h"
#include "query/plan.h"

namespace mayfly::query {

// The position of a row, or one between rows.
struct SortPosition {
  std::vector<Value> keys;
  Bytes key;  // of the document; empty: none
  std::vector<std::uint32_t> ordinals;
  std::uint64_t sequence = 0;  // the order of input; distinguishes rows that have no key
};

// Refers to the node.
class SortPositionOrder {
 public:
  explicit SortPositionOrder(const PlannedSort& node);

  bool is_before(const SortPosition& a, const SortPosition& b) const;
  bool are_ties_reversed() const { return are_ties_reversed_; }

 private:
  const PlannedSort& node_;
  const bool are_ties_reversed_;
};

// The position at which a page of the sort stopped. Fails with invalid if the bookmark is of
// another query.
Result<SortPosition> sort_position_of(const AtSorted& at,
                                      const std::vector<std::uint32_t>& ordinals,
                                      const PlannedSort& node);

}  // namespace mayfly::query
