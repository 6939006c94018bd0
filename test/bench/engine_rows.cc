// P2 (without HTTP), P3, P4, P5: the document layer against RocksDB alone.
#include <cstring>
#include <thread>

#include "base/check.h"
#include "base/random.h"
#include "bench/engine.h"
#include "bench/raw_rocks.h"
#include "bench/rows.h"
#include "expr/function.h"
#include "query/planning/planner.h"
#include "query/run.h"

namespace mayfly::bench {
namespace {

struct Measured {
  SystemClock clock;
  Engine engine;
  std::unique_ptr<Database>& database = engine.database;
  CollectionPtr& collection = engine.collection;

  Measured(const std::string& directory, std::uint64_t documents) : engine(directory, clock) {
    engine.fill("doc", 0, documents, [](std::uint64_t) { return Keep{}; });
    engine.settle();
  }

  double gets(int threads, double seconds, std::uint64_t documents) {
    std::atomic<std::uint64_t> done{0};
    const Instant began = monotonic_now();
    const Instant end = began + Span{static_cast<std::int64_t>(seconds * 1e6)};
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        Random random(static_cast<std::uint64_t>(t + 1));
        std::uint64_t own = 0;
        while (monotonic_now() < end) {
          for (int i = 0; i < 16; ++i, ++own) {
            const auto key = DocumentKey::of("doc" + std::to_string(random.below(documents)));
            const auto found = database->get(collection, key);
            CHECK(found && *found);
          }
        }
        done += own;
      });
    }
    for (std::thread& worker : workers) worker.join();
    return double(done) * 1e6 / double((monotonic_now() - began).micros);
  }

  // New documents with a time to live, each durable before the next begins.
  double synced_puts(int threads, double seconds) {
    std::atomic<std::uint64_t> done{0};
    const std::string json = sample_json(300, 7);
    const Instant began = monotonic_now();
    const Instant end = began + Span{static_cast<std::int64_t>(seconds * 1e6)};
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&] {
        std::uint64_t own = 0;
        for (; monotonic_now() < end; ++own) put_synced(json);
        done += own;
      });
    }
    for (std::thread& worker : workers) worker.join();
    return double(done) * 1e6 / double((monotonic_now() - began).micros);
  }

  void put_synced(const std::string& json) {
    const auto key = DocumentKey::of("new" + std::to_string(written++));
    const auto at = database->transact([&](Transaction& t) -> Result<void> {
      const At death{t.now() + Span::seconds(3'600)};
      TRY(t.put(collection, key, TRY(pack_json(json)), {.lifetime = death}));
      return {};
    });
    CHECK(at);
    database->store().sync(database->store().applied());
  }
  std::atomic<std::uint64_t> written{0};

  // Documents a second of one filtered pass.
  double filter(std::uint64_t documents) {
    View view = database->view();
    const auto condition = expr::greater(expr::body("age"), expr::literal(Value(50)));
    const auto query = query::make(
        query::Filter{query::make(query::Scan{collection, view.live(), {}}), condition});
    const auto plan = query::plan(query, {view.now(), {}});
    CHECK(plan);
    const Instant began = monotonic_now();
    const auto counted = query::count(*plan, view);
    CHECK(counted && counted->rows > documents / 3 && counted->rows < documents);
    return double(documents) * 1e6 / double((monotonic_now() - began).micros);
  }
};

void add_body_row(const Options& options, std::vector<ReportRow>& rows) {
  constexpr int rounds = 200'000;
  const auto packed = pack_json(sample_json(1'024, 7));
  CHECK(packed);
  ReportRow row{.id = "P5",
                .what = "reading a stored body of 1 KiB out",
                .unit = "ns",
                .against = "memcpy",
                .goal = "<= 300 ns",
                .is_met = [](double ours, double) { return ours <= 300; }};
  std::string out;
  std::size_t total = 0;
  const auto time = [&](const auto& work) {
    const Instant began = monotonic_now();
    for (int i = 0; i < rounds; ++i) {
      out.clear();
      work();
      total += out.size();
    }
    return double((monotonic_now() - began).micros) * 1e3 / rounds;
  };
  alternate(
      options.repetitions, row, [&] { return time([&] { Packed(*packed).render(out); }); },
      [&] { return time([&] { out.append(Packed(*packed).json()); }); });
  CHECK(total > 0);
  rows.push_back(std::move(row));
}

void add_put_rows(const Options& options, std::vector<ReportRow>& rows) {
  Measured engine(options.directory + "/puts", 0);
  RawRocks raw(options.directory + "/raw-puts");
  const std::string json = sample_json(300, 7);
  for (const int threads : {1, 8}) {
    ReportRow row{.id = "P2",
                  .what = "engine put, synced, " + std::to_string(threads) + " threads",
                  .unit = "documents/s",
                  .against = "raw RocksDB, " + std::to_string(threads) + " threads",
                  .goal = ">= 0.8",
                  .is_met = [](double ours, double theirs) { return ours >= 0.8 * theirs; }};
    alternate(
        options.repetitions, row, [&] { return engine.synced_puts(threads, options.seconds); },
        [&] { return raw.synced_writes(threads, options.seconds, json); });
    rows.push_back(std::move(row));
  }
}

}  // namespace

void add_engine_rows(const Options& options, std::vector<ReportRow>& rows) {
  const std::uint64_t n = options.documents_or(200'000);
  if (options.wants("P2")) add_put_rows(options, rows);
  if (options.wants("P3") || options.wants("P4")) {
    Measured engine(options.directory + "/engine", n);
    RawRocks raw(options.directory + "/raw-engine");
    raw.fill(n);
    for (const int threads : {1, 2}) {
      if (!options.wants("P3")) break;
      ReportRow row{.id = "P3",
                    .what = "engine get, " + std::to_string(threads) + " threads",
                    .unit = "gets/s",
                    .against = "raw RocksDB::Get",
                    .goal = ">= 0.80",
                    .is_met = [](double ours, double theirs) { return ours >= 0.8 * theirs; }};
      alternate(
          options.repetitions, row, [&] { return engine.gets(threads, options.seconds, n); },
          [&] { return raw.gets(threads, options.seconds, n); });
      rows.push_back(std::move(row));
    }
    if (options.wants("P4")) {
      ReportRow row{
          .id = "P4",
          .what = "filtered scan, 300 B documents",
          .unit = "documents/s",
          .against = "raw iteration",
          .goal = ">= 0.50 and >= 1 M/s",
          .is_met = [](double ours, double theirs) { return ours >= 0.5 * theirs && ours >= 1e6; }};
      std::uint64_t met = 0;
      alternate(
          options.repetitions, row, [&] { return engine.filter(n); },
          [&] { return raw.iterate(met); });
      CHECK(met == n);
      rows.push_back(std::move(row));
    }
  }
  if (options.wants("P5")) add_body_row(options, rows);
}

}  // namespace mayfly::bench
