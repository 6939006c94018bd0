// Rows that the query itself contains.
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class ValuesRows final : public Rows {
 public:
  ValuesRows(const Values& node, Context context) : node_(node), context_(context) {}

  Result<bool> next(QueryRow& row) override {
    if (next_ == node_.rows.size()) return false;
    TRY(context_.budget.meter.tick());
    row.document.reset();
    row.value = node_.rows[next_++];
    row.bound.clear();
    return true;
  }

 private:
  const Values& node_;
  Context context_;
  std::size_t next_ = 0;
};

}  // namespace

RowsPtr open_rows(const Values& node, Context context, Demand) {
  return std::make_unique<ValuesRows>(node, context);
}

}  // namespace mayfly::query
