#include "dialect/fauna/sets/reader.h"

#include <algorithm>

#include "base/crypto.h"
#include "dialect/fauna/library/ordering.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/gathered.h"
#include "dialect/fauna/sets/hints.h"
#include "dialect/fauna/sets/lower.h"
#include "query/run.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

tl::unexpected<Error> bad_place() {
  return fail(Code::invalid, "the cursor does not fit its set");
}

std::uint64_t number_in(const SetPlace& place) {
  return place.is(Kind::integer) && place.integer() >= 0
             ? static_cast<std::uint64_t>(place.integer())
             : 0;
}

SetPlace place_of(std::uint64_t n) {
  return Value(static_cast<std::int64_t>(n));
}

// Rows of a query of the core. It stands behind `taken` rows of the page that begins at the
// bookmark.
class QueryReader final : public SetReader {
 public:
  QueryReader(Interpreter& run, SetPtr set, LoweredSet lowered, const ReadOptions& options)
      : run_(run),
        set_(std::move(set)),
        lowered_(std::move(lowered)),
        has_many_places_(!options.holds_elements),
        rows_wanted_(std::max<std::size_t>(options.rows_wanted, 1)) {}

  Result<void> go_to(const SetPlace& place) {
    if (place.is_missing()) return {};
    if (!place.is(Kind::array) || place.array().size() != 3) return bad_place();
    const Array& parts = place.array();
    if (parts[0].is(Kind::text)) {
      const auto bytes = decode_base64(parts[0].text());
      if (!bytes) return bad_place();
      begin_ = TRY(query::decode_bookmark(*bytes));
      if (begin_->query != known_as()) return bad_place();
      begin_->query = fingerprint(*lowered_.query);
    }
    skip_ = number_in(parts[1]);
    rows_wanted_ = std::clamp<std::size_t>(number_in(parts[2]), 1, limits::fql_elements_max);
    return {};
  }

  Result<std::optional<FqlValue>> next() override {
    while (taken_ == page_.rows.size()) {
      if (has_page_ && !page_.next) return std::nullopt;
      TRY(read());
    }
    const query::Row& row = page_.rows[taken_++];
    DocumentHandle handle = run_.handle_of(*lowered_.of, *row.document);
    handle.at = lowered_.at;
    run_.keep(handle, *row.document);
    return FqlValue(std::move(handle));
  }

  Result<bool> has_next() override {
    if (!has_page_) TRY(read());
    return taken_ < page_.rows.size() || page_.next.has_value();
  }

  SetPlace place() const override {
    const bool is_at_end = has_page_ && taken_ == page_.rows.size() && page_.next;
    std::optional<query::Bookmark> from = is_at_end ? page_.next : behind_taken();
    const std::uint64_t taken = from ? 0 : taken_;
    if (!from) from = begin_;
    if (from) from->query = known_as();
    return Value(Array{from ? Value(encode_base64(query::encode(*from))) : Value(nullptr),
                       place_of(taken), place_of(rows_wanted_)});
  }

 private:
  // In the midst of a page: what has been taken may expire before the next one, so it is not
  // counted. Nothing where there is no such bookmark.
  std::optional<query::Bookmark> behind_taken() const {
    if (has_many_places_ || taken_ == 0 || taken_ >= page_.rows.size()) return std::nullopt;
    const query::RunOptions options{.rows_max = taken_, .bookmark = begin_, .meter = run_.meter()};
    auto again = query::answer(lowered_.query, run_.reading().view(), options);
    if (!again || again->rows.size() != taken_) return std::nullopt;
    return std::move(again->next);
  }

  Result<void> read() {
    if (has_page_) begin_ = page_.next;
    const query::RunOptions options{
        .rows_max = rows_wanted_, .bookmark = begin_, .meter = run_.meter()};
    View& view = run_.reading().view();
    const auto keep = begin_ ? std::optional(begin_->choice) : std::nullopt;
    const query::Plan plan = TRY(query::plan_on(lowered_.query, view, keep));
    note_hints(run_, *set_, plan);
    page_ = TRY(query::run(plan, view, options));
    ++run_.counts().reads;
    run_.counts().reads += page_.statistics.documents_read;
    run_.counts().bytes_read += page_.statistics.bytes_read;
    has_page_ = true;
    taken_ = std::min<std::size_t>(std::exchange(skip_, 0), page_.rows.size());
    return {};
  }

  // What its bookmarks say they belong to.
  std::uint64_t known_as() const {
    return fingerprint(lowered_.for_all ? *lowered_.for_all : *lowered_.query);
  }

