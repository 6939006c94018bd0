// P8 and P9: many expirations in one instant, of every other document, until the sweeper is done
// and until they are erased from the disk; against point deletes of the same data in RocksDB.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "bench/engine.h"
#include "bench/process.h"
#include "bench/raw_rocks.h"
#include "bench/rows.h"
#include "db/expiry/sweeper.h"

namespace mayfly::bench {
namespace {

// One purge, measured twice: when it was done, and when a compaction of everything was over.
struct Purge {
  double done_seconds = 0;
  double gone_seconds = 0;
  double bytes_written = 0;  // until everything was erased
};

Purge measure(const std::function<void()>& purge, const std::function<void()>& compact) {
  const double bytes = bytes_written_by(getpid());
  const Instant began = monotonic_now();
  // A side without work is done within the microsecond.
  const auto seconds = [&began] {
    return double(std::max<std::int64_t>((monotonic_now() - began).micros, 1)) / 1e6;
  };
  Purge measured;
  purge();
  measured.done_seconds = seconds();
  compact();
  measured.gone_seconds = seconds();
  measured.bytes_written = bytes_written_by(getpid()) - bytes;
  return measured;
}

// Two databases of the same documents, Mayfly's and RocksDB's; each purge works on a copy.
class Purges {
 public:
  Purges(const Options& options, std::uint64_t deaths)
      : directory_(options.directory + "/purge"), deaths_(deaths) {
    std::filesystem::create_directories(directory_);
    ManualClock clock(begin);
    Engine engine(directory_ + "/ours", clock);
    engine.fill("doc", 0, 2 * deaths, [](std::uint64_t n) -> LifetimeChange {
      if (n % 2 == 1) return Keep{};
      return Lifetime(At{death});
    });
    engine.settle();
    RawRocks(directory_ + "/raw").fill_half_dying(2 * deaths);
  }
  ~Purges() { std::filesystem::remove_all(directory_); }

  // The bytes that a compaction alone writes once they have expired.
  Purge compaction_only() {
    return ours({}, [](Engine&) {});
  }
  Purge swept(const CollectionChange& change) {
    return ours(change, [this](Engine& engine) {
      Sweeper& sweeper = engine.database->sweeper();
      while (*sweeper.run_due(deaths_) > 0) {
      }
      store::Store& store = engine.database->store();
      store.sync(store.applied());
    });
  }
  Purge removed() {
    copy_data(directory_ + "/raw", directory_ + "/copy");
    Purge measured;
    {
      RawRocks raw(directory_ + "/copy");
      measured = measure([&] { raw.remove_half(2 * deaths_); }, [&] { raw.compact(); });
    }
    std::filesystem::remove_all(directory_ + "/copy");
    return measured;
  }

  std::uint64_t deaths() const { return deaths_; }

 private:
  static constexpr Instant begin{1'800'000'000'000'000};
  static constexpr Instant death{begin.micros + 3'600'000'000};

  Purge ours(const CollectionChange& change, const std::function<void(Engine&)>& sweep) {
    copy_data(directory_ + "/ours", directory_ + "/copy");
    Purge measured;
    {
      ManualClock clock(death - Span::seconds(600));
      Engine engine(directory_ + "/copy", clock);
      if (change.keep_feed_for) engine.change(change);
      CHECK(engine.database->sweeper().run_due(1));  // it knows what comes next
      clock.set(death);
      measured = measure([&] { sweep(engine); }, [&] { engine.settle(); });
    }
    std::filesystem::remove_all(directory_ + "/copy");
    return measured;
  }

  std::string directory_;
  std::uint64_t deaths_;
};

// The rows for one kind of sweep.
struct PurgeRows {
  ReportRow done, gone, bytes;
};

PurgeRows rows_of(const std::string& id, const std::string& what) {
  PurgeRows rows;
  rows.done = {.id = id,
               .what = what + ", until it is swept",
               .unit = "deaths/s",
               .against = "raw point deletes"};
  rows.gone = {.id = id,
               .what = what + ", until it has left the disk",
               .unit = "deaths/s",
               .against = "raw, with compaction",
               .goal = "-"};
  rows.bytes = {.id = id,
                .what = "bytes written for one of these beyond what compaction writes anyway",
                .unit = "B"};
  return rows;
}

void measure(const Options& options, Purges& purges, const CollectionChange& change,
             PurgeRows& rows) {
  const auto n = double(purges.deaths());
  for (int i = 0; i < options.repetitions; ++i) {
    const Purge theirs = purges.removed();
    const Purge bare = purges.compaction_only();
    const Purge ours = purges.swept(change);
    rows.done.ours.push_back(n / ours.done_seconds);
    rows.done.theirs.push_back(n / theirs.done_seconds);
    rows.gone.ours.push_back(n / ours.gone_seconds);
    rows.gone.theirs.push_back(n / theirs.gone_seconds);
    rows.bytes.ours.push_back((ours.bytes_written - bare.bytes_written) / n);
  }
}

void add(PurgeRows made, std::vector<ReportRow>& rows) {
  for (ReportRow* row : {&made.done, &made.gone, &made.bytes}) rows.push_back(std::move(*row));
}

}  // namespace

void add_purge_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P8") && !options.wants("P9")) return;
  Purges purges(options, options.deaths_or(200'000));
  if (options.wants("P8")) {
    PurgeRows silent = rows_of("P8", "purge, nobody listening");
    silent.done.goal = ">= 10";
    silent.done.is_met = [](double ours, double theirs) { return ours >= 10 * theirs; };
    silent.bytes.goal = "<= 10";
    silent.bytes.is_met = [](double ours, double) { return ours <= 10; };
    measure(options, purges, {}, silent);
    add(std::move(silent), rows);
  }
  if (options.wants("P9")) {
    PurgeRows told = rows_of("P9", "purge, a durable event for each death");
    told.done.goal = ">= 0.5 and >= 100,000/s";
    told.done.is_met = [](double ours, double theirs) {
      return ours >= 0.5 * theirs && ours >= 1e5;
    };
    told.bytes.goal = "<= 150";
    told.bytes.is_met = [](double ours, double) { return ours <= 150; };
    measure(options, purges, {.keep_feed_for = Span::infinite()}, told);
    add(std::move(told), rows);
  }
}

}  // namespace mayfly::bench
