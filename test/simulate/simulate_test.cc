// The simulation itself: a seed reproduces its run, and planted defects are found.
#include "simulate/simulate.h"

#include <gtest/gtest.h>

#include "simulate/delivery/delivery.h"

namespace mayfly::simulate {
namespace {

constexpr std::uint64_t seeds_max = 20;
constexpr std::size_t steps = 200;

TEST(SimulationTest, TheSameSeedHasTheSameTrace) {
  for (const std::uint64_t seed : {1, 7, 1'000'003}) {
    const SeedOutcome once = simulate({.seed = seed, .steps = steps});
    const SeedOutcome again = simulate({.seed = seed, .steps = steps});
    EXPECT_FALSE(once.failure) << report({seed, steps}, once);
    EXPECT_EQ(once.trace, again.trace);
    EXPECT_EQ(once.questions, again.questions);
  }
  EXPECT_NE(simulate({.seed = 1, .steps = steps}).trace,
            simulate({.seed = 2, .steps = steps}).trace);
}

TEST(SimulationTest, AFailureIsReproducedByTheStepsThatTheReportNames) {
  const SeedOptions options{.seed = 1, .steps = 400, .plant = Plant::index_ignores_death};
  const SeedOutcome failed = simulate(options);
  ASSERT_TRUE(failed.failure);
  const SeedOutcome least = shrunk(options, failed);
  SeedOptions fewer = options;
  fewer.steps = least.failure->step;
  EXPECT_LE(fewer.steps, failed.failure->step);
  const SeedOutcome again = simulate(fewer);
  ASSERT_TRUE(again.failure);
  EXPECT_EQ(again.failure->seen, least.failure->seen);
}

class PlantTest : public ::testing::TestWithParam<Plant> {};

TEST_P(PlantTest, ThePlantedDefectIsFound) {
  for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
    const SeedOutcome outcome = simulate({.seed = seed, .steps = steps, .plant = GetParam()});
    if (!outcome.failure) continue;
    EXPECT_FALSE(outcome.failure->operation.empty());
    EXPECT_NE(outcome.failure->expected, outcome.failure->seen);
    return;
  }
  FAIL() << "no seed up to " << seeds_max << " finds it";
}

TEST(DeliverySimulationTest, EveryEventArrivesInOrderAndNoOther) {
  DeliveryOutcome all;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const DeliveryOutcome one =
        simulate_deliveries({.seed = seed, .has_short_feeds = seed % 2 == 0});
    ASSERT_FALSE(one.failure) << *one.failure;
    all.events += one.events;
    all.arrivals += one.arrivals;
    all.crashes += one.crashes;
    all.dead += one.dead;
  }
  EXPECT_GT(all.events, 1'000U);
  EXPECT_GT(all.arrivals, all.events);
  EXPECT_GT(all.crashes, 100U);
  EXPECT_GT(all.dead, 10U);
  EXPECT_EQ(simulate_deliveries({.seed = 3}).trace, simulate_deliveries({.seed = 3}).trace);
}

TEST(DeliverySimulationTest, EventsThatLeaveTheFeedTooSoonAreFound) {
  for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
    if (simulate_deliveries({.seed = seed, .has_short_feeds = true, .forgets_holds = true}).failure)
      return;
  }
  FAIL() << "no seed up to " << seeds_max << " finds it";
}

INSTANTIATE_TEST_SUITE_P(Planted, PlantTest, ::testing::ValuesIn(all_plants),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace mayfly::simulate
