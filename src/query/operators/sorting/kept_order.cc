#include "query/operators/sorting/kept_order.h"

#include <algorithm>

#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

class KeptRows final : public AccessRows {
 public:
  KeptRows(std::shared_ptr<const KeptOrder> order, const PlannedSort& node, Context context,
           Demand demand)
      : AccessRows(*node.input->as<Access>(), context, demand),
        sort_(node),
        order_(std::move(order)) {}

  void save_position(Bookmark& bookmark) const override {
    bookmark.position = order_->at(last_number());
  }

 protected:
  Result<bool> load() override {
    if (!begin_) begin_ = TRY(first());
    if (*begin_ == order_->size()) return false;
    const std::size_t end = std::min(*begin_ + page_rows(), order_->size());
    std::vector<Bytes> keys;
    for (std::size_t i = *begin_; i < end; ++i) keys.emplace_back(order_->document_key(i));
    *begin_ += TRY(load_by_keys(keys, *begin_));
    read_more_at_once();
    return true;
  }

 private:
  Result<std::size_t> first() const {
    const auto& at = std::get<AtSorted>(context_.resume->position);
    return order_->first_behind(TRY(sort_position_of(at, {}, sort_)));
  }

  const PlannedSort& sort_;
  const std::shared_ptr<const KeptOrder> order_;
  std::optional<std::size_t> begin_;  // the first unread entry; unset: not searched yet
};

}  // namespace

KeptOrder::KeptOrder(const PlannedSort& node, std::size_t bytes_max)
    : are_ties_reversed_(SortPositionOrder(node).are_ties_reversed()), bytes_max_(bytes_max) {
  for (const SortKey& key : node.keys) {
    directions_.push_back({key.is_descending, key.null_is_greatest});
  }
}

bool KeptOrder::add(const SortPosition& position) {
  if (position.key.empty() || !position.ordinals.empty()) return false;
  Entry entry{bytes_.size()};
  if (!put_sort_keys(bytes_, position.keys)) return false;
  entry.sort_key_bytes = static_cast<std::uint32_t>(bytes_.size() - entry.offset);
  entry.key_bytes = static_cast<std::uint32_t>(position.key.size());
  bytes_ += position.key;
  entries_.push_back(entry);
  return bytes() <= bytes_max_;
}

void KeptOrder::put_in_order() {
  bytes_.shrink_to_fit();
  entries_.shrink_to_fit();
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    return is_before(sort_key(a), key(a), sort_key(b), key(b));
  });
}

std::size_t KeptOrder::bytes() const {
  return bytes_.size() + entries_.size() * sizeof(Entry);
}

Result<std::size_t> KeptOrder::first_behind(const SortPosition& stopped) const {
  Bytes sought;
  TRY(put_sort_keys(sought, stopped.keys));
  const auto is_returned = [&](const Entry& entry) {
    return !is_before(sought, stopped.key, sort_key(entry), key(entry));
  };
  return static_cast<std::size_t>(
      std::partition_point(entries_.begin(), entries_.end(), is_returned) - entries_.begin());
}

BytesView KeptOrder::document_key(std::size_t number) const {
  return key(entries_[number]);
}

AtSorted KeptOrder::at(std::size_t number) const {
  const Entry& entry = entries_[number];
  AtSorted at{{}, Bytes(key(entry))};
  Reader in(sort_key(entry));
  for (const Direction& direction : directions_) {
    // add() has encoded this value, so decoding and encoding it again succeed.
    const Value value = take_sort_key(in, direction.is_descending).value_or(Value());
    (void)put_sort_key(at.keys.emplace_back(), value);
  }
  return at;
}

Result<void> KeptOrder::put_sort_keys(Bytes& out, const std::vector<Value>& keys) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Direction& direction = directions_[i];
    if (direction.null_is_greatest && is_nothing(keys[i])) {
      put_greatest_null(out, direction.is_descending);
    } else {
      TRY(put_sort_key(out, keys[i], direction.is_descending));
    }
  }
  return {};
}

BytesView KeptOrder::sort_key(const Entry& entry) const {
  return BytesView(bytes_).substr(entry.offset, entry.sort_key_bytes);
}

BytesView KeptOrder::key(const Entry& entry) const {
  return BytesView(bytes_).substr(entry.offset + entry.sort_key_bytes, entry.key_bytes);
}

bool KeptOrder::is_before(BytesView sort_key, BytesView key, BytesView other_sort_key,
                          BytesView other_key) const {
  if (sort_key != other_sort_key) return sort_key < other_sort_key;
  return are_ties_reversed_ ? key > other_key : key < other_key;
}

RowsPtr open_kept(std::shared_ptr<const KeptOrder> order, const PlannedSort& node, Context context,
                  Demand demand) {
  return std::make_unique<KeptRows>(std::move(order), node, context, demand);
}

}  // namespace mayfly::query
