// Rows: a stream of rows that is pulled, one operator upon another. An operator that cannot answer
// fails; the stream must not be asked again then.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "db/read/view.h"
#include "query/bookmark.h"
#include "query/query.h"
#include "query/running/budget.h"
#include "query/running/row.h"

namespace mayfly::query {

class KeptResults;  // kept/kept_results.h

class Rows {
 public:
  virtual ~Rows() = default;
  // Whether there was another row, which then stands in `row`; what stood there before is
  // overwritten.
  virtual Result<bool> next(Row& row) = 0;
  // Notes where the row that was given last stands. Only for streams that has_place() holds for.
  virtual void mark(Bookmark&) const {}
};
using RowsPtr = std::unique_ptr<Rows>;

// How many rows whoever pulls will ask for: at most, or just likely.
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
  const Bookmark* resume = nullptr;  // where to go on; null: from the start
  const Scope* outer = nullptr;      // of a nested query
  KeptResults* kept = nullptr;       // of a further page: what those before have left for it
};

// Whether mark() can say where a row of this tree stands, by its place in an order; otherwise rows
// are counted.
bool has_place(const Query& root);

// Bytes that equal values share, however they are written, and no others do.
Bytes identity_of(const Value& value);

// The groups that it puts into an order, told apart by their keys; null: it sorts something else.
const Group* sorted_groups(const Sort& sort);

RowsPtr open(const Query& query, Context context, Demand demand);

// One for each kind of node (operators/*.cc).
RowsPtr open_rows(const Access& node, Context context, Demand demand);
RowsPtr open_rows(const Values& node, Context context, Demand demand);
RowsPtr open_rows(const Outer& node, Context context, Demand demand);
RowsPtr open_rows(const Filter& node, Context context, Demand demand);
RowsPtr open_rows(const Project& node, Context context, Demand demand);
RowsPtr open_rows(const Unnest& node, Context context, Demand demand);
RowsPtr open_rows(const Sort& node, Context context, Demand demand);
RowsPtr open_rows(const Group& node, Context context, Demand demand);
RowsPtr open_rows(const Slice& node, Context context, Demand demand);
RowsPtr open_rows(const Distinct& node, Context context, Demand demand);
RowsPtr open_rows(const Concat& node, Context context, Demand demand);

}  // namespace mayfly::query