  Interpreter& run_;
  const SetPtr set_;
  const LoweredSet lowered_;
  const bool has_many_places_;
  std::size_t rows_wanted_;
  std::optional<query::Bookmark> begin_;  // of the page
  query::RowsPage page_;
  bool has_page_ = false;
  std::size_t taken_ = 0;
  std::size_t skip_ = 0;
};

// Elements that are at hand.
class ItemsReader final : public SetReader {
 public:
  ItemsReader(std::shared_ptr<const FqlArray> items, const SetPlace& place)
      : items_(std::move(items)), taken_(number_in(place)) {}

  Result<std::optional<FqlValue>> next() override {
    if (taken_ >= items_->size()) return std::nullopt;
    return (*items_)[taken_++];
  }
  SetPlace place() const override { return place_of(taken_); }

 private:
  const std::shared_ptr<const FqlArray> items_;
  std::size_t taken_;
};

class SequenceReader final : public SetReader {
 public:
  SequenceReader(const FqlSet::Sequence& sequence, const SetPlace& place)
      : sequence_(sequence), next_(place.is(Kind::integer) ? place.integer() : sequence.from) {}

  Result<std::optional<FqlValue>> next() override {
    if (next_ >= sequence_.until) return std::nullopt;
    return whole_number(next_++);
  }
  SetPlace place() const override { return Value(next_); }

 private:
  const FqlSet::Sequence sequence_;
  std::int64_t next_;
};

// What stands over one other reader.
class Over : public SetReader {
 public:
  Over(Interpreter& run, SetReaderPtr in) : run_(run), in_(std::move(in)) {}
  SetPlace place() const override { return in_->place(); }

 protected:
  Interpreter& run_;
  const SetReaderPtr in_;
};

class WhereReader final : public Over {
 public:
  WhereReader(Interpreter& run, SetReaderPtr in, CallablePtr predicate)
      : Over(run, std::move(in)), predicate_(std::move(predicate)) {}

  Result<std::optional<FqlValue>> next() override {
    const Run::Within reads_only(run_, set_functions);
    for (;;) {
      auto element = TRY(in_->next());
      if (!element) return std::nullopt;
      if (TRY(run_.ask(*predicate_, "pred", std::span(&*element, 1)))) return element;
    }
  }

 private:
  const CallablePtr predicate_;
};

class MapReader final : public Over {
 public:
  MapReader(Interpreter& run, SetReaderPtr in, const FqlSet::Mapped& mapped)
      : Over(run, std::move(in)), mapped_(mapped) {}

  Result<std::optional<FqlValue>> next() override {
    const auto element = TRY(in_->next());
    if (!element) return std::nullopt;
    const Run::Within reads_only(run_, set_functions);
    if (mapped_.is_projection) return TRY(run_.project(*element, mapped_.by));
    return TRY(run_.call_back(*mapped_.by, "mapper", std::span(&*element, 1)));
  }
  Result<bool> has_next() override { return in_->has_next(); }

 private:
  const FqlSet::Mapped mapped_;
};

class SliceReader final : public Over {
 public:
  SliceReader(Interpreter& run, SetReaderPtr in, const FqlSet::Sliced& sliced, std::uint64_t taken)
      : Over(run, std::move(in)), sliced_(sliced), taken_(taken) {}

  Result<std::optional<FqlValue>> next() override {
    while (taken_ < sliced_.offset) {
      TRY(run_.step());
      if (!TRY(in_->next())) return std::nullopt;
      ++taken_;
    }
    if (sliced_.limit && taken_ - sliced_.offset >= *sliced_.limit) return std::nullopt;
    auto element = TRY(in_->next());
    if (element) ++taken_;
    return element;
  }
  Result<bool> has_next() override {
    if (taken_ < sliced_.offset) return SetReader::has_next();
    if (sliced_.limit && taken_ - sliced_.offset >= *sliced_.limit) return false;
    return in_->has_next();
  }
  SetPlace place() const override { return Value(Array{in_->place(), place_of(taken_)}); }

 private:
  const FqlSet::Sliced sliced_;
  std::uint64_t taken_;
};

class ConcatReader final : public SetReader {
 public:
  // `first`: null where it has come to its end. The second is opened once it is its turn.
  ConcatReader(Interpreter& run, SetReaderPtr first, SetPtr second, SetPlace place,
               const ReadOptions& options)
      : run_(run),
        first_(std::move(first)),
        set_(std::move(second)),
        place_(std::move(place)),
        options_(options) {}

  Result<std::optional<FqlValue>> next() override {
    if (first_) {
      auto element = TRY(first_->next());
      if (element) return element;
      first_.reset();
    }
    if (!second_) second_ = TRY(open_set(run_, set_, place_, options_));
    return second_->next();
  }
  SetPlace place() const override {
    return Value(Array{first_ ? first_->place() : Value(nullptr),
                       second_ ? second_->place() : Value(nullptr)});
  }

