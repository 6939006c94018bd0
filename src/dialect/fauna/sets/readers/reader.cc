#include "dialect/fauna/sets/readers/reader.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/fauna/library/arrays/ordering.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/hints.h"
#include "dialect/fauna/sets/lower.h"
#include "dialect/fauna/sets/readers/materialized.h"
#include "dialect/fauna/sets/readers/transforms.h"
#include "query/run.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

tl::unexpected<Error> bad_position() {
  return fail(Code::invalid, "the cursor does not fit its set");
}

std::uint64_t number_in(const SetPosition& position) {
  return position.is(Kind::integer) && position.integer() >= 0
             ? static_cast<std::uint64_t>(position.integer())
             : 0;
}

SetPosition count_position(std::uint64_t n) {
  return Value(static_cast<std::int64_t>(n));
}

// Reads rows of a query of the core. Its position is after `taken` rows of the page that begins at
// a bookmark.
class QueryReader final : public SetReader {
 public:
  QueryReader(Interpreter& run, SetPtr set, LoweredSet lowered, const ReadOptions& options)
      : run_(run),
        set_(std::move(set)),
        lowered_(std::move(lowered)),
        now_(run.instant()),
        options_(options),
        batch_size_(std::max<std::size_t>(options.batch_size, 1)) {}

  Result<void> go_to(const SetPosition& position) {
    if (position.is_missing()) return {};
    if (!position.is(Kind::array) || position.array().size() != 3) return bad_position();
    const Array& parts = position.array();
    if (parts[0].is(Kind::text)) {
      const auto bytes = decode_base64(parts[0].text());
      if (!bytes) return bad_position();
      begin_ = TRY(query::decode_bookmark(*bytes));
      if (begin_->query != query_fingerprint()) return bad_position();
      begin_->query = fingerprint(*lowered_.query);
    }
    skip_ = number_in(parts[1]);
    batch_size_ = std::clamp<std::size_t>(number_in(parts[2]), 1, limits::fql_elements_max);
    return {};
  }

  Result<std::optional<FqlValue>> next() override {
    if (!TRY(go_to_next())) return std::nullopt;
    const query::QueryRow& row = page_.rows[taken_++];
    DocumentHandle handle = run_.handle_of(*lowered_.of, *row.document);
    handle.at = lowered_.at;
    run_.cache_document(handle, *row.document);
    return FqlValue(std::move(handle));
  }

  Instant end() const override {
    const bool is_endless = taken_ == 0 || lowered_.is_as_of;
    return is_endless ? Instant::never() : page_.rows[taken_ - 1].document->death;
  }

  // If no rows are left out, the following page does not have to be read.
  Result<bool> has_next() override {
    if (!has_page_) TRY(read());
    if (!lowered_.includes_expired) return taken_ < page_.rows.size() || page_.next.has_value();
    return go_to_next();
  }

  SetPosition position() const override {
    const bool is_at_end = has_page_ && taken_ == page_.rows.size() && page_.next;
    std::optional<query::Bookmark> from = is_at_end ? page_.next : bookmark_after_taken();
    const std::uint64_t taken = from ? 0 : taken_;
    if (!from) from = begin_;
    if (from) from->query = query_fingerprint();
    return Value(Array{from ? Value(encode_base64(query::encode(*from))) : Value(nullptr),
                       count_position(taken), count_position(batch_size_)});
  }

 private:
  // A bookmark within a page, after the taken rows. It is better than their number, because they
  // may expire before the next page is read. nullopt if there is no such bookmark.
  std::optional<query::Bookmark> bookmark_after_taken() const {
    if (!options_.holds_elements || taken_ == 0 || taken_ >= page_.rows.size()) return std::nullopt;
    const query::RunOptions options{.rows_max = taken_, .bookmark = begin_, .meter = run_.meter()};
    auto again = query::answer(lowered_.query, run_.reading().view(), options);
    if (!again || again->rows.size() != taken_) return std::nullopt;
    return std::move(again->next);
  }

  // Advances to the next row that is not left out; false if there is none.
  Result<bool> go_to_next() {
    for (;;) {
      while (lowered_.includes_expired && taken_ < page_.rows.size() &&
             options_.leaves_out(page_.rows[taken_].document->death, now_)) {
        ++taken_;
      }
      if (taken_ < page_.rows.size()) return true;
      if (has_page_ && !page_.next) return false;
      TRY(read());
    }
  }

