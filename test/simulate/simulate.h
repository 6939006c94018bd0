// A seed under every schedule: each run compared with the model, and the runs with each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulate/run.h"

namespace mayfly::simulate {

struct SeedOptions {
  std::uint64_t seed = 1;
  std::size_t steps = 100;
  Plant plant = Plant::none;
};

struct SeedOutcome {
  std::optional<Failure> failure;
  Schedule failed_under = Schedule::never;
  std::uint64_t trace = 0;  // of all its runs
  std::size_t steps = 0;
  std::size_t questions = 0;
  std::size_t crashes = 0;
  std::size_t faults = 0;
  std::size_t ends_published = 0;
  std::size_t purges = 0;
};
SeedOutcome simulate(const SeedOptions& options);

// The same failure, or another, in as few steps as possible by cutting off the end.
SeedOutcome shrunk(const SeedOptions& options, const SeedOutcome& failed);

// The report of a failure, with the command that reproduces it.
std::string report(const SeedOptions& options, const SeedOutcome& failed);
std::string replay_command(const SeedOptions& options);

}  // namespace mayfly::simulate
