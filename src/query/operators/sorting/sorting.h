// Sorting: what the ways of sorting share, which is where rows stand, and those that are held.
#pragma once

#include <memory>

#include "query/operators/sorting/kept_order.h"
#include "query/operators/sorting/place.h"
#include "query/running/rows.h"

namespace mayfly::query {

// Gives what gather() puts in order, and gathers again until nothing comes. Refers to the node.
class Sorting : public Rows {
 public:
  Sorting(const Sort& node, Context context, std::size_t rows_max);

  Result<bool> next(Row& row) final;
  void mark(Bookmark& bookmark) const final;

 protected:
  // Puts the next rows into held_, in order. Whether there were any.
  virtual Result<bool> gather() = 0;

  // The next row of the input that is not of an earlier page. Whether there was one.
  Result<bool> pull(Rows& input, Row& row, Place& place);
  // Among the held, if it is one of the first that are wanted.
  Result<void> add(const Place& place, Row& row);
  void put_in_order();
  void forget_given();
  bool is_given() const { return next_ == held_.size(); }
  // Nothing on a first page.
  Result<std::optional<Place>> place_stopped_at() const;

  const Sort& node_;
  Context context_;
  // Where all rows go that are pulled, also those of earlier pages; null: nowhere.
  std::unique_ptr<KeptOrder> kept_;

 private:
  struct Held {
    Place place;
    Row row;
    std::size_t bytes = 0;
  };

  bool is_before(const Held& a, const Held& b) const { return order_.is_before(a.place, b.place); }
  bool is_behind(const Place& place, const Place& stopped) const;
  Result<void> locate(const Row& row, Place& place);
  Bytes key_of_group(const Row& row) const;
  Result<void> keep(const Place& place, Row& row);

  const PlaceOrder order_;
  const std::size_t rows_max_;
  const Group* const groups_;
  std::optional<std::optional<Place>> stopped_;  // unset: not looked at yet
  std::vector<Held> held_;  // while gathering with a bound: a heap, the last in order in front
  std::size_t next_ = 0;
};

// Where the input comes in the order of what its path holds of the keys.
RowsPtr open_runs(const Sort& node, Context context, std::size_t rows_max, Demand demand);

}  // namespace mayfly::query
