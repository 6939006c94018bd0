// Each row becomes a value.
#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

// Limits the size of the value. A part that it shares counts as often as it will be written.
Result<void> check_weight(const Value& value, Meter& meter) {
  if (value.kind() < Kind::array) return {};
  const std::size_t bytes = weight(value);
  return bytes <= limits::query_bytes_max ? Result<void>() : meter.build(bytes);
}

class ProjectRows final : public Rows {
 public:
  ProjectRows(const PlannedProject& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  Result<bool> next(QueryRow& row) override {
    while (TRY(input_->next(row))) {
      Value value = TRY(evaluate(*node_.value, row, context_.budget.meter));
      if (value.is_missing()) continue;
      TRY(check_weight(value, context_.budget.meter));
      row.value = std::move(value);
      return true;
    }
    return false;
  }
  void save_position(Bookmark& bookmark) const override { input_->save_position(bookmark); }

 private:
  const PlannedProject& node_;
  Context context_;
  RowsPtr input_;
};

}  // namespace

RowsPtr open_rows(const PlannedProject& node, Context context, Demand demand) {
  const Demand below = is_never_missing(*node.value) ? demand : demand.as_hint();
  return std::make_unique<ProjectRows>(node, context, open(*node.input, context, below));
}

}  // namespace mayfly::query
