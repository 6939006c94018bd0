// Each row once for each item of an array.
#include <algorithm>

#include "db/rows/document.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

class UnnestRows final : public Rows {
 public:
  UnnestRows(const PlannedUnnest& node, Context context, RowsPtr input)
      : node_(node), context_(context), input_(std::move(input)) {}

  Result<bool> next(QueryRow& row) override {
    while (next_ == size()) {
      if (!TRY(input_->next(outer_))) return false;
      items_ = TRY(evaluate(*node_.over, outer_, context_.budget.meter));
      context_.budget.release(0, bytes_);
      bytes_ = 0;
      const std::size_t bytes = items_.is(Kind::array) ? weight(items_) : 0;
      TRY(context_.budget.grow(bytes, "join"));
      bytes_ = bytes;
      next_ = is_first_ ? first_item() : 0;
      is_first_ = false;
    }
    TRY(context_.budget.meter.tick());
    row.document = outer_.document;
    row.value = outer_.value;
    row.around = outer_.around;
    row.bound = outer_.bound;
    row.bound.push_back({node_.slot, items_.array()[next_], static_cast<std::uint32_t>(next_)});
    ++next_;
    return true;
  }
  void save_position(Bookmark& bookmark) const override {
    input_->save_position(bookmark);
    bookmark.ordinals.push_back(static_cast<std::uint32_t>(next_ - 1));
  }

 private:
  std::size_t size() const { return items_.is(Kind::array) ? items_.array().size() : 0; }

  // The item to begin with in the first row. On a later page that is the row in which the previous
  // page stopped, if it still exists. The last Unnest continues behind the item it returned; those
  // below it stay at theirs.
  std::size_t first_item() const {
    if (context_.resume == nullptr || !is_where_it_stopped()) return 0;
    const std::vector<std::uint32_t>& ordinals = context_.resume->ordinals;
    const std::size_t depth = outer_.bound.size();
    const std::size_t begin = ordinals[depth] + (depth + 1 == ordinals.size() ? 1U : 0U);
    return std::min(begin, size());
  }

  bool is_where_it_stopped() const {
    const std::vector<std::uint32_t>& ordinals = context_.resume->ordinals;
    if (outer_.bound.size() >= ordinals.size() || !outer_.document) return false;
    for (std::size_t i = 0; i < outer_.bound.size(); ++i) {
      if (outer_.bound[i].ordinal != ordinals[i]) return false;
    }
    const Bookmark& resume = *context_.resume;
    if (const auto* at = std::get_if<AtKey>(&resume.position))
      return at->key == outer_.document->key;
    const auto* at = std::get_if<AtEntry>(&resume.position);
    return at && BytesView(at->position).ends_with(outer_.document->key);
  }

  const PlannedUnnest& node_;
  Context context_;
  RowsPtr input_;
  QueryRow outer_;
  Value items_;
  std::size_t bytes_ = 0;  // of the items, as counted in the budget
  std::size_t next_ = 0;
  bool is_first_ = true;
};

}  // namespace

RowsPtr open_rows(const PlannedUnnest& node, Context context, Demand demand) {
  return std::make_unique<UnnestRows>(node, context, open(*node.input, context, demand.as_hint()));
}

}  // namespace mayfly::query
