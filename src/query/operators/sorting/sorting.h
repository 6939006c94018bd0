// Sorting: what the sort operators share: the positions of rows, and the rows that are held in
// memory.
#pragma once

#include <memory>

#include "query/operators/sorting/kept_order.h"
#include "query/operators/sorting/sort_position.h"
#include "query/running/rows.h"

namespace mayfly::query {

// Returns the rows that gather() has sorted, and calls it again until it adds no row. Refers to the
// node.
class Sorting : public Rows {
 public:
  Sorting(const PlannedSort& node, Context context, std::size_t rows_max);

  Result<bool> next(QueryRow& row) final;
  void save_position(Bookmark& bookmark) const final;

 protected:
  // Puts the next rows into held_, in order. Returns whether there were any.
  virtual Result<bool> gather() = 0;

  // Pulls the next row of the input that was not on an earlier page. Returns whether there was one.
  Result<bool> pull(Rows& input, QueryRow& row, SortPosition& position);
  // Adds the row to held_, if it is among the first `rows_max` so far.
  Result<void> add(const SortPosition& position, QueryRow& row);
  void put_in_order();
  void clear_held();
  bool is_exhausted() const { return next_ == held_.size(); }
  // Where the previous page stopped; empty on a first page.
  Result<std::optional<SortPosition>> stop_position() const;

  const PlannedSort& node_;
  Context context_;
  // Collects the positions of all rows that are pulled, also of earlier pages; null: it does not.
  std::unique_ptr<KeptOrder> kept_;

 private:
  struct HeldRow {
    SortPosition position;
    QueryRow row;
    std::size_t bytes = 0;
  };

  bool is_before(const HeldRow& a, const HeldRow& b) const {
    return order_.is_before(a.position, b.position);
  }
  bool is_behind(const SortPosition& position, const SortPosition& stopped) const;
  Result<void> locate(const QueryRow& row, SortPosition& position);
  Bytes key_of_group(const QueryRow& row) const;
  Result<void> keep(const SortPosition& position, QueryRow& row);

  const SortPositionOrder order_;
  const std::size_t rows_max_;
  const PlannedGroup* const groups_;
  std::optional<std::optional<SortPosition>> stopped_;  // unset: not decoded yet
  std::vector<HeldRow> held_;  // while gathering with a bound: a heap, the last in order on top
  std::size_t next_ = 0;
};

// For an input that is sorted by what the access path holds of the keys.
RowsPtr open_runs(const PlannedSort& node, Context context, std::size_t rows_max, Demand demand);

}  // namespace mayfly::query
