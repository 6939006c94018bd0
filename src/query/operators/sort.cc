// Rows in an order that no access path gives. Where few are wanted only the best so far are kept.
#include <algorithm>

#include "base/crypto.h"
#include "expr/evaluate.h"
#include "query/rows.h"
#include "value/order.h"
#include "value/sort_key.h"

namespace mayfly::query {
namespace {

// A row, or a place between rows, in the order of a sort.
struct Place {
  std::vector<Value> keys;
  Bytes key;  // of the document; empty: none
  std::vector<std::uint32_t> ordinals;
  std::uint64_t sequence = 0;  // in which rows came; tells apart those that have no key
};

struct Held {
  Place place;
  Row row;
  std::size_t bytes = 0;
};

class Order {
 public:
  explicit Order(const Sort& node)
      : node_(node),
        // Groups that are equal in all keys stay in their own order.
        are_ties_reversed_(node.ties == Ties::descending && sorted_groups(node) == nullptr) {}

  bool is_before(const Place& a, const Place& b) const {
    for (std::size_t i = 0; i < node_.keys.size(); ++i) {
      const SortKey& by = node_.keys[i];
      const auto o = by.null_is_greatest ? order_null_greatest(a.keys[i], b.keys[i])
                                         : order(a.keys[i], b.keys[i]);
      if (o != 0) return by.is_descending ? o > 0 : o < 0;
    }
    if (a.key != b.key) return are_ties_reversed_ ? a.key > b.key : a.key < b.key;
    if (a.ordinals != b.ordinals) {
      return are_ties_reversed_ ? a.ordinals > b.ordinals : a.ordinals < b.ordinals;
    }
    return a.sequence < b.sequence;
  }
  bool operator()(const Held& a, const Held& b) const { return is_before(a.place, b.place); }

 private:
  const Sort& node_;
  const bool are_ties_reversed_;
};

class SortRows final : public Rows {
 public:
  SortRows(const Sort& node, Context context, std::size_t rows_max, RowsPtr input)
      : node_(node),
        context_(context),
        order_(node),
        rows_max_(rows_max),
        groups_(sorted_groups(node)),
        input_(std::move(input)) {}

  Result<bool> next(Row& row) override {
    if (input_ != nullptr) TRY(gather());
    if (next_ == held_.size()) return false;
    Held& held = held_[next_++];
    row = std::move(held.row);
    context_.budget.release(1, held.bytes);
    return true;
  }

  void mark(Bookmark& bookmark) const override {
    const Place& last = held_[next_ - 1].place;
    AtSorted at{{}, last.key};
    for (const Value& value : last.keys) {
      Bytes& key = at.keys.emplace_back();
      // A value that is too long for a bookmark leaves the count of rows as the only place there
      // is.
      if (!put_sort_key(key, value)) {
        bookmark.position = AtCount{};
        return;
      }
    }
    bookmark.position = std::move(at);
    bookmark.ordinals = last.ordinals;
  }

 private:
  Result<void> gather() {
    const std::optional<Place> stopped = TRY(place_stopped_at());
    Row row;
    Place place;
    while (rows_max_ > 0 && TRY(input_->next(row))) {
      TRY(locate(row, place));
      if (stopped && !is_behind(place, *stopped)) continue;
      if (held_.size() == rows_max_) {
        if (!order_.is_before(place, held_.front().place)) continue;
        std::pop_heap(held_.begin(), held_.end(), order_);
        context_.budget.release(1, held_.back().bytes);
        held_.pop_back();
      }
      TRY(keep(place, row));
    }
    input_.reset();
    std::sort(held_.begin(), held_.end(), order_);
    return {};
  }

  // Rows of a further page differ from the last one of the page before in key or item, never in
  // sequence alone.
  bool is_behind(const Place& place, const Place& stopped) const {
    if (place.key == stopped.key && place.ordinals == stopped.ordinals) {
      Place same_sequence = place;
      same_sequence.sequence = stopped.sequence;
      return order_.is_before(stopped, same_sequence);
    }
    return order_.is_before(stopped, place);
  }

  Result<std::optional<Place>> place_stopped_at() const {
    const auto* at = context_.resume ? std::get_if<AtSorted>(&context_.resume->position) : nullptr;
    if (at == nullptr) return std::nullopt;
    Place place{{}, at->key, context_.resume->ordinals, 0};
    for (const Bytes& key : at->keys) {
      Reader in(key);
      place.keys.push_back(TRY(take_sort_key(in)));
    }
    if (place.keys.size() != node_.keys.size()) {
      return fail(Code::invalid, "The bookmark belongs to another query.");
    }
    return place;
  }

  Result<void> locate(const Row& row, Place& place) {
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
  Bytes key_of_group(const Row& row) const {
    Bytes key = "g";
    const Value& group = row.value ? *row.value : row.bound.front().value;
    for (const Named& named : groups_->keys) key += identity_of(group.member(named.name));
    return key.size() <= limits::indexed_bytes_max ? key : "h" + sha256(key);
  }

  Result<void> keep(const Place& place, Row& row) {
    if (row.document) row.document = detached(*row.document);
    std::size_t bytes = weight(row) + sizeof(Held);
    for (const Value& key : place.keys) bytes += weight(key);
    TRY(context_.budget.hold(bytes, "sort"));
    held_.push_back({place, std::move(row), bytes});
    row = Row();
    if (rows_max_ != SIZE_MAX) std::push_heap(held_.begin(), held_.end(), order_);
    return {};
  }

  const Sort& node_;
  Context context_;
  const Order order_;
  const std::size_t rows_max_;
  const Group* const groups_;
  RowsPtr input_;
  std::vector<Held> held_;  // while gathering with a bound: a heap, the last in order in front
  std::size_t next_ = 0;
};

}  // namespace

RowsPtr open_rows(const Sort& node, Context context, Demand demand) {
  std::size_t rows_max = node.rows_max.value_or(SIZE_MAX);
  if (demand.is_bound) rows_max = std::min(rows_max, demand.rows);
  Context below = context;
  below.resume = nullptr;  // a sort reads all of its input again, and leaves out what was given
  return std::make_unique<SortRows>(node, context, rows_max,
                                    open(*node.input, below, Demand::unknown()));
}

}  // namespace mayfly::query
