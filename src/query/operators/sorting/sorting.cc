#include "query/operators/sorting/sorting.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "expr/evaluation/evaluate.h"
#include "value/order/sort_key.h"

namespace mayfly::query {

Sorting::Sorting(const Sort& node, Context context, std::size_t rows_max)
    : node_(node),
      context_(context),
      order_(node),
      rows_max_(rows_max),
      groups_(sorted_groups(node)) {}

Result<bool> Sorting::next(Row& row) {
  if (is_given() && !TRY(gather())) return false;
  Held& held = held_[next_++];
  row = std::move(held.row);
  context_.budget.release(1, held.bytes);
  return true;
}

void Sorting::mark(Bookmark& bookmark) const {
  const Place& last = held_[next_ - 1].place;
  AtSorted at{{}, last.key};
  for (const Value& value : last.keys) {
    Bytes& key = at.keys.emplace_back();
    // A value that is too long for a bookmark leaves the count of rows as the only place there is.
    if (!put_sort_key(key, value)) {
      bookmark.position = AtCount{};
      return;
    }
  }
  bookmark.position = std::move(at);
  bookmark.ordinals = last.ordinals;
}

Result<bool> Sorting::pull(Rows& input, Row& row, Place& place) {
  if (!stopped_) stopped_ = TRY(place_stopped_at());
  while (TRY(input.next(row))) {
    TRY(locate(row, place));
    if (kept_ != nullptr && !kept_->add(place)) kept_.reset();
    if (!*stopped_ || is_behind(place, **stopped_)) return true;
  }
  return false;
}

Result<void> Sorting::add(const Place& place, Row& row) {
  if (rows_max_ == 0) return {};
  if (held_.size() == rows_max_) {
    if (!order_.is_before(place, held_.front().place)) return {};
    std::pop_heap(held_.begin(), held_.end(),
                  [this](const Held& a, const Held& b) { return is_before(a, b); });
    context_.budget.release(1, held_.back().bytes);
    held_.pop_back();
  }
  return keep(place, row);
}

void Sorting::put_in_order() {
  std::sort(held_.begin(), held_.end(),
            [this](const Held& a, const Held& b) { return is_before(a, b); });
}

void Sorting::forget_given() {
  held_.clear();
  next_ = 0;
}

Result<std::optional<Place>> Sorting::place_stopped_at() const {
  const auto* at = context_.resume ? std::get_if<AtSorted>(&context_.resume->position) : nullptr;
  if (at == nullptr) return std::nullopt;
  return TRY(place_of(*at, context_.resume->ordinals, node_));
}

// Rows of a further page differ from the last one of the page before in key or item, never in
// sequence alone.
bool Sorting::is_behind(const Place& place, const Place& stopped) const {
  if (place.key == stopped.key && place.ordinals == stopped.ordinals) {
    Place same_sequence = place;
    same_sequence.sequence = stopped.sequence;
    return order_.is_before(stopped, same_sequence);
  }
  return order_.is_before(stopped, place);
}

Result<void> Sorting::locate(const Row& row, Place& place) {
  place.keys.clear();
  for (const SortKey& key : node_.keys) {
    place.keys.push_back(TRY(evaluate(*key.value, row, context_.budget.meter)));
  }
  place.key = row.document ? Bytes(row.document->key) : groups_ ? key_of_group(row) : Bytes();
  place.ordinals.clear();
  for (const BoundItem& item : row.bound) place.ordinals.push_back(item.ordinal);
  ++place.sequence;
  return {};
}

// What tells a group apart from others, within the length that a bookmark has room for.
Bytes Sorting::key_of_group(const Row& row) const {
  Bytes key = "g";
  const Value& group = row.value ? *row.value : row.bound.front().value;
  for (const Named& named : groups_->keys) key += identity_of(group.member(named.name));
  return key.size() <= limits::indexed_bytes_max ? key : "h" + sha256(key);
}

Result<void> Sorting::keep(const Place& place, Row& row) {
  if (row.document) row.document = detached(*row.document);
  std::size_t bytes = weight(row) + sizeof(Held);
  for (const Value& key : place.keys) bytes += weight(key);
  TRY(context_.budget.hold(bytes, "sort"));
  held_.push_back({place, std::move(row), bytes});
  row = Row();
  if (rows_max_ == SIZE_MAX) return {};
  std::push_heap(held_.begin(), held_.end(),
                 [this](const Held& a, const Held& b) { return is_before(a, b); });
  return {};
}

}  // namespace mayfly::query
