// Rows in an order that no access path gives. If few rows are needed, only the best so far are
// held.
#include <algorithm>

#include "query/kept/kept_results.h"
#include "query/operators/sorting/kept_order.h"
#include "query/operators/sorting/sorting.h"

namespace mayfly::query {
namespace {

// Reads all of its input before it returns the first row.
class SortRows final : public Sorting {
 public:
  SortRows(const PlannedSort& node, Context context, std::size_t rows_max, RowsPtr input)
      : Sorting(node, context, rows_max), input_(std::move(input)) {}

  // Keeps the positions of all rows for later pages.
  void keep_as(KeptResults::Source source) {
    source_ = std::move(source);
    kept_ = std::make_unique<KeptOrder>(node_, context_.kept->bounds().result_bytes_max);
  }

 protected:
  Result<bool> gather() override {
    if (input_ == nullptr) return false;
    QueryRow row;
    SortPosition position;
    while (TRY(pull(*input_, row, position))) TRY(add(position, row));
    input_.reset();
    if (kept_ != nullptr) keep_order();
    put_in_order();
    return !is_exhausted();
  }

 private:
  void keep_order() {
    if (kept_->size() < context_.kept->bounds().rows_min) return;
    kept_->put_in_order();
    const std::size_t bytes = kept_->bytes();
    context_.kept->keep<KeptOrder>(std::move(source_), {context_.view->now()}, bytes,
                                   std::move(kept_));
  }

  RowsPtr input_;
  KeptResults::Source source_;
};

// The cache key for the order of rows. Only for a later page over documents as they are read: if a
// document may have several rows, or its value is computed, the order is computed again.
std::optional<KeptResults::Source> kept_source(const PlannedSort& node, const Context& context) {
  const bool may_be_kept = context.kept != nullptr && context.resume != nullptr &&
                           std::holds_alternative<AtSorted>(context.resume->position);
  if (!may_be_kept || node.input->as<Access>() == nullptr) return std::nullopt;
  return source_of(PlanTree{node}, *context.view);
}

}  // namespace

RowsPtr open_rows(const PlannedSort& node, Context context, Demand demand) {
  std::size_t rows_max = node.rows_max.value_or(SIZE_MAX);
  if (demand.is_bound) rows_max = std::min(rows_max, demand.rows);
  if (node.sorts_runs) return open_runs(node, context, rows_max, demand);
  auto source = kept_source(node, context);
  if (source) {
    auto order = context.kept->find<KeptOrder>(*source, context.view->now());
    if (order != nullptr) return open_kept(std::move(order), node, context, demand);
  }
  Context below = context;
  below.resume = nullptr;  // the whole input is read again; rows of earlier pages are left out
  auto rows = std::make_unique<SortRows>(node, context, rows_max,
                                         open(*node.input, below, Demand::unknown()));
  if (source) rows->keep_as(*std::move(source));
  return rows;
}

}  // namespace mayfly::query
