#include "db/ledger/forecast.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/limits.h"
#include "db/ledger/reading.h"
#include "db/rows/keys.h"

namespace mayfly {
namespace {

using keys::Queue;

constexpr Span one_day = Span::seconds(86'400);

tl::unexpected<Error> no_such_collection() {
  return fail(Code::not_found, "there is no such collection", "collection");
}

// Counts the deaths in one collection, in a view.
class DeathCounter {
 public:
  DeathCounter(Database& database, View& view, const Collection& collection, Policy policy,
               std::optional<ledger::Reading> ledger, Meter& meter,
               std::size_t rows_max = limits::forecast_rows_max)
      : store_(database.store()),
        view_(view),
        id_(collection.id),
        future_policy_(std::move(policy)),
        ledger_(std::move(ledger)),
        meter_(meter),
        rows_left_(rows_max) {
    // A document that expired by an earlier default stays expired.
    present_policy_ = collection.policy;
    present_policy_.fold(view.now());
  }

  // Deaths of documents that are living now, at or after `from` and before `until`.
  Result<Deaths> count(Instant from, Instant until) {
    const Instant next = {view_.now().micros + 1};
    Deaths deaths = TRY(in(Queue::at, std::max(from, next), until));
    if (!std::holds_alternative<Unset>(future_policy_.current_default())) {
      deaths += TRY(in(Queue::after, std::max(first_living_due(), from), until));
    }
    if (const After* after = std::get_if<After>(&future_policy_.current_default())) {
      const Instant first = future_policy_.first_counted_from(from - after->span);
      deaths += TRY(in(Queue::inherit, std::max(first, first_living_writing()),
                       future_policy_.first_counted_from(until - after->span)));
    }
    return deaths;
  }

 private:
  // The earliest due instant of a living After version.
  Instant first_living_due() const {
    if (std::holds_alternative<Unset>(present_policy_.current_default()))
      return present_policy_.after_expired_before;
    return std::max(present_policy_.after_expired_before, Instant{view_.now().micros + 1});
  }
  // The earliest writing of a living Inherit version.
  Instant first_living_writing() const {
    const Instant past =
        present_policy_.inherit_expired_through == Instant::beginning()
            ? present_policy_.inherit_expired_through
            : present_policy_.first_counted_from(present_policy_.inherit_expired_through + Span{1});
    const After* after = std::get_if<After>(&present_policy_.current_default());
    if (after == nullptr) return past;
    return std::max(
        past, present_policy_.first_counted_from(Instant{view_.now().micros + 1} - after->span));
  }

  Result<Deaths> in(Queue queue, Instant from, Instant until) {
    if (from >= until) return Deaths{};
    if (ledger_) {
      const auto order = static_cast<keys::EndOrder>(queue);
      const std::uint64_t all = TRY(in_ledger(order, from));
      const std::uint64_t later = TRY(in_ledger(order, until));
      return Deaths{all - later};
    }
    return walk(queue, from, until);
  }

  // A stretch begins where the one before it has ended.
  Result<std::uint64_t> in_ledger(keys::EndOrder order, Instant from) {
    auto& [end, documents] = latest_[order];
    if (end != from) {
      documents = TRY(ledger_->from(order, from));
      end = from;
    }
    return documents;
  }

  // Counts row by row, while the ledger is being made.
  Result<Deaths> walk(Queue queue, Instant from, Instant until) {
    const Bytes lo = keys::queue(id_, queue, from, {});
    const Bytes hi = keys::queue(id_, queue, until, {});
    Deaths deaths;
    const std::size_t rows_max = std::max(rows_left_, limits::forecast_sample_rows);
    store::Range range{.lo = lo, .hi = hi, .keys_only = true};
    for (bool more = true; more && deaths.documents < rows_max;) {
      const store::Page page = std::move(TRY(view_.read({{}, {range}})).scans.front());
      deaths.documents += page.rows.size();
      TRY(meter_.tick(static_cast<std::uint32_t>(page.rows.size())));
      more = page.next.has_value();
      if (more) range.lo = *page.next;
      deaths.is_exact = !more;
    }
    rows_left_ -= std::min<std::size_t>(rows_left_, deaths.documents);
    if (deaths.is_exact) return deaths;
    counted_ += deaths.documents;
    estimated_ += TRY(store_.estimate(lo, range.lo));
    deaths.documents += measured(TRY(store_.estimate(range.lo, hi)));
    return deaths;
  }

  // Corrects an estimate by the rows that were both counted and estimated.
  std::uint64_t measured(std::uint64_t estimate) const {
    if (estimated_ == 0) return estimate;
    const double factor = static_cast<double>(counted_) / static_cast<double>(estimated_);
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(estimate) * factor));
  }

  store::Store& store_;
  View& view_;
  CollectionId id_;
  Policy future_policy_;   // decides the deaths that are counted
  Policy present_policy_;  // decides which documents are living now
  std::optional<ledger::Reading> ledger_;
  // What was last read of the ledger, by order: from which instant on, and how many documents.
  std::map<keys::EndOrder, std::pair<std::optional<Instant>, std::uint64_t>> latest_ = {};
  Meter& meter_;
  std::size_t rows_left_;
  std::uint64_t counted_ = 0;    // rows that were counted, …
  std::uint64_t estimated_ = 0;  // … and the store's estimate of their number
};

}  // namespace

Deaths& Deaths::operator+=(const Deaths& more) {
  documents += more.documents;
  is_exact = is_exact && more.is_exact;
  return *this;
}

Result<Forecast> forecast(Database& database, CollectionId id, Span width, std::size_t count,
                          Meter meter, std::size_t rows_max) {
  View view = database.view();
  const CollectionPtr collection = view.catalog().any_collection(id);
  if (!collection) return no_such_collection();
  DeathCounter counter(database, view, *collection, collection->policy,
                       TRY(ledger::Reading::open(view, *collection, meter)), meter, rows_max);
  Forecast result{.now = view.now()};
  Instant from = {view.now().micros + 1};
  for (std::size_t i = 1; i <= count; ++i) {
    const Instant until = view.now() + Span{width.micros * static_cast<std::int64_t>(i)};
    const Deaths deaths = TRY(counter.count(from, until));
    result.slots.push_back({until, deaths});
    from = until;
  }
  return result;
}

Result<Preview> preview(Database& database, CollectionId id, const Default& changed_default,
                        Meter meter) {
  View view = database.view();
  const CollectionPtr collection = view.catalog().any_collection(id);
  if (!collection) return no_such_collection();
  Policy policy = collection->policy;
  const Instant at = std::max(view.now(), Instant{policy.timeline.back().from.micros + 1});
  policy.change_default(changed_default, at);
  DeathCounter counter(database, view, *collection, policy,
                       TRY(ledger::Reading::open(view, *collection, meter)), meter);
  const auto by = [&](Span later) {
    return counter.count(Instant::beginning(), Instant{(at + later).micros + 1});
  };
  Preview result{.now = view.now()};
  result.at_once = TRY(by(Span{0}));
  result.within_a_day = TRY(by(one_day));
  result.within_a_week = TRY(by(Span{7 * one_day.micros}));
  return result;
}

}  // namespace mayfly
