#include "bench/storm.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "bench/rows.h"
#include "bench/steady.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr std::size_t living = 0;  // index of the prefix of living documents

std::int64_t micros(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e6);
}

double calls_per_second(Contestant& contestant, int connections, double seconds,
                        const std::function<void(Session&, Random&)>& call) {
  std::atomic<std::uint64_t> calls{0};
  const Instant began = monotonic_now();
  const Instant end = began + Span{micros(seconds)};
  std::vector<std::thread> threads;
  for (int c = 0; c < connections; ++c) {
    threads.emplace_back([&, session = contestant.connect(), c] {
      Random random(static_cast<std::uint64_t>(c + 1));
      std::uint64_t own = 0;
      for (; monotonic_now() < end; ++own) call(*session, random);
      calls += own;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return double(calls) * 1e6 / double((monotonic_now() - began).micros);
}

bool is_wrong(const SteadyRead& read, Instant death) {
  if (read.prefix == living) return !read.was_there;
  if (read.sent_at >= death) return read.was_there;
  return read.answered_at < death && !read.was_there;
}

std::vector<SteadyRead> read_both(Contestant& contestant, Instant begin, Instant end) {
  return read_steadily({.connect = [&] { return contestant.connect(); },
                        .prefixes = {"living", "dying"},
                        .begin = begin,
                        .goes_on = [end](Instant meant_at) { return meant_at < end; }});
}

// Fills the contestant and gives the instant of the expirations: far enough ahead that all
// documents are written and read before.
Instant fill(Contestant& contestant, const Storm& storm) {
  const SystemClock clock;
  const Instant began = clock.now();
  contestant.fill("living", 0, storm.living, Instant::never());
  const double took = double((clock.now() - began).micros) / 1e6;
  const double estimate = 2 * took * double(storm.deaths) / double(storm.living) + took + 3;
  // On a whole second, because some peers count in seconds.
  const Instant death =
      (clock.now() + Span{micros(estimate + storm.before_seconds + 1)}).floor_second();
  contestant.fill("dying", 0, storm.deaths, death);
  contestant.settle();
  return death;
}

}  // namespace

double writes_per_second(Contestant& contestant, int connections, double seconds) {
  static std::atomic<std::uint64_t> written{0};
  return calls_per_second(contestant, connections, seconds, [](Session& session, Random&) {
    const std::uint64_t n = written++;
    session.write("new" + std::to_string(n), sample_json(300, n));
  });
}

double reads_per_second(Contestant& contestant, int connections, double seconds,
                        std::uint64_t documents) {
  return calls_per_second(contestant, connections, seconds, [=](Session& session, Random& random) {
    CHECK(session.read("living" + std::to_string(random.below(documents))));
  });
}

StormResult run_storm(Contestant& contestant, const Storm& storm) {
  const SystemClock clock;
  CHECK(storm.living >= steady_documents && storm.deaths >= steady_documents);
  const Instant death = fill(contestant, storm);
  const Instant begin = death - Span{micros(storm.before_seconds)};
  CHECK(clock.now() < begin);  // filling took longer than estimated
  // Brings everything that is read into memory before the measurement.
  read_both(contestant, clock.now(), begin - Span::millis(100));
  StormResult result;
  std::atomic<bool> is_over{false};
  double bytes_before = 0;
  std::thread watcher([&] {
    rest((death - clock.now()).micros - 20'000);
    result.memory_before_mib = contestant.resident_mib();
    bytes_before = contestant.bytes_written();
    for (; !is_over; rest(50'000)) {
      result.memory_most_mib = std::max(result.memory_most_mib, contestant.resident_mib());
    }
  });
  std::thread purger([&] {
    rest((death - clock.now()).micros);
    contestant.purge();
  });
  const Instant end = death + Span{micros(storm.during_seconds)};
  const std::vector<SteadyRead> reads = read_both(contestant, begin, end);
  purger.join();
  if (storm.heard) storm.heard(death);
  is_over = true;
  watcher.join();
  contestant.compact();
  const double purged = contestant.bytes_written();
  contestant.compact();
  const double anyway = contestant.bytes_written() - purged;
  result.bytes_per_death = (purged - bytes_before - anyway) / double(storm.deaths);
  result.before_p99_micros = p99_micros(reads, begin, death);
  result.during_p99_micros = p99_micros(reads, death, end);
  result.reads = reads.size();
  for (const SteadyRead& read : reads) result.wrong += is_wrong(read, death) ? 1 : 0;
  return result;
}

}  // namespace mayfly::bench
