// The rows of all inputs, one input after another. An input is opened when the previous one has
// ended.
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class ConcatRows final : public Rows {
 public:
  ConcatRows(const PlannedConcat& node, Context context, Demand demand)
      : node_(node), context_(context), demand_(demand) {}

  Result<bool> next(QueryRow& row) override {
    while (true) {
      if (current_ != nullptr && TRY(current_->next(row))) return true;
      if (next_ == node_.inputs.size()) return false;
      current_ = open(*node_.inputs[next_++], context_, demand_);
    }
  }

 private:
  const PlannedConcat& node_;
  Context context_;
  Demand demand_;
  RowsPtr current_;
  std::size_t next_ = 0;
};

}  // namespace

RowsPtr open_rows(const PlannedConcat& node, Context context, Demand demand) {
  return std::make_unique<ConcatRows>(node, context, demand);
}

}  // namespace mayfly::query
