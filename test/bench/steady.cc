#include "bench/steady.h"

#include <atomic>
#include <thread>

#include "base/random.h"
#include "base/threads/thread.h"
#include "bench/load.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int connections = 16;
constexpr std::int64_t between_reads = 500;  // microseconds

}  // namespace

std::vector<SteadyRead> read_steadily(const SteadyReads& wanted) {
  const SystemClock clock;
  std::atomic<std::int64_t> next{0};
  std::vector<std::vector<SteadyRead>> reads(connections);
  std::vector<std::thread> threads;
  for (int c = 0; c < connections; ++c) {
    threads.emplace_back([&, session = wanted.connect(), c] {
      become_prompt_thread("reader");  // as if it had a machine of its own
      Random random(static_cast<std::uint64_t>(c + 1));
      for (;;) {
        SteadyRead read{.meant_at = wanted.begin + Span{next++ * between_reads}};
        if (!wanted.goes_on(read.meant_at)) return;
        rest((read.meant_at - clock.now()).micros);
        read.prefix = random.below(wanted.prefixes.size());
        const std::string id = std::to_string(random.below(steady_documents));
        read.sent_at = clock.now();
        read.was_there = session->read(wanted.prefixes[read.prefix] + id);
        read.answered_at = clock.now();
        reads[static_cast<std::size_t>(c)].push_back(read);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<SteadyRead> all;
  for (const auto& own : reads) all.insert(all.end(), own.begin(), own.end());
  return all;
}

double p99_micros(const std::vector<SteadyRead>& reads, Instant begin, Instant end) {
  std::vector<std::int64_t> taken;
  for (const SteadyRead& read : reads) {
    if (read.meant_at < begin || read.meant_at >= end) continue;
    taken.push_back((read.answered_at - read.meant_at).micros);
  }
  return quantile(taken, 0.99);
}

}  // namespace mayfly::bench
