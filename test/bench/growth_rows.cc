// P10 and P11: costs that grow with the number of documents, and costs that must not.
#include <fmt/format.h>
#include <unistd.h>

#include "base/check.h"
#include "base/random.h"
#include "bench/engine.h"
#include "bench/process.h"
#include "bench/raw_rocks.h"
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

// Gets against those of RocksDB alone, with as many rows of as many bytes.
void add_gets_beside_raw(const Options& options, Grown& grown, std::vector<ReportRow>& rows) {
  RawRocks raw(options.directory + "/raw-grown" + std::to_string(grown.documents));
  raw.fill(grown.documents);
  ReportRow row{.id = "P11",
                .what = fmt::format("point read with {} documents", grown.documents),
                .unit = "gets/s",
                .against = "raw RocksDB::Get of as many",
                .goal = ">= 0.80",
                .is_met = [](double ours, double theirs) { return ours >= 0.8 * theirs; }};
  alternate(
      options.repetitions, row, [&] { return 1e6 / grown.get_micros(options); },
      [&] { return raw.gets(1, options.seconds, grown.documents); });
  rows.push_back(std::move(row));
}

void add_gets_after_purges(const Options& options, std::uint64_t deaths, Grown& purged, Grown& few,
                           std::vector<ReportRow>& rows) {
  ReportRow row{.id = "P11",
                .what = fmt::format("point read after {} purges", deaths),
                .unit = "us",
                .against = "before them",
                .goal = "<= 1.2",
                .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
  alternate(
      options.repetitions, row, [&] { return purged.get_micros(options); },
      [&] { return few.get_micros(options); });
  rows.push_back(std::move(row));
}

void add_look_up(const Options& options, const std::string& with, Grown& grown,
                 std::vector<ReportRow>& rows) {
  ReportRow row{.id = "P11",
                .what = "look-up of the next death " + with,
                .unit = "us",
                .goal = "< 100",
                .is_met = [](double ours, double) { return ours < 100; }};
  repeat(options.repetitions, row, [&] { return grown.next_death_micros(); });
  rows.push_back(std::move(row));
}

}  // namespace

void add_growth_rows(const Options& options, std::vector<ReportRow>& rows) {
  const std::uint64_t documents = options.documents_or(1'000'000);
  if (options.wants("P10")) add_change_rows(options, documents, rows);
  if (!options.wants("P11")) return;
  Grown few(options, few_documents);
  add_gets_beside_raw(options, few, rows);
  {
    Grown many(options, documents);
    add_gets_beside_raw(options, many, rows);
    add_look_up(options, fmt::format("with {} documents", documents), many, rows);
  }
  const std::uint64_t deaths = options.deaths_or(purged_documents);
  Grown purged(options, few_documents);
  purged.purge(deaths);
  add_gets_after_purges(options, deaths, purged, few, rows);
  add_look_up(options, fmt::format("after {} purges", deaths), purged, rows);
}

}  // namespace mayfly::bench
