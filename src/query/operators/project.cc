// Each row becomes a value.
#include "expr/analyse.h"
#include "expr/evaluate.h"
#include "query/rows.h"

namespace mayfly::query {
namespace {

class ProjectRows final : public Rows {
 public:
  ProjectRows(const Project& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  Result<bool> next(Row& row) override {
    while (TRY(input_->next(row))) {
      Value value = TRY(evaluate(*node_.value, row, &context_.budget.meter));
      if (value.is_missing()) continue;
      row.value = std::move(value);
      return true;
    }
    return false;
  }
  void mark(Bookmark& bookmark) const override { input_->mark(bookmark); }

 private:
  const Project& node_;
  Context context_;
  RowsPtr input_;
};

}  // namespace

RowsPtr open_rows(const Project& node, Context context, Demand demand) {
  const Demand below = is_never_missing(*node.value) ? demand : demand.as_hint();
  return std::make_unique<ProjectRows>(node, context, open(*node.input, context, below));
}

}  // namespace mayfly::query
