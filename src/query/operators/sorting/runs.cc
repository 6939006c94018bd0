// Sorts rows that an index gives in order, except within runs of equal truncated values.
#include <algorithm>

#include "query/operators/reading/access.h"
#include "query/operators/sorting/sorting.h"
#include "query/planning/access.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"
#include "value/order/truncated_value.h"

namespace mayfly::query {
namespace {

// What the index holds of a row's sort keys, up to the first key that it holds truncated. Rows with
// the same truncated values are a run. Empty if the index holds all keys whole: then the row is a
// run of its own.
using Run = std::vector<Value>;
Run run_of(const SortPosition& position, const Index& index) {
  Run run;
  for (const Value& key : position.keys) {
    TruncatedValue held = entry_value_of(index, key);
    run.push_back(std::move(held.value));
    if (!held.is_exact) return run;
  }
  return {};
}

bool are_same(const Run& a, const Run& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// The prefix, in one range of the index, of the positions of rows with these sort keys. It ends at
// the first key that the index holds truncated, or behind the first key if `first_only`. Empty if
// the prefix does not contain the first key.
std::optional<Bytes> begin_of(const std::vector<Value>& keys, const PlannedSort& node,
                              const Index& index, const ByteRange& range, bool first_only) {
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
    const auto number = static_cast<std::size_t>(key - node.keys.begin());
    const TruncatedValue held = entry_value_of(index, keys[number]);
    if (!put_entry_value(begin, indexed, held.value)) break;
    has_first = has_first || number == 0;
    if (!held.is_exact || (has_first && first_only)) break;
  }
  return has_first ? std::optional(std::move(begin)) : std::nullopt;
}

// Removes from the range what lies before these bytes in the direction of reading, and if `behind`
// also what begins with them.
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

// Calls leave_out() for each range. Returns whether it was possible for all.
bool begin_with(const std::vector<Value>& keys, const PlannedSort& node, IndexScan& path,
                bool behind) {
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

// Removes from a range of keys, which give the whole order, those that precede `key` in the
// direction of reading.
void begin_with(const Bytes& key, KeyScan& path) {
  if (!path.reverse) {
    path.range.from = std::max(path.range.from, key);
  } else if (const Bytes end = key + '\0'; path.range.to.empty() || end < path.range.to) {
    path.range.to = end;
  }
}

// How many rows that repeat a value are read before the index is searched for the next value.
constexpr std::size_t repetitions_read = 16;

// Reads its input run by run.
class RunRows final : public Sorting {
 public:
  RunRows(const PlannedSort& node, Context context, std::size_t rows_max, Demand demand)
      : Sorting(node, context, rows_max), access_(*node.input->as<Access>()), demand_(demand) {}

 protected:
  Result<bool> gather() override {
    if (input_ == nullptr) TRY(begin());
    clear_held();
    if (!has_next_) TRY(read_next());
    if (!has_next_) return false;
    const Run run = std::move(run_);
    do {
      TRY(add(next_position_, next_row_));
      has_next_ = false;
      // If a row is a run of its own, the next row is read only when it is needed.
      if (!run.empty()) TRY(read_next());
    } while (has_next_ && are_same(run, run_));
    put_in_order();
    return !is_exhausted();
  }

 private:
  Result<void> begin() {
    if (const auto stopped = TRY(stop_position())) {
      if (IndexScan* path = index_path()) {
        begin_with(stopped->keys, node_, *path, false);
      } else {
        begin_with(stopped->key, std::get<KeyScan>(access_.path));
      }
    }
    return open_rest();
  }

  Result<void> read_next() {
    has_next_ = TRY(pull(*input_, next_row_, next_position_));
    while (has_next_ && node_.one_of_each && is_repeated()) {
      if (++repetitions_ == repetitions_read) TRY(skip_repeated());
      has_next_ = TRY(pull(*input_, next_row_, next_position_));
    }
    if (!has_next_) return {};
    const IndexScan* path = index_path();
    run_ = path == nullptr ? Run() : run_of(next_position_, path->index);
    last_ = next_position_.keys;
    repetitions_ = 0;
    return {};
  }

  // Only if the index holds the value whole: otherwise rows with other values may lie between those
  // that repeat it.
  bool is_repeated() {
    const IndexScan* path = index_path();
    return path != nullptr && !last_.empty() && same(last_.front(), next_position_.keys.front()) &&
           entry_value_of(path->index, last_.front()).is_exact;
  }

  Result<void> skip_repeated() {
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

  Access access_;  // what remains to be read
  const Demand demand_;
  RowsPtr input_;
  bool has_next_ = false;
  QueryRow next_row_;  // the first of the next run
  SortPosition next_position_;
  Run run_;
  std::vector<Value> last_;  // the keys of the last row that was not skipped
  std::size_t repetitions_ = 0;
};

}  // namespace

RowsPtr open_runs(const PlannedSort& node, Context context, std::size_t rows_max, Demand demand) {
  // A later page reads the row in which the previous page stopped again.
  Demand hint{std::min(demand.rows, rows_max), false};
  if (context.resume && hint.rows < SIZE_MAX) ++hint.rows;
  if (node.one_of_each) hint.rows = std::min(hint.rows, repetitions_read + 1);
  return std::make_unique<RunRows>(node, context, rows_max, hint);
}

}  // namespace mayfly::query
