// Skips the first `offset` rows and returns at most `limit`.
#include <algorithm>

#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class SliceRows final : public Rows {
 public:
  SliceRows(std::size_t offset, std::size_t limit, std::uint64_t returned, RowsPtr input)
      : to_skip_(offset), limit_(limit), returned_(returned), input_(std::move(input)) {}

  Result<bool> next(QueryRow& row) override {
    if (returned_ >= limit_) return false;
    for (; to_skip_ > 0; --to_skip_) {
      if (!TRY(input_->next(row))) return false;
    }
    if (!TRY(input_->next(row))) return false;
    ++returned_;
    return true;
  }
  void save_position(Bookmark& bookmark) const override {
    input_->save_position(bookmark);
    bookmark.sliced = returned_;
  }

 private:
  std::size_t to_skip_;
  const std::size_t limit_;
  std::uint64_t returned_;
  RowsPtr input_;
};

std::size_t sum(std::size_t a, std::size_t b) {
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

}  // namespace

RowsPtr open_rows(const PlannedSlice& node, Context context, Demand demand) {
  const bool is_later_page = context.resume != nullptr;
  const std::size_t offset = is_later_page ? 0 : node.offset;
  const std::uint64_t returned = is_later_page ? context.resume->sliced : 0;
  Demand below = demand;
  if (node.limit && *node.limit <= demand.rows) below = {*node.limit, true};
  below.rows = sum(below.rows, offset);
  return std::make_unique<SliceRows>(offset, node.limit.value_or(SIZE_MAX), returned,
                                     open(*node.input, context, below));
}

}  // namespace mayfly::query
