// One run: the real document layer beside the model, from one seed, under one schedule of
// housekeeping. The workload's edits and questions depend on the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "db/database.h"
#include "simulate/announced.h"
#include "simulate/engine.h"
#include "simulate/workload.h"

namespace mayfly::simulate {

// When the sweeper and compaction run.
enum class Schedule {
  never,      // not before the end
  eager,      // after every step, everything
  sometimes,  // now and then, a part of it; with slow compactions
  racing      // like sometimes, and also between a transaction's reads and its commit
};
inline constexpr Schedule all_schedules[] = {Schedule::never, Schedule::eager, Schedule::sometimes,
                                             Schedule::racing};
// Whether its answers must equal those of Schedule::never to the byte. A transaction that loses a
// race runs again at a later instant, so its answers are compared with the model alone.
constexpr bool is_comparable(Schedule schedule) {
  return schedule != Schedule::racing;
}
std::string_view name_of(Schedule schedule);

struct RunOptions {
  std::uint64_t seed = 1;
  std::size_t steps = 100;
  Schedule schedule = Schedule::never;
  Plant plant = Plant::none;
  bool is_shown = false;  // prints what happens to standard output
};

struct Failure {
  std::size_t step = 0;  // the number of steps after which it shows
  std::string operation;
  std::string expected;
  std::string seen;
};

struct RunOutcome {
  std::optional<Failure> failure;
  std::uint64_t answers = 0;  // a hash of every answer
  std::uint64_t trace = 0;    // a hash of everything that happened, also housekeeping and faults
  std::size_t steps = 0;
  std::size_t questions = 0;
  std::size_t crashes = 0;
  std::size_t faults = 0;
  std::size_t ends_published = 0;
  std::size_t purges = 0;
};

RunOutcome run(const RunOptions& options);

// The current run and step, to be reported when a CHECK of the product fails.
struct RunPosition {
  RunOptions options;
  std::size_t step = 0;
};
const RunPosition& run_position();

}  // namespace mayfly::simulate
