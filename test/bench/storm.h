// Load on a contestant: as fast as it answers, or at a steady rate beside many deaths in one
// instant.
#pragma once

#include <functional>

#include "bench/contestant.h"

namespace mayfly::bench {

// Calls a second of so many connections, each with a thread of its own.
double writes_per_second(Contestant& contestant, int connections, double seconds);
double reads_per_second(Contestant& contestant, int connections, double seconds,
                        std::uint64_t documents);

struct Storm {
  std::uint64_t deaths = 1'000'000;
  std::uint64_t living = 200'000;
  double before_seconds = 4;
  double during_seconds = 6;  // from the instant of the deaths on
  // May be empty: returns once all who listen have heard of the deaths. The contestant ends then.
  std::function<void(Instant death)> heard = {};
};

// Response times are counted from when a read was meant to begin: one that has to wait for those
// before it counts its waiting.
struct StormResult {
  double before_p99_micros = 0;
  double during_p99_micros = 0;
  std::uint64_t reads = 0;
  std::uint64_t wrong = 0;  // the dead still shown, or the living not
  double memory_before_mib = 0;
  double memory_most_mib = 0;
  // Written from the deaths on, beyond what a compaction of the living writes anyway.
  double bytes_per_death = 0;
};

// Fills the contestant, settles it, waits for the deaths and reads beside them.
StormResult run_storm(Contestant& contestant, const Storm& storm);

}  // namespace mayfly::bench
