// Places of rows in the order of a sort.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "query/bookmark.h"
#include "query/query.h"

namespace mayfly::query {

// A row, or a place between rows.
struct Place {
  std::vector<Value> keys;
  Bytes key;  // of the document; empty: none
  std::vector<std::uint32_t> ordinals;
  std::uint64_t sequence = 0;  // in which rows came; tells apart those that have no key
};

// Refers to the node.
class PlaceOrder {
 public:
  explicit PlaceOrder(const Sort& node);

  bool is_before(const Place& a, const Place& b) const;
  bool are_ties_reversed() const { return are_ties_reversed_; }

 private:
  const Sort& node_;
  const bool are_ties_reversed_;
};

// Where a page of the sort stopped. Fails with invalid where the bookmark is of another query.
Result<Place> place_of(const AtSorted& at, const std::vector<std::uint32_t>& ordinals,
                       const Sort& node);

}  // namespace mayfly::query
