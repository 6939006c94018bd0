// Each value once.
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
    told_ = context_.resume->values;
    given_before_.insert(told_.begin(), told_.end());
  }

  Result<bool> next(Row& row) override {
    while (TRY(input_->next(row))) {
      const auto [value, is_new] = seen_.insert(row.whole());
      const std::size_t bytes = weight(*value);
      TRY(context_.budget.meter.tick(static_cast<std::uint32_t>(1 + bytes / sizeof(Value))));
      if (!is_new) continue;
      TRY(context_.budget.hold(bytes, "distinct"));
      const std::uint64_t hash = hash_of(*value);
      if (given_before_.contains(hash)) continue;
      if (told_.size() <= values_told_max) told_.push_back(hash);
      return true;
    }
    return false;
  }

  // Values that are too many to be remembered leave the count of rows as the only place there is.
  void mark(Bookmark& bookmark) const override {
    input_->mark(bookmark);
    if (told_.size() > values_told_max) bookmark.position = AtCount{};
    if (std::holds_alternative<AtCount>(bookmark.position)) return;
    bookmark.values = told_;
  }

 private:
  Context context_;
  RowsPtr input_;
  std::set<Value, DistinctOrder> seen_;
  std::vector<std::uint64_t> told_;  // hashes of all that was given, on this page and those before
  std::set<std::uint64_t> given_before_;
};

// Where equal values follow one another: only the last one is remembered.
class SortedDistinctRows final : public Rows {
 public:
  SortedDistinctRows(Context context, RowsPtr input) : context_(context), input_(std::move(input)) {
    if (context_.resume && !context_.resume->values.empty()) {
      given_before_ = context_.resume->values.back();
    }
  }

  Result<bool> next(Row& row) override {
    while (TRY(input_->next(row))) {
      const Value& value = row.whole();
      TRY(context_.budget.meter.tick(
          static_cast<std::uint32_t>(1 + weight(value) / sizeof(Value))));
      if (last_ && same(*last_, value)) continue;
      last_ = value;
      if (given_before_ && hash_of(value) == *given_before_) continue;
      given_before_.reset();
      return true;
    }
    return false;
  }

  void mark(Bookmark& bookmark) const override {
    input_->mark(bookmark);
    if (!std::holds_alternative<AtCount>(bookmark.position)) bookmark.values = {hash_of(*last_)};
  }

 private:
  Context context_;
  RowsPtr input_;
  std::optional<Value> last_;
  std::optional<std::uint64_t> given_before_;  // the hash of the last one of the page before
};

}  // namespace

RowsPtr open_rows(const Distinct& node, Context context, Demand demand) {
  if (node.is_sorted) {
    return std::make_unique<SortedDistinctRows>(context,
                                                open(*node.input, context, demand.as_hint()));
  }
  return std::make_unique<DistinctRows>(context, open(*node.input, context, demand.as_hint()));
}

}  // namespace mayfly::query
