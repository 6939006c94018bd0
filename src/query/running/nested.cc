#include "query/running/nested.h"

#include <fmt/format.h>

#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class OuterRows final : public Rows {
 public:
  explicit OuterRows(Context context) : context_(context) {}

  Result<bool> next(QueryRow& row) override {
    if (is_returned_) return false;
    is_returned_ = true;
    TRY(context_.budget.meter.tick());
    row = QueryRow();
    row.around = context_.outer;
    return true;
  }

 private:
  Context context_;
  bool is_returned_ = false;
};

}  // namespace

RowsPtr open_rows(const Outer&, Context context, Demand) {
  return std::make_unique<OuterRows>(context);
}

Result<std::vector<Value>> run_nested(const PlanTree& tree, const Scope& outer, Meter& meter,
                                      std::size_t rows_max) {
  const Meter::Within within(meter);
  Budget budget{meter};
  const Context context{.view = nullptr, .budget = budget, .outer = &outer};
  const RowsPtr rows = open(tree, context, {rows_max, true});
  std::vector<Value> values;
  QueryRow row;
  while (values.size() < rows_max && TRY(rows->next(row))) {
    if (values.size() == limits::sort_rows_max) {
      return fail(Code::too_large, fmt::format("A subquery has more than sort_rows_max ({}) rows.",
                                               limits::sort_rows_max));
    }
    Value value = row.value ? *std::move(row.value) : row.whole();
    TRY(budget.grow(weight(value), "subquery"));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace mayfly::query
