#include "dialect/fauna/sets/gathered.h"

#include <algorithm>
#include <vector>

#include "dialect/fauna/library/ordering.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

constexpr std::string_view left_member = "left";

// A document that is read as of `from`, as of `to`.
FqlValue read_as_of(const FqlValue& item, const std::optional<Instant>& from,
                    const std::optional<Instant>& to) {
  if (!item.is(FqlKind::document) || item.document()->at != from) return item;
  DocumentHandle handle = *item.document();
  handle.at = to;
  return FqlValue(std::move(handle));
}

bool is_plain(const FqlValue& item) {
  // A reference does not say the partition of a document.
  if (item.is(FqlKind::document)) return !item.document()->at && item.document()->routing.empty();
  return !item.is(FqlKind::array) && !item.is(FqlKind::object);
}

// About what an element takes in a cursor.
std::size_t bytes_of(const FqlValue& item) {
  constexpr std::size_t of_each = 64;
  if (item.is(FqlKind::text)) return of_each + item.text().size();
  if (item.is(FqlKind::bytes)) return of_each + item.bytes().size();
  if (!item.is(FqlKind::document)) return of_each;
  return of_each + item.document()->collection.size() + item.document()->id.size();
}

class GatheredReader final : public SetReader {
 public:
  GatheredReader(FqlArray items, const ReadOptions& options, std::size_t taken)
      : items_(std::move(items)), options_(options), taken_(taken) {}

  Result<std::optional<FqlValue>> next() override {
    if (taken_ >= items_.size()) return std::nullopt;
    return items_[taken_++];
  }
  SetPlace place() const override {
    auto held = options_.holds_elements ? left() : std::nullopt;
    if (!held) return Value(static_cast<std::int64_t>(taken_));
    Object place;
    place.append(std::string(left_member), *std::move(held));
    return Value(std::move(place));
  }

 private:
  // Nothing where they are not all documents and plain values, or too much for a cursor.
  std::optional<Array> left() const {
    Array left;
    std::size_t bytes = 0;
    for (std::size_t i = taken_; i < items_.size(); ++i) {
      const FqlValue item = read_as_of(items_[i], options_.snapshot, std::nullopt);
      if (!is_plain(item)) return std::nullopt;
      bytes += bytes_of(item);
      auto stored = to_stored(item);
      if (!stored || bytes > limits::fql_held_bytes_max) return std::nullopt;
      left.push_back(*std::move(stored));
    }
    return left;
  }

  const FqlArray items_;
  const ReadOptions options_;
  std::size_t taken_;
};

// As of the same instant, but for all elements.
ReadOptions at_once(ReadOptions options) {
  options.rows_wanted = 128;
  options.holds_elements = false;
  return options;
}

}  // namespace

Result<FqlArray> gathered(Interpreter& run, const FqlSet::Ordered& ordered,
                          const ReadOptions& options) {
  const FqlArray items = TRY(all_elements(run, ordered.in, at_once(options)));
  std::vector<Ordering> by;
  for (const SetOrdering& key : ordered.keys) {
    by.push_back({"accessor", key.by.get(), key.is_descending});
  }
  const Run::Within reads_only(run, set_functions);
  return in_order(run, items, by);
}

Result<FqlArray> gathered(Interpreter& run, const FqlSet::Distinct& of,
                          const ReadOptions& options) {
  return without_duplicates(run, TRY(all_elements(run, of.in, at_once(options))));
}

Result<FqlArray> gathered(Interpreter& run, const FqlSet::Reversed& reversed,
                          const ReadOptions& options) {
  FqlArray items = TRY(all_elements(run, reversed.in, at_once(options)));
  std::reverse(items.begin(), items.end());
  return items;
}

SetReaderPtr make_gathered_reader(FqlArray items, const ReadOptions& options, std::size_t taken) {
  return std::make_unique<GatheredReader>(std::move(items), options, taken);
}

bool holds_elements(const SetPlace& place) {
  return place.is(Kind::object) && !place.member(left_member).is_missing();
}

Result<SetReaderPtr> open_held(const SetPlace& place, const ReadOptions& options) {
  const Value left = place.member(left_member);
  if (!left.is(Kind::array)) return fail(Code::invalid, "the cursor does not fit its set");
  FqlArray items;
  for (const Value& item : left.array()) {
    items.push_back(read_as_of(from_stored(item), std::nullopt, options.snapshot));
  }
  return make_gathered_reader(std::move(items), options, 0);
}

}  // namespace mayfly::fauna
