// P10 and P11: costs that grow with the number of documents, and costs that must not.
#include <fmt/format.h>
#include <unistd.h>

#include "base/check.h"
#include "base/random.h"
#include "bench/engine.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "db/expiry/sweeper.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t few_documents = 10'000;
constexpr std::uint64_t purged_documents = 1'000'000;

// A copy of filled data, opened at an instant before its first expiration.
struct Grown {
  Grown(const Options& options, std::uint64_t documents)
      : documents(documents), engine(copy(options, documents), clock) {}

  static std::string copy(const Options& options, std::uint64_t documents) {
    static int number = 0;
    const std::string data = options.directory + "/grown" + std::to_string(number++);
    copy_data(filled_data(options.directory, documents), data);
    return data;
  }

  // Waits until expired and swept documents are erased, as in service: without a requested
  // compaction.
  void purge(std::uint64_t deaths) {
    const Instant death = clock.now() + Span::seconds(3'600);
    engine.fill("purged", 0, deaths, [death](std::uint64_t) { return Lifetime(At{death}); });
    clock.set(death);
    Sweeper& sweeper = engine.database->sweeper();
    while (*sweeper.run_due(deaths) > 0) {
    }
  }

  double get_micros(const Options& options) {
    constexpr std::uint64_t at_once = 256;
    Random random(1);
    std::uint64_t gets = 0;
    const Instant began = monotonic_now();
    const Instant end = began + Span{static_cast<std::int64_t>(options.seconds * 1e6)};
    for (; monotonic_now() < end; gets += at_once) {
      for (std::uint64_t i = 0; i < at_once; ++i) {
        const auto key = DocumentKey::of("doc" + std::to_string(random.below(documents)));
        const auto found = engine.database->get(engine.collection, key);
        CHECK(found && *found);
      }
    }
    return double((monotonic_now() - began).micros) / double(gets);
  }

  // Waits until the new sweeper knows the first future expiration.
  double next_death_micros() {
    constexpr int looks = 100;
    Sweeper& sweeper = engine.database->sweeper();
    const Instant began = monotonic_now();
    for (int i = 0; i < looks; ++i) {
      sweeper.look_again(engine.collection->id);
      CHECK(sweeper.run_due(1));
      CHECK(sweeper.state().next_due == first_death());
    }
    return double((monotonic_now() - began).micros) / looks;
  }

  std::uint64_t documents;
  ManualClock clock{filled_at() + Span::seconds(86'400)};
  Engine engine;
};

// Changes of a collection's default, each durable and processed by the sweeper before the next.
struct Changes {
  double micros = 0;
  double bytes = 0;
};
Changes change_default(Grown& grown) {
  constexpr int changes = 100;
  const double bytes = bytes_written_by(getpid());
  const Instant began = monotonic_now();
  for (int i = 0; i < changes; ++i) {
    grown.engine.change({.default_lifetime = After{Span::seconds(30 * 86'400 + i)}});
    store::Store& store = grown.engine.database->store();
    store.sync(store.applied());
    CHECK(grown.engine.database->sweeper().run_due(1));
  }
  return {double((monotonic_now() - began).micros) / changes,
          (bytes_written_by(getpid()) - bytes) / changes};
}

void add_change_rows(const Options& options, std::uint64_t documents,
                     std::vector<ReportRow>& rows) {
  Grown many(options, documents);
  Grown few(options, 10);
  const auto is_same = [](double ours, double theirs) { return ours <= 1.2 * theirs; };
  ReportRow time{
      .id = "P10",
      .what = fmt::format("change of the default with {} inheriting documents", documents),
      .unit = "us",
      .against = "with 10",
      .goal = "the same (<= 1.2)",
      .is_met = is_same};
  ReportRow bytes = time;
  bytes.what = "bytes written by such a change";
  bytes.unit = "B";
  for (int i = 0; i < options.repetitions; ++i) {
    const Changes theirs = change_default(few), ours = change_default(many);
    time.ours.push_back(ours.micros);
    time.theirs.push_back(theirs.micros);
    bytes.ours.push_back(ours.bytes);
    bytes.theirs.push_back(theirs.bytes);
  }
  rows.push_back(std::move(time));
  rows.push_back(std::move(bytes));
}

void add_growth(const Options& options, const std::string& with, Grown& many, Grown& few,
                std::vector<ReportRow>& rows) {
  const std::string against = fmt::format("with {} documents", few_documents);
  ReportRow get{.id = "P11",
                .what = "point read " + with,
                .unit = "us",
                .against = against,
                .goal = "<= 1.5",
                .is_met = [](double ours, double theirs) { return ours <= 1.5 * theirs; }};
  ReportRow look{
      .id = "P11",
      .what = "look-up of the next death " + with,
      .unit = "us",
      .against = against,
      .goal = "<= 1.5 and < 1 ms",
      .is_met = [](double ours, double theirs) { return ours <= 1.5 * theirs && ours < 1e3; }};
  alternate(
      options.repetitions, get, [&] { return many.get_micros(options); },
      [&] { return few.get_micros(options); });
  alternate(
      options.repetitions, look, [&] { return many.next_death_micros(); },
      [&] { return few.next_death_micros(); });
  rows.push_back(std::move(get));
  rows.push_back(std::move(look));
}

}  // namespace

void add_growth_rows(const Options& options, std::vector<ReportRow>& rows) {
  const std::uint64_t documents = options.documents_or(1'000'000);
  if (options.wants("P10")) add_change_rows(options, documents, rows);
  if (!options.wants("P11")) return;
  Grown few(options, few_documents);
  {
    Grown many(options, documents);
    add_growth(options, fmt::format("with {} documents", documents), many, few, rows);
  }
  const std::uint64_t deaths = options.deaths_or(purged_documents);
  Grown purged(options, few_documents);
  purged.purge(deaths);
  add_growth(options, fmt::format("after {} purges", deaths), purged, few, rows);
}

}  // namespace mayfly::bench
