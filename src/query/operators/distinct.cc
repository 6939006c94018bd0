// Each value once: the first row that has it.
#include <set>
#include <vector>

#include "base/crypto/crypto.h"
#include "query/running/rows.h"
#include "value/order/order.h"

namespace mayfly::query {
namespace {

struct DistinctOrder {
  bool operator()(const Value& a, const Value& b) const { return order(a, b) < 0; }
};

std::uint64_t hash_of(const Value& value) {
  const Bytes digest = sha256(identity_of(value));
  Reader reader(digest);
  return reader.u64();
}

class DistinctRows final : public Rows {
 public:
  DistinctRows(Context context, RowsPtr input) : context_(context), input_(std::move(input)) {
    if (context_.resume == nullptr) return;
    hashes_ = context_.resume->values;
    earlier_.insert(hashes_.begin(), hashes_.end());
  }

  Result<bool> next(QueryRow& row) override {
    while (TRY(input_->next(row))) {
      const auto [value, is_new] = seen_.insert(row.whole());
      const std::size_t bytes = weight(*value);
      TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(1 + bytes / sizeof(Value))));
      if (!is_new) continue;
      TRY(context_.budget.hold(bytes, "distinct"));
      const std::uint64_t hash = hash_of(*value);
      if (earlier_.contains(hash)) continue;
      if (hashes_.size() <= remembered_values_max) hashes_.push_back(hash);
      return true;
    }
    return false;
  }

  // If there are too many values to remember, rows can only be counted.
  void save_position(Bookmark& bookmark) const override {
    input_->save_position(bookmark);
    if (hashes_.size() > remembered_values_max) bookmark.position = AtCount{};
    if (std::holds_alternative<AtCount>(bookmark.position)) return;
    bookmark.values = hashes_;
  }

 private:
  Context context_;
  RowsPtr input_;
  std::set<Value, DistinctOrder> seen_;
  std::vector<std::uint64_t> hashes_;  // of all values returned, on this page and earlier ones
  std::set<std::uint64_t> earlier_;
};

// For inputs in which equal values are adjacent: only the last one is remembered.
class SortedDistinctRows final : public Rows {
 public:
  SortedDistinctRows(Context context, RowsPtr input) : context_(context), input_(std::move(input)) {
    if (context_.resume && !context_.resume->values.empty()) {
      earlier_ = context_.resume->values.back();
    }
  }

  Result<bool> next(QueryRow& row) override {
    while (TRY(input_->next(row))) {
      const Value& value = row.whole();
      TRY(context_.budget.meter.tick(
          static_cast<std::uint32_t>(1 + weight(value) / sizeof(Value))));
      if (last_ && same(*last_, value)) continue;
      last_ = value;
      if (earlier_ && hash_of(value) == *earlier_) continue;
      earlier_.reset();
      return true;
    }
    return false;
  }

  void save_position(Bookmark& bookmark) const override {
    input_->save_position(bookmark);
    if (!std::holds_alternative<AtCount>(bookmark.position)) bookmark.values = {hash_of(*last_)};
  }

 private:
  Context context_;
  RowsPtr input_;
  std::optional<Value> last_;
  std::optional<std::uint64_t> earlier_;  // the hash of the last value of the previous page
};

}  // namespace

RowsPtr open_rows(const PlannedDistinct& node, Context context, Demand demand) {
  if (node.is_sorted) {
    return std::make_unique<SortedDistinctRows>(context,
                                                open(*node.input, context, demand.as_hint()));
  }
  return std::make_unique<DistinctRows>(context, open(*node.input, context, demand.as_hint()));
}

}  // namespace mayfly::query
