#include "dialect/fauna/sets/readers/materialized.h"

#include <algorithm>
#include <vector>

#include "dialect/fauna/library/arrays/ordering.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

constexpr std::string_view left_member = "left";
constexpr std::string_view ends_member = "ends";

// Changes the instant of a document from `from` to `to`.
FqlValue read_as_of(const FqlValue& item, const std::optional<Instant>& from,
                    const std::optional<Instant>& to) {
  if (!item.is(FqlKind::document) || item.document()->at != from) return item;
  DocumentHandle handle = *item.document();
  handle.at = to;
  return FqlValue(std::move(handle));
}

bool is_plain(const FqlValue& item) {
  // An encoded reference does not have the partition of its document.
  if (item.is(FqlKind::document)) return !item.document()->at && item.document()->routing.empty();
  return !item.is(FqlKind::array) && !item.is(FqlKind::object);
}

// Estimated size of an element in a cursor.
std::size_t bytes_of(const FqlValue& item) {
  constexpr std::size_t of_each = 64;
  if (item.is(FqlKind::text)) return of_each + item.text().size();
  if (item.is(FqlKind::bytes)) return of_each + item.bytes().size();
  if (!item.is(FqlKind::document)) return of_each;
  return of_each + item.document()->collection.size() + item.document()->id.size();
}

class GatheredReader final : public SetReader {
 public:
  GatheredReader(Interpreter& run, GatheredElements gathered, const ReadOptions& options,
                 std::size_t taken)
      : now_(run.instant()), all_(std::move(gathered)), options_(options), taken_(taken) {}

  Result<std::optional<FqlValue>> next() override {
    while (taken_ < all_.items.size()) {
      const std::size_t i = taken_++;
      if (!options_.leaves_out(all_.ends[i], now_)) return all_.items[i];
    }
    return std::nullopt;
  }
  Instant end() const override { return taken_ == 0 ? Instant::never() : all_.ends[taken_ - 1]; }
  SetPosition position() const override {
    auto remaining = options_.holds_elements ? left() : std::nullopt;
    return remaining ? Value(*std::move(remaining)) : Value(static_cast<std::int64_t>(taken_));
  }

 private:
  // nullopt if they are not all documents and plain values, or too large for a cursor.
  std::optional<Object> left() const {
    Array left, ends;
    std::size_t bytes = 0;
    for (std::size_t i = taken_; i < all_.items.size(); ++i) {
      const FqlValue item = read_as_of(all_.items[i], options_.snapshot, std::nullopt);
      if (!is_plain(item)) return std::nullopt;
      bytes += bytes_of(item);
      auto stored = to_stored(item);
      if (!stored || bytes > limits::fql_cursor_elements_bytes_max) return std::nullopt;
      left.push_back(*std::move(stored));
      ends.push_back(Value(all_.ends[i].micros));
    }
    Object remaining;
    remaining.append(std::string(left_member), Value(std::move(left)));
    remaining.append(std::string(ends_member), Value(std::move(ends)));
    return remaining;
  }

  const Instant now_;
  const GatheredElements all_;
  const ReadOptions options_;
  std::size_t taken_;
};

// The same instant, but for reading all elements.
ReadOptions at_once(ReadOptions options) {
  options.batch_size = 128;
  options.holds_elements = false;
  options.includes_expired = true;
  return options;
}

}  // namespace

Result<GatheredElements> gather(Interpreter& run, const SetPtr& set, const ReadOptions& options) {
  GatheredElements all;
  const SetReaderPtr reader = TRY(open_set(run, set, {}, options));
  for (;;) {
    TRY(run.step());
    auto element = TRY(reader->next());
    if (!element) return all;
    if (all.items.size() >= limits::fql_elements_max) {
      return run.fail("value_too_large",
                      "Value too large: exceeded maximum number of elements (limit=16000).");
    }
    const bool is_document = element->is(FqlKind::document);
    TRY(run.make(sizeof(FqlValue) + sizeof(Instant) + (is_document ? sizeof(DocumentHandle) : 0)));
    all.items.push_back(*std::move(element));
    all.ends.push_back(reader->end());
  }
}

Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Ordered& ordered,
                                  const ReadOptions& options) {
  const GatheredElements all = TRY(gather(run, ordered.in, at_once(options)));
  std::vector<Ordering> by;
  for (const SetOrdering& key : ordered.keys) {
    by.push_back({"accessor", key.by.get(), key.is_descending});
  }
  const Run::EffectScope reads_only(run, set_functions);
  GatheredElements sorted;
  for (const std::size_t position : TRY(sorted_positions(run, all.items, by))) {
    sorted.items.push_back(all.items[position]);
    sorted.ends.push_back(all.ends[position]);
  }
  return sorted;
}

// Among equal elements, the one that expires last determines the end.
Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Distinct& of,
                                  const ReadOptions& options) {
  GatheredElements all = TRY(gather(run, of.in, at_once(options)));
  const std::vector<std::size_t> firsts = TRY(first_equals(run, all.items));
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    Instant& end = all.ends[firsts[i]];
    end = std::max(end, all.ends[i]);
  }
  GatheredElements distinct;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (firsts[i] != i) continue;
    distinct.items.push_back(std::move(all.items[i]));
    distinct.ends.push_back(all.ends[i]);
  }
  return distinct;
}

Result<GatheredElements> gathered(Interpreter& run, const FqlSet::Reversed& reversed,
                                  const ReadOptions& options) {
  GatheredElements all = TRY(gather(run, reversed.in, at_once(options)));
  std::reverse(all.items.begin(), all.items.end());
  std::reverse(all.ends.begin(), all.ends.end());
  return all;
}

SetReaderPtr make_gathered_reader(Interpreter& run, GatheredElements gathered,
                                  const ReadOptions& options, std::size_t taken) {
  return std::make_unique<GatheredReader>(run, std::move(gathered), options, taken);
}

bool holds_elements(const SetPosition& position) {
  return position.is(Kind::object) && !position.member(left_member).is_missing();
}

Result<SetReaderPtr> open_gathered(Interpreter& run, const SetPosition& position,
                                   const ReadOptions& options) {
  const Value left = position.member(left_member);
  const Value ends = position.member(ends_member);
  if (!left.is(Kind::array) || !ends.is(Kind::array) ||
      left.array().size() != ends.array().size()) {
    return fail(Code::invalid, "the cursor does not fit its set");
  }
  GatheredElements remaining;
  for (std::size_t i = 0; i < left.array().size(); ++i) {
    remaining.items.push_back(
        read_as_of(from_stored(left.array()[i]), std::nullopt, options.snapshot));
    const Value end = ends.array()[i];
    remaining.ends.push_back(end.is(Kind::integer) ? Instant{end.integer()} : Instant::never());
  }
  return make_gathered_reader(run, std::move(remaining), options, 0);
}

}  // namespace mayfly::fauna
