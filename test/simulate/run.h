// One run: the real document layer beside the model, from one seed, under one schedule of
// housekeeping. What the workload does and asks depends on the seed alone.
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
  eager,      // after every step, all of it
  sometimes,  // now and then, a part of it; compactions that take their time
  racing      // like sometimes, and between what a transaction reads and its commit
};
inline constexpr Schedule all_schedules[] = {Schedule::never, Schedule::eager, Schedule::sometimes,
                                             Schedule::racing};
// Whether its answers must be those of Schedule::never to the byte. A transaction that loses a race
// runs again at a later instant, so those of a race are held to the model alone.
constexpr bool is_comparable(Schedule schedule) {
  return schedule != Schedule::racing;
}
std::string_view name_of(Schedule schedule);

struct RunOptions {
  std::uint64_t seed = 1;
  std::size_t steps = 100;
  Schedule schedule = Schedule::never;
  Plant plant = Plant::none;
  bool is_shown = false;  // what happens goes to standard output
};

struct Failure {
  std::size_t step = 0;  // as many steps show it
  std::string operation;
  std::string expected;
  std::string seen;
};

struct Outcome {
  std::optional<Failure> failure;
  std::uint64_t answers = 0;  // a hash of every answer
  std::uint64_t trace = 0;    // a hash of all that happened, housekeeping and faults, too
  std::size_t steps = 0;
  std::size_t questions = 0;
  std::size_t crashes = 0;
  std::size_t faults = 0;
  std::size_t ends_told = 0;
  std::size_t purges = 0;
};

Outcome run(const RunOptions& options);

// Where the run under way is, for whoever has to say so when a promise of the product breaks.
struct Place {
  RunOptions options;
  std::size_t step = 0;
};
const Place& place();

}  // namespace mayfly::simulate
