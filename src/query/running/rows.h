// Rows: a stream of rows that is pulled, one operator on top of another. After an error, next()
// must not be called again.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "db/read/view.h"
#include "query/bookmark.h"
#include "query/plan.h"
#include "query/running/budget.h"
#include "query/running/row.h"

namespace mayfly::query {

class KeptResults;  // kept/kept_results.h

class Rows {
 public:
  virtual ~Rows() = default;
  // Whether there was another row. It is written to `row`, and what `row` held before is
  // overwritten.
  virtual Result<bool> next(QueryRow& row) = 0;
  // Writes the position of the row that was returned last into the bookmark. Only for streams for
  // which has_position() holds.
  virtual void save_position(Bookmark&) const {}
};
using RowsPtr = std::unique_ptr<Rows>;

// How many rows the caller will pull: at most, if `is_bound`, or otherwise just likely.
struct Demand {
  std::size_t rows = SIZE_MAX;
  bool is_bound = false;

  Demand as_hint() const { return {rows, false}; }
  static Demand unknown() { return {}; }
};

// What the operators of one run share. All of it outlives them.
struct Context {
  View* view;  // null in a nested query
  Budget& budget;
  const Bookmark* resume = nullptr;  // where to continue; null: from the start
  const Scope* outer = nullptr;      // the scope around a nested query
  KeptResults* kept = nullptr;       // on a later page: results kept from earlier pages
};

// Whether save_position() can say where a row of this tree is in an order. Otherwise rows are
// counted.
bool has_position(const PlanTree& root);

// The same bytes for equal values, however they are written, and different bytes for all others.
Bytes identity_of(const Value& value);

// The Group whose rows it sorts; null: it sorts something else. A group is identified by its keys.
const PlannedGroup* sorted_groups(const PlannedSort& sort);

RowsPtr open(const PlanTree& tree, Context context, Demand demand);

// One for each kind of node (operators/*.cc).
RowsPtr open_rows(const Access& node, Context context, Demand demand);
RowsPtr open_rows(const Values& node, Context context, Demand demand);
RowsPtr open_rows(const Outer& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedFilter& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedProject& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedUnnest& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedSort& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedGroup& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedSlice& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedDistinct& node, Context context, Demand demand);
RowsPtr open_rows(const PlannedConcat& node, Context context, Demand demand);

}  // namespace mayfly::query
