// P22: counting living documents, and those that end in each future hour, with many and with few.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "bench/engine.h"
#include "bench/rows.h"
#include "db/ledger/forecast.h"
#include "db/ledger/ledger.h"
#include "query/planning/planner.h"
#include "query/run.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t few_documents = 10'000;
constexpr std::uint64_t parts = 1'000;  // written one after the other, ten minutes apart
constexpr Span between_parts = Span::seconds(600);
constexpr Span default_lifetime = Span::seconds(20 * 86'400);
constexpr std::size_t hours = 24;

Instant begin() {
  return Instant::from_seconds(1'700'000'000);
}

// Half of the documents end by the collection's default, half at any microsecond of a month.
struct Counted {
  Counted(const Options& options, std::uint64_t documents)
      : engine(fmt::format("{}/counted-{}", options.directory, documents), clock) {
    engine.change({.default_lifetime = After{default_lifetime}});
    const std::uint64_t in_part = std::max<std::uint64_t>(documents / parts, 1);
    for (std::uint64_t n = 0; n < documents; n += in_part) {
      clock.set(begin() + Span{between_parts.micros * static_cast<std::int64_t>(n / in_part)});
      engine.fill("doc", n, std::min(n + in_part, documents),
                  [&](std::uint64_t i) { return lifetime_of(i); });
    }
    const Instant filled = monotonic_now();
    CHECK(engine.database->ledger().fold_all());
    fmt::print(stderr, "{} documents were added up in {} ms\n", documents,
               (monotonic_now() - filled).micros / 1'000);
    std::sort(ends.begin(), ends.end());
    engine.settle();
  }

  Lifetime lifetime_of(std::uint64_t n) {
    if (n % 2 == 0) {
      ends.push_back(clock.now().floor_second() + default_lifetime);
      return Inherit{};
    }
    const auto lives = static_cast<std::int64_t>(random.below(30LL * 86'400 * 1'000'000));
    ends.push_back(clock.now() + Span::seconds(86'400) + Span{lives});
    return At{ends.back()};
  }

  // A later instant, by which a share of the documents has expired.
  void go_on() {
    clock.set(clock.now() + Span{static_cast<std::int64_t>(random.below(7'200'000'000))});
  }
  std::uint64_t ending_from(Instant t) const {
    return static_cast<std::uint64_t>(ends.end() - std::lower_bound(ends.begin(), ends.end(), t));
  }

  double count_micros() {
    Span took{};
    constexpr int times = 20;
    for (int i = 0; i < times; ++i) {
      go_on();
      const Instant began = monotonic_now();
      View view = engine.database->view();
      const auto scan = query::scan(engine.collection, view.live());
      const auto plan = query::plan(scan, {view.now(), std::nullopt});
      CHECK(plan);
      const auto counted = query::count(*plan, view);
      took.micros += (monotonic_now() - began).micros;
      CHECK(counted && counted->rows == ending_from(view.now() + Span{1}));
    }
    return static_cast<double>(took.micros) / times;
  }

  double forecast_micros() {
    Span took{};
    constexpr int times = 5;
    for (int i = 0; i < times; ++i) {
      go_on();
      const Instant began = monotonic_now();
      const auto seen =
          forecast(*engine.database, engine.collection->id, Span::seconds(3'600), hours, Meter());
      took.micros += (monotonic_now() - began).micros;
      CHECK(seen);
      Instant from = seen->now + Span{1};
      for (const auto& slot : seen->slots) {
        CHECK(slot.deaths.is_exact);
        CHECK(slot.deaths.documents == ending_from(from) - ending_from(slot.until));
        from = slot.until;
      }
    }
    return static_cast<double>(took.micros) / times;
  }

  ManualClock clock{begin()};
  Random random{1};
  std::vector<Instant> ends;
  Engine engine;
};

}  // namespace

void add_count_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P22")) return;
  const std::uint64_t documents = options.documents_or(5'000'000);
  Counted few(options, few_documents), many(options, documents);
  ReportRow row{.id = "P22",
                .what = fmt::format("exact count of the living of {} documents", documents),
                .unit = "us",
                .against = fmt::format("of {}", few_documents),
                .goal = "<= 3",
                .is_met = [](double ours, double theirs) { return ours <= 3 * theirs; }};
  ReportRow by_hour = row, dead = row;
  by_hour.what = fmt::format("exact forecast of {} hours with {} documents", hours, documents);
  by_hour.against = fmt::format("with {}", few_documents);
  dead.what = fmt::format("count of none among {} dead documents, none collected", documents);
  dead.against = fmt::format("among {}", few_documents);
  alternate(
      options.repetitions, row, [&] { return many.count_micros(); },
      [&] { return few.count_micros(); });
  alternate(
      options.repetitions, by_hour, [&] { return many.forecast_micros(); },
      [&] { return few.forecast_micros(); });
  for (Counted* each : {&few, &many}) each->clock.set(begin() + Span::seconds(100 * 86'400));
  alternate(
      options.repetitions, dead, [&] { return many.count_micros(); },
      [&] { return few.count_micros(); });
  for (ReportRow* each : {&row, &by_hour, &dead}) rows.push_back(std::move(*each));
}

}  // namespace mayfly::bench
