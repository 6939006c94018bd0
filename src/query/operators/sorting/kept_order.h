// KeptOrder: the sort positions of all rows, in few bytes, so that later pages need no sort
// (kept/kept_results.h). Only for rows that are documents.
#pragma once

#include <memory>
#include <vector>

#include "query/operators/reading/access.h"
#include "query/operators/sorting/sort_position.h"

namespace mayfly::query {

class KeptOrder {
 public:
  KeptOrder(const PlannedSort& node, std::size_t bytes_max);

  // Returns false if the position cannot be kept: there is no room for it, it is not that of a
  // document, or one of its values is too long. From then on the order must not be used.
  bool add(const SortPosition& position);
  // Call once, after the last add().
  void put_in_order();

  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const;
  // The number of the first entry behind the position; size() if there is none.
  Result<std::size_t> first_behind(const SortPosition& stopped) const;
  BytesView document_key(std::size_t number) const;
  AtSorted at(std::size_t number) const;

 private:
  struct Direction {
    bool is_descending = false;
    bool null_is_greatest = false;
  };
  struct Entry {
    std::size_t offset = 0;
    std::uint32_t sort_key_bytes = 0;
    std::uint32_t key_bytes = 0;
  };

  Result<void> put_sort_keys(Bytes& out, const std::vector<Value>& keys) const;
  BytesView sort_key(const Entry& entry) const;
  BytesView key(const Entry& entry) const;
  bool is_before(BytesView sort_key, BytesView key, BytesView other_sort_key,
                 BytesView other_key) const;

  std::vector<Direction> directions_;  // of the sort's keys
  const bool are_ties_reversed_;
  const std::size_t bytes_max_;
  Bytes bytes_;  // for each entry: sort keys that compare as the sort does, then the document key
  std::vector<Entry> entries_;
};

// The documents of the node's access in that order, from where the previous page stopped.
RowsPtr open_kept(std::shared_ptr<const KeptOrder> order, const PlannedSort& node, Context context,
                  Demand demand);

}  // namespace mayfly::query
