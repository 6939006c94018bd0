// Load on a contestant: as fast as it answers, or at a steady rate during many expirations in one
// instant.
#pragma once

#include <functional>

#include "bench/contestant.h"

namespace mayfly::bench {

// Calls a second of this many connections, each with a thread of its own.
double writes_per_second(Contestant& contestant, int connections, double seconds);
double reads_per_second(Contestant& contestant, int connections, double seconds,
                        std::uint64_t documents);

struct Storm {
  std::uint64_t deaths = 1'000'000;  // both at least steady_documents
  std::uint64_t living = 200'000;
  double before_seconds = 4;
  double during_seconds = 6;  // from the instant of the expirations on
  // Called after the last read, before the server stops; returns once all listeners have received
  // the expirations. Memory is measured until then. May be empty.
  std::function<void(Instant death)> heard = {};
};

// Response times are counted from the scheduled begin of a read, so they include waiting for
// earlier reads.
struct StormResult {
  double before_p99_micros = 0;
  double during_p99_micros = 0;
  std::uint64_t reads = 0;
  std::uint64_t wrong = 0;  // expired documents that are still shown, or living ones that are not
  double memory_before_mib = 0;
  double memory_most_mib = 0;
  // Bytes written from the expirations on, beyond those of a compaction of the living documents.
  double bytes_per_death = 0;
};

// Fills the contestant, lets it compact, waits for the expirations, and reads during them.
StormResult run_storm(Contestant& contestant, const Storm& storm);

}  // namespace mayfly::bench
