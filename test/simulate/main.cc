// The simulation: `./dev simulate --help`. Prints a hash of everything that happened, so that two
// runs of a seed can be compared; if product and model differ, the command that reproduces it.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <csignal>
#include <cstdio>

#include "base/clock.h"
#include "simulate/delivery/delivery.h"
#include "simulate/simulate.h"

namespace {

using namespace mayfly;
using namespace mayfly::simulate;

// A CHECK of the product has failed (base/check.h): print where.
void print_position(int) {
  const RunPosition& at = run_position();
  std::fprintf(stderr, "seed %llu stopped under the schedule '%s' at step %zu\n  again: %s\n",
               static_cast<unsigned long long>(at.options.seed),
               std::string(name_of(at.options.schedule)).c_str(), at.step,
               replay_command({at.options.seed, at.step + 1, at.options.plant}).c_str());
}

struct Totals {
  std::size_t steps = 0, questions = 0, crashes = 0, faults = 0, ends_published = 0, purges = 0;
  std::uint64_t trace = 0;

  void add(const SeedOutcome& outcome) {
    steps += outcome.steps;
    questions += outcome.questions;
    crashes += outcome.crashes;
    faults += outcome.faults;
    ends_published += outcome.ends_published;
    purges += outcome.purges;
    trace = trace * 31 + outcome.trace;
  }
};

int simulate_all_deliveries(std::uint64_t first, std::size_t seeds, std::size_t steps) {
  DeliveryOutcome all;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const DeliveryOutcome one = simulate_deliveries({seed, steps, seed % 2 == 0});
    if (one.failure) {
      fmt::print("{}\n  again: ./dev simulate --deliveries --seed {} --steps {}\n", *one.failure,
                 seed, steps);
      return 1;
    }
    all.events += one.events;
    all.arrivals += one.arrivals;
    all.crashes += one.crashes;
    all.dead += one.dead;
    all.trace = all.trace * 31 + one.trace;
  }
  fmt::print(
      "{} seeds from {}, {} steps each: {} events that were asked for, {} arrivals, {} crashes, {} "
      "given up\ntrace {:016x}\n",
      seeds, first, steps, all.events, all.arrivals, all.crashes, all.dead, all.trace);
  return 0;
}

int simulate_all(SeedOptions options, std::size_t seeds) {
  Totals totals;
  const Instant began = monotonic_now();
  const std::uint64_t first = options.seed;
  for (; options.seed < first + seeds; ++options.seed) {
    const SeedOutcome outcome = simulate::simulate(options);
    totals.add(outcome);
    if (!outcome.failure) continue;
    std::fputs(report(options, shrunk(options, outcome)).c_str(), stdout);
    return 1;
  }
  const double seconds = static_cast<double>((monotonic_now() - began).micros) / 1e6;
  fmt::print(
      "{} seeds from {}, {} steps each under {} schedules: no difference\n"
      "{} steps, {} questions, {} crashes, {} faults, {} ends told, {} purges recorded\n"
      "{:.1f} s, {:.0f} steps/s\ntrace {:016x}\n",
      seeds, first, options.steps, std::size(all_schedules), totals.steps, totals.questions,
      totals.crashes, totals.faults, totals.ends_published, totals.purges, seconds,
      static_cast<double>(totals.steps) / seconds, totals.trace);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  SeedOptions options;
  options.steps = 300;
  std::size_t seeds = 1;
  std::string plant = "none";
  std::string schedule;
  CLI::App app("Runs the document layer beside a model of the law of lifetime.");
  app.add_option("--seed", options.seed, "The first seed.")->capture_default_str();
  app.add_option("--seeds", seeds, "How many, one after another.")->capture_default_str();
  app.add_option("--steps", options.steps, "Of each seed and schedule.")->capture_default_str();
  app.add_option("--plant", plant, "A defect to be found (simulate/plant.h).")
      ->capture_default_str();
  app.add_option("--show", schedule, "Print the steps of one run under this schedule.");
  bool deliveries = false;
  app.add_flag("--deliveries", deliveries, "Subscriptions and their targets, instead.");
  CLI11_PARSE(app, argc, argv);
  if (deliveries) return simulate_all_deliveries(options.seed, seeds, options.steps);
  const auto planted = plant_named(plant);
  if (!planted) {
    std::fprintf(stderr, "there is no plant '%s'\n", plant.c_str());
    return 2;
  }
  options.plant = *planted;
  std::signal(SIGABRT, print_position);
  for (const Schedule shown : all_schedules) {
    if (name_of(shown) != schedule) continue;
    const RunOutcome one = run({options.seed, options.steps, shown, options.plant, true});
    return one.failure ? 1 : 0;
  }
  return simulate_all(options, seeds);
}