 private:
  Interpreter& run_;
  SetReaderPtr first_;
  const SetPtr set_;
  const SetPlace place_;
  const ReadOptions options_;
  SetReaderPtr second_;
};

// The sets that a lambda gives, one after the other.
class FlatReader final : public SetReader {
 public:
  FlatReader(Interpreter& run, SetReaderPtr in, CallablePtr by, ReadOptions options)
      : run_(run), in_(std::move(in)), by_(std::move(by)), options_(options) {}

  Result<void> go_to(const SetPlace& place) {
    if (place.is_null() || place.is_missing()) return {};
    TRY(open_next(place));
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
  SetPlace place() const override {
    if (!inner_) return Value(Array{in_->place(), Value(nullptr)});
    return Value(Array{before_, inner_->place()});
  }

 private:
  Result<bool> open_next(const SetPlace& place) {
    before_ = in_->place();
    const auto element = TRY(in_->next());
    if (!element) return false;
    const Run::Within reads_only(run_, set_functions);
    const FqlValue made = TRY(run_.call_back(*by_, "mapper", std::span(&*element, 1)));
    if (!made.is(FqlKind::set)) {
      return run_.fail("type_mismatch", "expected type: Set, received another");
    }
    inner_ = TRY(open_set(run_, made.set(), place, options_));
    return true;
  }

  Interpreter& run_;
  const SetReaderPtr in_;
  const CallablePtr by_;
  const ReadOptions options_;
  SetPlace before_;  // where in_ stood before the element of inner_
  SetReaderPtr inner_;
};

std::pair<SetPlace, SetPlace> pair_in(const SetPlace& place) {
  if (!place.is(Kind::array) || place.array().size() != 2) return {};
  return {place.array()[0], place.array()[1]};
}

struct Open {
  Interpreter& run;
  const FqlSet& set;
  const SetPlace& place;
  const ReadOptions& options;

  Result<SetReaderPtr> input(const SetPtr& in, const SetPlace& at) const {
    return open_set(run, in, at, options);
  }

  Result<SetReaderPtr> operator()(const FqlSet::Where& where) const {
    return std::make_unique<WhereReader>(run, TRY(input(where.in, place)), where.predicate);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Mapped& mapped) const {
    return std::make_unique<MapReader>(run, TRY(input(mapped.in, place)), mapped);
  }
  Result<SetReaderPtr> operator()(const FqlSet::FlatMapped& flat) const {
    const auto [outer, inner] = pair_in(place);
    ReadOptions below = options;
    below.holds_elements = false;
    SetReaderPtr over = TRY(open_set(run, flat.in, outer, below));
    auto reader = std::make_unique<FlatReader>(run, std::move(over), flat.by, options);
    TRY(reader->go_to(inner));
    return reader;
  }
  Result<SetReaderPtr> operator()(const FqlSet::Sliced& sliced) const {
    const auto [below, taken] = pair_in(place);
    return std::make_unique<SliceReader>(run, TRY(input(sliced.in, below)), sliced,
                                         number_in(taken));
  }
  Result<SetReaderPtr> operator()(const FqlSet::Concat& concat) const {
    const auto [first, second] = pair_in(place);
    SetReaderPtr begin = first.is_null() ? nullptr : TRY(input(concat.first, first));
    return std::make_unique<ConcatReader>(run, std::move(begin), concat.second,
                                          second.is_null() ? SetPlace() : second, options);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Items& items) const {
    return std::make_unique<ItemsReader>(items.items, place);
  }
  Result<SetReaderPtr> operator()(const FqlSet::Sequence& sequence) const {
    return std::make_unique<SequenceReader>(sequence, place);
  }
  template <class Node>
  Result<SetReaderPtr> all_at_once(const Node& node) const {
    if (holds_elements(place)) return open_held(place, options);
    return make_gathered_reader(TRY(gathered(run, node, options)), options, number_in(place));
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
    return bad_place();
  }
};

}  // namespace

Result<SetReaderPtr> open_set(Interpreter& run, const SetPtr& set, const SetPlace& place,
                              const ReadOptions& options) {
  TRY(run.step());
  if (holds_elements(place)) return std::visit(Open{run, *set, place, options}, set->node);
  if (auto lowered = TRY(lower_set(run, set, options))) {
    auto reader = std::make_unique<QueryReader>(run, set, *std::move(lowered), options);
    TRY(reader->go_to(place));
    return reader;
  }
  return std::visit(Open{run, *set, place, options}, set->node);
}

}  // namespace mayfly::fauna
