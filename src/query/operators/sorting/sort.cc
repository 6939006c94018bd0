// Rows in an order that no access path gives. Where few are wanted only the best so far are kept.
#include <algorithm>

#include "query/kept/kept_results.h"
#include "query/operators/sorting/kept_order.h"
#include "query/operators/sorting/sorting.h"

namespace mayfly::query {
namespace {

// Reads all of its input before it gives the first row.
class SortRows final : public Sorting {
 public:
  SortRows(const Sort& node, Context context, std::size_t rows_max, RowsPtr input)
      : Sorting(node, context, rows_max), input_(std::move(input)) {}

  // Leaves where all rows stand to further pages.
  void keep_as(KeptResults::Source source) {
    source_ = std::move(source);
    kept_ = std::make_unique<KeptOrder>(node_, context_.kept->bounds().result_bytes_max);
  }

 protected:
  Result<bool> gather() override {
    if (input_ == nullptr) return false;
    Row row;
    Place place;
    while (TRY(pull(*input_, row, place))) TRY(add(place, row));
    input_.reset();
    if (kept_ != nullptr) leave_order();
    put_in_order();
    return !is_given();
  }

 private:
  void leave_order() {
    if (kept_->size() < context_.kept->bounds().rows_min) return;
    kept_->put_in_order();
    const std::size_t bytes = kept_->bytes();
    context_.kept->keep<KeptOrder>(std::move(source_), {context_.view->now()}, bytes,
                                   std::move(kept_));
  }

  RowsPtr input_;
  KeptResults::Source source_;
};

// Documents as they are read, from where a page stopped in their order. What may have several rows
// of a document, or has values between, is made again.
std::optional<KeptResults::Source> kept_source(const Sort& node, const Context& context) {
  const bool may_go_on = context.kept != nullptr && context.resume != nullptr &&
                         std::holds_alternative<AtSorted>(context.resume->position);
  if (!may_go_on || node.input->as<Access>() == nullptr) return std::nullopt;
  return source_of(Query{node}, *context.view);
}

}  // namespace

RowsPtr open_rows(const Sort& node, Context context, Demand demand) {
  std::size_t rows_max = node.rows_max.value_or(SIZE_MAX);
  if (demand.is_bound) rows_max = std::min(rows_max, demand.rows);
  if (node.sorts_runs) return open_runs(node, context, rows_max, demand);
  auto source = kept_source(node, context);
  if (source) {
    auto order = context.kept->find<KeptOrder>(*source, context.view->now());
    if (order != nullptr) return open_kept(std::move(order), node, context, demand);
  }
  Context below = context;
  below.resume = nullptr;  // a sort reads all of its input again, and leaves out what was given
  auto rows = std::make_unique<SortRows>(node, context, rows_max,
                                         open(*node.input, below, Demand::unknown()));
  if (source) rows->keep_as(*std::move(source));
  return rows;
}

}  // namespace mayfly::query
