// Rows in an order that no access path gives, or that an index gives but for runs of values that it
// has cut to the same. Where few are wanted only the best so far are kept.
#include <algorithm>

#include "base/crypto.h"
#include "expr/evaluate.h"
#include "query/access.h"
#include "query/operators/access.h"
#include "value/order.h"
#include "value/sort_key.h"
#include "value/stand_in.h"

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

// What both ways of sorting share: where rows stand, and those that are held.
class Sorting : public Rows {
 public:
  Sorting(const Sort& node, Context context, std::size_t rows_max)
      : node_(node),
        context_(context),
        order_(node),
        rows_max_(rows_max),
        groups_(sorted_groups(node)) {}

  Result<bool> next(Row& row) final {
    if (next_ == held_.size() && !TRY(gather())) return false;
    Held& held = held_[next_++];
    row = std::move(held.row);
    context_.budget.release(1, held.bytes);
    return true;
  }

  void mark(Bookmark& bookmark) const final {
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

 protected:
  // Puts the next rows into held_, in order. Whether there were any.
  virtual Result<bool> gather() = 0;

  // The next row of the input that is not of an earlier page. Whether there was one.
  Result<bool> pull(Rows& input, Row& row, Place& place) {
    if (!stopped_) stopped_ = TRY(place_stopped_at());
    while (TRY(input.next(row))) {
      TRY(locate(row, place));
      if (!*stopped_ || is_behind(place, **stopped_)) return true;
    }
    return false;
  }

  // Among the held, if it is one of the first that are wanted.
  Result<void> add(const Place& place, Row& row) {
    if (rows_max_ == 0) return {};
    if (held_.size() == rows_max_) {
      if (!order_.is_before(place, held_.front().place)) return {};
      std::pop_heap(held_.begin(), held_.end(), order_);
      context_.budget.release(1, held_.back().bytes);
      held_.pop_back();
    }
    return keep(place, row);
  }

  void put_in_order() { std::sort(held_.begin(), held_.end(), order_); }
  void forget_given() {
    held_.clear();
    next_ = 0;
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

  bool is_given() const { return next_ == held_.size(); }

  const Sort& node_;
  Context context_;

 private:
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

  const Order order_;
  const std::size_t rows_max_;
  const Group* const groups_;
  std::optional<std::optional<Place>> stopped_;  // unset: not looked at yet
  std::vector<Held> held_;  // while gathering with a bound: a heap, the last in order in front
  std::size_t next_ = 0;
};

// Reads all of its input before it gives the first row.
class SortRows final : public Sorting {
 public:
  SortRows(const Sort& node, Context context, std::size_t rows_max, RowsPtr input)
      : Sorting(node, context, rows_max), input_(std::move(input)) {}

 protected:
  Result<bool> gather() override {
    if (input_ == nullptr) return false;
    Row row;
    Place place;
    while (TRY(pull(*input_, row, place))) TRY(add(place, row));
    input_.reset();
    put_in_order();
    return !is_given();
  }

 private:
  RowsPtr input_;
};

// Of what the index holds of a row's keys, as far as it tells rows apart: up to the first that it
// does not hold whole. Empty where it holds all: then the row is a run of its own.
using Run = std::vector<Value>;
Run run_of(const Place& place, const Index& index) {
  Run run;
  for (const Value& key : place.keys) {
    StandIn held = held_in(index, key);
    run.push_back(std::move(held.value));
    if (!held.is_exact) return run;
  }
  return {};
}

bool are_same(const Run& a, const Run& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// What the positions of rows with these sort keys begin with in one range of the index: as far as
// it holds them whole, and no further than the first key where `first_only`. Nothing where it does
// not come to the first key.
std::optional<Bytes> begin_of(const std::vector<Value>& keys, const Sort& node, const Index& index,
                              const ByteRange& range, bool first_only) {
  Bytes begin;
  Reader in(range.from);
  bool has_first = false;
  for (const IndexField& indexed : index.fields) {
    const BytesView own = skip_sort_key(in, indexed.is_descending);
    const auto is_it = [&](const SortKey& key) { return is_value_of(key, indexed); };
    const auto key = std::find_if(node.keys.begin(), node.keys.end(), is_it);
    if (key == node.keys.end()) {
      const BytesView through(range.from.data(), range.from.size() - in.rest().size());
      const bool is_fixed = in.ok() && !range.to.empty() && range.to <= after_prefix(through);
      if (!is_fixed) break;
      begin += own;
      continue;
    }
    const auto place = static_cast<std::size_t>(key - node.keys.begin());
    const StandIn held = held_in(index, keys[place]);
    if (!put_held(begin, indexed, held.value)) break;
    has_first = has_first || place == 0;
    if (!held.is_exact || (has_first && first_only)) break;
  }
  return has_first ? std::optional(std::move(begin)) : std::nullopt;
}

// Leaves out of the range what lies before these bytes in the direction of reading, and what begins
// with them where `behind`.
void leave_out(IndexScan& path, const Bytes& begin, ByteRange& range, bool behind) {
  const Bytes end = after_prefix(begin);
  const Bytes& bound = behind == path.reverse ? begin : end;
  if (path.reverse) {
    if (!bound.empty() && (range.to.empty() || bound < range.to)) range.to = bound;
  } else if (!bound.empty()) {
    range.from = std::max(range.from, bound);
  } else {
    range = {begin, begin};  // nothing follows
  }
}

// The same for each range; whether it could be done for all.
bool begin_with(const std::vector<Value>& keys, const Sort& node, IndexScan& path, bool behind) {
  bool is_done = true;
  for (ByteRange& range : path.ranges) {
    const auto begin = begin_of(keys, node, path.index, range, behind);
    is_done = is_done && begin.has_value();
    if (begin) leave_out(path, *begin, range, behind);
  }
  std::erase_if(path.ranges,
                [](const ByteRange& range) { return !range.to.empty() && range.from >= range.to; });
  return is_done;
}

// Keys of documents are the whole order, if they give it.
void begin_with(const Bytes& key, KeyScan& path) {
  if (!path.reverse) {
    path.range.from = std::max(path.range.from, key);
  } else if (const Bytes end = key + '\0'; path.range.to.empty() || end < path.range.to) {
    path.range.to = end;
  }
}

// So many rows that repeat a value are read before the index is asked for the next one.
constexpr std::size_t repetitions_read = 16;

// Reads its input run by run.
class RunRows final : public Sorting {
 public:
  RunRows(const Sort& node, Context context, std::size_t rows_max, Demand demand)
      : Sorting(node, context, rows_max), access_(*node.input->as<Access>()), demand_(demand) {}

 protected:
  Result<bool> gather() override {
    if (input_ == nullptr) TRY(begin());
    forget_given();
    if (!has_next_) TRY(read_next());
    if (!has_next_) return false;
    const Run run = std::move(run_);
    do {
      TRY(add(next_place_, next_row_));
      has_next_ = false;
      // The row behind one that is a run of its own is read when it is asked for.
      if (!run.empty()) TRY(read_next());
    } while (has_next_ && are_same(run, run_));
    put_in_order();
    return !is_given();
  }

 private:
  Result<void> begin() {
    if (const auto stopped = TRY(place_stopped_at())) {
      if (IndexScan* path = index_path()) {
        begin_with(stopped->keys, node_, *path, false);
      } else {
        begin_with(stopped->key, std::get<KeyScan>(access_.path));
      }
    }
    return open_rest();
  }

  Result<void> read_next() {
    has_next_ = TRY(pull(*input_, next_row_, next_place_));
    while (has_next_ && node_.one_of_each && is_repeated()) {
      if (++repetitions_ == repetitions_read) TRY(pass_over_repeated());
      has_next_ = TRY(pull(*input_, next_row_, next_place_));
    }
    if (!has_next_) return {};
    const IndexScan* path = index_path();
    run_ = path == nullptr ? Run() : run_of(next_place_, path->index);
    last_ = next_place_.keys;
    repetitions_ = 0;
    return {};
  }

  // Of a value that the index does not hold whole, others may lie between those that repeat it.
  bool is_repeated() {
    const IndexScan* path = index_path();
    return path != nullptr && !last_.empty() && same(last_.front(), next_place_.keys.front()) &&
           held_in(path->index, last_.front()).is_exact;
  }

  Result<void> pass_over_repeated() {
    if (!begin_with(last_, node_, *index_path(), true)) return {};
    return open_rest();
  }

  Result<void> open_rest() {
    Context below = context_;
    below.resume = nullptr;
    input_ = open_access(access_, below, demand_);
    return {};
  }

  IndexScan* index_path() { return std::get_if<IndexScan>(&access_.path); }

  Access access_;  // what is left to read
  const Demand demand_;
  RowsPtr input_;
  bool has_next_ = false;
  Row next_row_;  // the first of the next run
  Place next_place_;
  Run run_;
  std::vector<Value> last_;  // the keys of the last row that was not passed over
  std::size_t repetitions_ = 0;
};

}  // namespace

RowsPtr open_rows(const Sort& node, Context context, Demand demand) {
  std::size_t rows_max = node.rows_max.value_or(SIZE_MAX);
  if (demand.is_bound) rows_max = std::min(rows_max, demand.rows);
  if (node.sorts_runs) {
    // A further page meets the row in which the one before stopped.
    Demand hint{std::min(demand.rows, rows_max), false};
    if (context.resume && hint.rows < SIZE_MAX) ++hint.rows;
    if (node.one_of_each) hint.rows = std::min(hint.rows, repetitions_read + 1);
    return std::make_unique<RunRows>(node, context, rows_max, hint);
  }
  Context below = context;
  below.resume = nullptr;  // a sort reads all of its input again, and leaves out what was given
  return std::make_unique<SortRows>(node, context, rows_max,
                                    open(*node.input, below, Demand::unknown()));
}

}  // namespace mayfly::query