  Result<void> read() {
    if (has_page_) begin_ = page_.next;
    const query::RunOptions options{
        .rows_max = batch_size_, .bookmark = begin_, .meter = run_.meter()};
    View& view = run_.reading().view();
    const auto cache_document = begin_ ? std::optional(begin_->choice) : std::nullopt;
    const query::Plan plan = TRY(query::plan_on(lowered_.query, view, cache_document));
    log_hints(run_, *set_, plan);
    page_ = TRY(query::run(plan, view, options));
    ++run_.counts().reads;
    run_.counts().reads += page_.statistics.documents_read;
    run_.counts().bytes_read += page_.statistics.bytes_read;
    has_page_ = true;
    taken_ = std::min<std::size_t>(std::exchange(skip_, 0), page_.rows.size());
    return {};
  }

  // The fingerprint of the query in its bookmarks.
  std::uint64_t query_fingerprint() const {
    return fingerprint(lowered_.for_all ? *lowered_.for_all : *lowered_.query);
  }

  Interpreter& run_;
  const SetPtr set_;
  const LoweredSet lowered_;
  const Instant now_;
  const ReadOptions options_;
  std::size_t batch_size_;
  std::optional<query::Bookmark> begin_;  // of the page
  query::RowsPage page_;
  bool has_page_ = false;
  std::size_t taken_ = 0;
  std::size_t skip_ = 0;
};

// Reads elements of an array.
class ItemsReader final : public SetReader {
 public:
  ItemsReader(std::shared_ptr<const FqlArray> items, const SetPosition& position)
      : items_(std::move(items)), taken_(number_in(position)) {}

  Result<std::optional<FqlValue>> next() override {
    if (taken_ >= items_->size()) return std::nullopt;
    return (*items_)[taken_++];
  }
  SetPosition position() const override { return count_position(taken_); }

 private:
  const std::shared_ptr<const FqlArray> items_;
  std::size_t taken_;
};

class SequenceReader final : public SetReader {
 public:
  SequenceReader(const FqlSet::Sequence& sequence, const SetPosition& position)
      : sequence_(sequence),
        next_(position.is(Kind::integer) ? position.integer() : sequence.from) {}

  Result<std::optional<FqlValue>> next() override {
    if (next_ >= sequence_.until) return std::nullopt;
    return whole_number(next_++);
  }
  SetPosition position() const override { return Value(next_); }

 private:
  const FqlSet::Sequence sequence_;
  std::int64_t next_;
};

class ConcatReader final : public SetReader {
 public:
  // `first` is null after its end. The second set is opened only then.
  ConcatReader(Interpreter& run, SetReaderPtr first, SetPtr second, SetPosition position,
               const ReadOptions& options)
      : run_(run),
        first_(std::move(first)),
        set_(std::move(second)),
        position_(std::move(position)),
        options_(options) {}

  Result<std::optional<FqlValue>> next() override {
    if (first_) {
      auto element = TRY(first_->next());
      if (element) return element;
      first_.reset();
    }
    if (!second_) second_ = TRY(open_set(run_, set_, position_, options_));
    return second_->next();
  }
  Instant end() const override { return first_ ? first_->end() : second_->end(); }
  SetPosition position() const override {
    return Value(Array{first_ ? first_->position() : Value(nullptr),
                       second_ ? second_->position() : Value(nullptr)});
  }

 private:
  Interpreter& run_;
  SetReaderPtr first_;
  const SetPtr set_;
  const SetPosition position_;
  const ReadOptions options_;
  SetReaderPtr second_;
};

// Reads the sets that a lambda returns, one after the other.
class FlatReader final : public SetReader {
 public:
  FlatReader(Interpreter& run, SetReaderPtr in, CallablePtr by, ReadOptions options)
      : run_(run), in_(std::move(in)), by_(std::move(by)), options_(options) {}

  Result<void> go_to(const SetPosition& position) {
    if (!position.is_null() && !position.is_missing()) TRY(open_next(position));
    return {};
  }

  Result<std::optional<FqlValue>> next() override {
    for (;;) {
      if (inner_) {
        auto element = TRY(inner_->next());
        if (element) return element;
        inner_.reset();
      }
      if (!TRY(open_next({}))) return std::nullopt;
    }
  }
  Instant end() const override { return inner_ ? std::min(end_, inner_->end()) : end_; }
  SetPosition position() const override {
    if (!inner_) return Value(Array{in_->position(), Value(nullptr)});
    return Value(Array{before_, inner_->position()});
  }

