// Each value once.
#include <set>

#include "query/rows.h"
#include "value/order.h"

namespace mayfly::query {
namespace {

struct Before {
  bool operator()(const Value& a, const Value& b) const { return order(a, b) < 0; }
};

class DistinctRows final : public Rows {
 public:
  DistinctRows(Context context, RowsPtr input) : context_(context), input_(std::move(input)) {}

  Result<bool> next(Row& row) override {
    while (TRY(input_->next(row))) {
      const auto [value, is_new] = seen_.insert(row.whole());
      if (!is_new) continue;
      TRY(context_.budget.hold(weight(*value), "distinct"));
      return true;
    }
    return false;
  }

 private:
  Context context_;
  RowsPtr input_;
  std::set<Value, Before> seen_;
};

}  // namespace

RowsPtr open_rows(const Distinct& node, Context context, Demand demand) {
  return std::make_unique<DistinctRows>(context, open(*node.input, context, demand.as_hint()));
}

}  // namespace mayfly::query
