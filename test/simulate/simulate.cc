#include "simulate/simulate.h"

#include <fmt/format.h>

namespace mayfly::simulate {

SeedOutcome simulate(const SeedOptions& options) {
  SeedOutcome all;
  std::optional<std::uint64_t> answers;
  for (const Schedule schedule : all_schedules) {
    const RunOutcome one = run({options.seed, options.steps, schedule, options.plant});
    all.trace = all.trace * 1'099'511'628'211U + one.trace;
    all.steps += one.steps;
    all.questions += one.questions;
    all.crashes += one.crashes;
    all.faults += one.faults;
    all.ends_published += one.ends_published;
    all.purges += one.purges;
    all.failed_under = schedule;
    all.failure = one.failure;
    if (all.failure) return all;
    if (!is_comparable(schedule)) continue;
    if (!answers) answers = one.answers;
    if (*answers == one.answers) continue;
    all.failure = Failure{options.steps, "all answers, hashed",
                          fmt::format("{:016x} as under 'never'", *answers),
                          fmt::format("{:016x}", one.answers)};
    return all;
  }
  return all;
}

SeedOutcome shrunk(const SeedOptions& options, const SeedOutcome& failed) {
  SeedOutcome least = failed;
  std::size_t batch_count = 0;
  while (batch_count + 1 < least.failure->step) {
    SeedOptions fewer = options;
    fewer.steps = batch_count + (least.failure->step - batch_count) / 2;
    SeedOutcome outcome = simulate(fewer);
    if (outcome.failure) {
      outcome.failure->step = std::min(outcome.failure->step, fewer.steps);
      least = std::move(outcome);
    } else {
      batch_count = fewer.steps;
    }
  }
  return least;
}

std::string replay_command(const SeedOptions& options) {
  std::string command =
      fmt::format("./dev simulate --seed {} --steps {}", options.seed, options.steps);
  if (options.plant != Plant::none) command += fmt::format(" --plant {}", name_of(options.plant));
  return command;
}

std::string report(const SeedOptions& options, const SeedOutcome& failed) {
  const Failure& f = *failed.failure;
  SeedOptions shown = options;
  shown.steps = f.step;
  return fmt::format(
      "seed {} differs under the schedule '{}' at step {}\n  did: {}\n  expected: {}\n  seen:     "
      "{}\n  again: {}\n",
      options.seed, name_of(failed.failed_under), f.step, f.operation, f.expected, f.seen,
      replay_command(shown));
}

}  // namespace mayfly::simulate