 private:
  Result<bool> open_next(const SetPosition& position) {
    before_ = in_->position();
    const auto element = TRY(in_->next());
    if (!element) return false;
    end_ = in_->end();
    if (options_.leaves_out(end_, run_.instant())) return true;
    const Run::EffectScope reads_only(run_, set_functions);
    const FqlValue made = TRY(run_.call_back(*by_, "mapper", std::span(&*element, 1)));
    if (!made.is(FqlKind::set)) {
      return run_.fail("type_mismatch", "expected type: Set, received another");
    }
    inner_ = TRY(open_set(run_, made.set(), position, options_));
    return true;
  }

  Interpreter& run_;
  const SetReaderPtr in_;
  const CallablePtr by_;
  const ReadOptions options_;
  SetPosition before_;              // the position of in_ before the element that made inner_
  Instant end_ = Instant::never();  // of that element
  SetReaderPtr inner_;
};

std::pair<SetPosition, SetPosition> pair_in(const SetPosition& position) {
  if (!position.is(Kind::array) || position.array().size() != 2) return {};
  return {position.array()[0], position.array()[1]};
}

struct Open {
  Interpreter& run;
  const FqlSet& set;
  const SetPosition& position;
  const ReadOptions& options;

  Result<SetReaderPtr> input(const SetPtr& in, const SetPosition& at) const {
    return open_set(run, in, at, options);
  }

  Result<SetReaderPtr> operator()(const FqlSet::Where& where) const {
    return std::make_unique<WhereReader>(run, TRY(input(where.in, position)), where.predicate);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Mapped& mapped) const {
    return std::make_unique<MapReader>(run, TRY(input(mapped.in, position)), mapped);
  }
  Result<SetReaderPtr> operator()(const FqlSet::FlatMapped& flat) const {
    const auto [outer, inner] = pair_in(position);
    ReadOptions below = options;
    below.holds_elements = false;
    below.includes_expired = true;
    SetReaderPtr over = TRY(open_set(run, flat.in, outer, below));
    auto reader = std::make_unique<FlatReader>(run, std::move(over), flat.by, options);
    TRY(reader->go_to(inner));
    return reader;
  }
  Result<SetReaderPtr> operator()(const FqlSet::Sliced& sliced) const {
    const auto [at, taken] = pair_in(position);
    ReadOptions below = options;
    below.includes_expired = true;
    return std::make_unique<SliceReader>(run, TRY(open_set(run, sliced.in, at, below)), sliced,
                                         number_in(taken), options);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Concat& concat) const {
    const auto [first, second] = pair_in(position);
    SetReaderPtr begin = first.is_null() ? nullptr : TRY(input(concat.first, first));
    return std::make_unique<ConcatReader>(run, std::move(begin), concat.second,
                                          second.is_null() ? SetPosition() : second, options);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Items& items) const {
    return std::make_unique<ItemsReader>(items.items, position);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Sequence& sequence) const {
    return std::make_unique<SequenceReader>(sequence, position);
  }
  template <class Node>
  Result<SetReaderPtr> all_at_once(const Node& node) const {
    if (holds_elements(position)) return open_gathered(run, position, options);
    return make_gathered_reader(run, TRY(gathered(run, node, options)), options,
                                number_in(position));
  }
  Result<SetReaderPtr> operator()(const FqlSet::Ordered& ordered) const {
    return all_at_once(ordered);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Distinct& distinct) const {
    return all_at_once(distinct);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Reversed& reversed) const {
    return all_at_once(reversed);
  }
  template <class Lowered>
  Result<SetReaderPtr> operator()(const Lowered&) const {
    return bad_position();
  }
};

}  // namespace

Result<SetReaderPtr> open_set(Interpreter& run, const SetPtr& set, const SetPosition& position,
                              const ReadOptions& options) {
  TRY(run.step());
  if (holds_elements(position)) return std::visit(Open{run, *set, position, options}, set->node);
  if (auto lowered = TRY(lower_set(run, set, options))) {
    auto reader = std::make_unique<QueryReader>(run, set, *std::move(lowered), options);
    TRY(reader->go_to(position));
    return reader;
  }
  return std::visit(Open{run, *set, position, options}, set->node);
}

}  // namespace mayfly::fauna
