#include "query/operators/sorting/sorting.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "expr/evaluation/evaluate.h"
#include "value/order/sort_key.h"

namespace mayfly::query {

Sorting::Sorting(const PlannedSort& node, Context context, std::size_t rows_max)
    : node_(node),
      context_(context),
      order_(node),
      rows_max_(rows_max),
      groups_(sorted_groups(node)) {}

Result<bool> Sorting::next(QueryRow& row) {
  if (is_exhausted() && !TRY(gather())) return false;
  HeldRow& held = held_[next_++];
  row = std::move(held.row);
  context_.budget.release(1, held.bytes);
  return true;
}

void Sorting::save_position(Bookmark& bookmark) const {
  const SortPosition& last = held_[next_ - 1].position;
  AtSorted at{{}, last.key};
  for (const Value& value : last.keys) {
    Bytes& key = at.keys.emplace_back();
    // If a value is too long for a bookmark, rows can only be counted.
    if (!put_sort_key(key, value)) {
      bookmark.position = AtCount{};
      return;
    }
  }
  bookmark.position = std::move(at);
  bookmark.ordinals = last.ordinals;
}

Result<bool> Sorting::pull(Rows& input, QueryRow& row, SortPosition& position) {
  if (!stopped_) stopped_ = TRY(stop_position());
  while (TRY(input.next(row))) {
    TRY(locate(row, position));
    if (kept_ != nullptr && !kept_->add(position)) kept_.reset();
    if (!*stopped_ || is_behind(position, **stopped_)) return true;
  }
  return false;
}

Result<void> Sorting::add(const SortPosition& position, QueryRow& row) {
  if (rows_max_ == 0) return {};
  if (held_.size() == rows_max_) {
    if (!order_.is_before(position, held_.front().position)) return {};
    std::pop_heap(held_.begin(), held_.end(),
                  [this](const HeldRow& a, const HeldRow& b) { return is_before(a, b); });
    context_.budget.release(1, held_.back().bytes);
    held_.pop_back();
  }
  return keep(position, row);
}

void Sorting::put_in_order() {
  std::sort(held_.begin(), held_.end(),
            [this](const HeldRow& a, const HeldRow& b) { return is_before(a, b); });
}

void Sorting::clear_held() {
  held_.clear();
  next_ = 0;
}

Result<std::optional<SortPosition>> Sorting::stop_position() const {
  const auto* at = context_.resume ? std::get_if<AtSorted>(&context_.resume->position) : nullptr;
  if (at == nullptr) return std::nullopt;
  return TRY(sort_position_of(*at, context_.resume->ordinals, node_));
}

// A row of a later page differs from the last row of the previous page in key or item, and never in
// sequence alone.
bool Sorting::is_behind(const SortPosition& position, const SortPosition& stopped) const {
  if (position.key == stopped.key && position.ordinals == stopped.ordinals) {
    SortPosition same_sequence = position;
    same_sequence.sequence = stopped.sequence;
    return order_.is_before(stopped, same_sequence);
  }
  return order_.is_before(stopped, position);
}

Result<void> Sorting::locate(const QueryRow& row, SortPosition& position) {
  position.keys.clear();
  for (const SortKey& key : node_.keys) {
    position.keys.push_back(TRY(evaluate(*key.value, row, context_.budget.meter)));
  }
  position.key = row.document ? Bytes(row.document->key) : groups_ ? key_of_group(row) : Bytes();
  position.ordinals.clear();
  for (const BoundItem& item : row.bound) position.ordinals.push_back(item.ordinal);
  ++position.sequence;
  return {};
}

// The identity of a group, within the length that a bookmark has room for.
Bytes Sorting::key_of_group(const QueryRow& row) const {
  Bytes key = "g";
  const Value& group = row.value ? *row.value : row.bound.front().value;
  for (const Named& named : groups_->keys) key += identity_of(group.member(named.name));
  return key.size() <= limits::indexed_bytes_max ? key : "h" + sha256(key);
}

Result<void> Sorting::keep(const SortPosition& position, QueryRow& row) {
  if (row.document) row.document = detached(*row.document);
  std::size_t bytes = weight(row) + sizeof(HeldRow);
  for (const Value& key : position.keys) bytes += weight(key);
  TRY(context_.budget.hold(bytes, "sort"));
  held_.push_back({position, std::move(row), bytes});
  row = QueryRow();
  if (rows_max_ == SIZE_MAX) return {};
  std::push_heap(held_.begin(), held_.end(),
                 [this](const HeldRow& a, const HeldRow& b) { return is_before(a, b); });
  return {};
}

}  // namespace mayfly::query
