#include "bench/storm.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "base/thread.h"
#include "bench/load.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int storm_connections = 16;
constexpr std::int64_t between_reads = 500;      // microseconds: 2,000 a second
constexpr std::uint64_t documents_read = 5'000;  // of the living, and of the dying, all in memory

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

struct Read {
  Instant meant_at;
  Instant sent_at;
  Instant answered_at;
  bool is_dying = false;
  bool was_there = false;

  bool is_wrong(Instant death) const {
    if (!is_dying) return !was_there;
    if (sent_at >= death) return was_there;
    return answered_at < death && !was_there;
  }
};

// Reads at a steady rate from `begin` to `end`, whatever comes back how late.
std::vector<Read> read_steadily(Contestant& contestant, Instant begin, Instant end) {
  const SystemClock clock;
  std::atomic<std::int64_t> next{0};
  std::vector<std::vector<Read>> reads(storm_connections);
  std::vector<std::thread> threads;
  for (int c = 0; c < storm_connections; ++c) {
    threads.emplace_back([&, session = contestant.connect(), c] {
      become_prompt_thread("reader");  // as if it had a machine of its own
      Random random(static_cast<std::uint64_t>(c + 1));
      for (;;) {
        Read read{.meant_at = begin + Span{next++ * between_reads}};
        if (read.meant_at >= end) return;
        rest((read.meant_at - clock.now()).micros);
        read.is_dying = random.below(2) == 0;
        const std::string id = std::to_string(random.below(documents_read));
        read.sent_at = clock.now();
        read.was_there = session->read((read.is_dying ? "dying" : "living") + id);
        read.answered_at = clock.now();
        reads[static_cast<std::size_t>(c)].push_back(read);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Read> all;
  for (const auto& own : reads) all.insert(all.end(), own.begin(), own.end());
  return all;
}

double p99(const std::vector<Read>& reads, Instant begin, Instant end) {
  std::vector<std::int64_t> taken;
  for (const Read& read : reads) {
    if (read.meant_at < begin || read.meant_at >= end) continue;
    taken.push_back((read.answered_at - read.meant_at).micros);
  }
  return quantile(taken, 0.99);
}

// Fills it and gives the instant of the deaths: far enough ahead that all are written and read
// before.
Instant fill(Contestant& contestant, const Storm& storm) {
  const SystemClock clock;
  const Instant began = clock.now();
  contestant.fill("living", 0, storm.living, Instant::never());
  const double took = double((clock.now() - began).micros) / 1e6;
  const double estimate = 2 * took * double(storm.deaths) / double(storm.living) + took + 3;
  // On a whole second: some count in nothing less.
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
  CHECK(storm.living >= documents_read && storm.deaths >= documents_read);
  const Instant death = fill(contestant, storm);
  const Instant begin = death - Span{micros(storm.before_seconds)};
  CHECK(clock.now() < begin);  // filling took longer than it seemed it would
  // Everything that is read is in memory before it counts.
  read_steadily(contestant, clock.now(), begin - Span::millis(100));
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
  const std::vector<Read> reads = read_steadily(contestant, begin, end);
  purger.join();
  is_over = true;
  watcher.join();
  contestant.compact();
  const double purged = contestant.bytes_written();
  contestant.compact();
  const double anyway = contestant.bytes_written() - purged;
  result.bytes_per_death = (purged - bytes_before - anyway) / double(storm.deaths);
  result.before_p99_micros = p99(reads, begin, death);
  result.during_p99_micros = p99(reads, death, end);
  result.reads = reads.size();
  for (const Read& read : reads) result.wrong += read.is_wrong(death) ? 1 : 0;
  return result;
}

}  // namespace mayfly::bench
