// The rows for which a condition is true. Filters directly on documents are part of Access
// (operators/reading/access.cc).
#include "expr/evaluation/evaluate.h"
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class FilterRows final : public Rows {
 public:
  FilterRows(const PlannedFilter& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  Result<bool> next(QueryRow& row) override {
    while (TRY(input_->next(row))) {
      if (TRY(truth(*node_.condition, row, context_.budget.meter)) == Truth::yes) return true;
    }
    return false;
  }
  void save_position(Bookmark& bookmark) const override { input_->save_position(bookmark); }

 private:
  const PlannedFilter& node_;
  Context context_;
  RowsPtr input_;
};

}  // namespace

RowsPtr open_rows(const PlannedFilter& node, Context context, Demand demand) {
  return std::make_unique<FilterRows>(node, context, open(*node.input, context, demand.as_hint()));
}

}  // namespace mayfly::query
