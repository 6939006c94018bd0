// ChainCounts: a chain has a bounded number of runs, and a bounded number of chains is counted.
#include "dialect/centrali/functions/chain_counts.h"

#include <gtest/gtest.h>

#include "dialect/centrali/functions/limits.h"

namespace mayfly::centrali {
namespace {

void use_up(ChainCounts& counts, const std::string& root) {
  for (std::size_t i = 0; i < limits::function_chain_runs_max; ++i) {
    ASSERT_TRUE(counts.add(root)) << i;
  }
}

TEST(ChainCountsTest, AChainHasABoundedNumberOfRuns) {
  ChainCounts counts;
  use_up(counts, "a");
  for (int i = 0; i < 2; ++i) {
    const auto cut = counts.add("a");
    ASSERT_FALSE(cut);
    EXPECT_EQ(
        cut.error().message,
        "a circle was cut: 1000 runs descend from one run because of what functions wrote, and "
        "this run would be the next");
  }
  EXPECT_TRUE(counts.add("b"));
}

TEST(ChainCountsTest, ARunThatDidNotBeginIsNotCounted) {
  ChainCounts counts;
  use_up(counts, "a");
  counts.take_back("a");
  EXPECT_TRUE(counts.add("a"));
  EXPECT_FALSE(counts.add("a"));
  counts.take_back("none");
}

TEST(ChainCountsTest, TheChainThatWasIdleLongestIsDropped) {
  ChainCounts counts;
  use_up(counts, "idle");
  use_up(counts, "busy");
  for (std::size_t i = 0; i + 1 < limits::function_chains_counted_max; ++i) {
    ASSERT_TRUE(counts.add("other " + std::to_string(i)));
    EXPECT_FALSE(counts.add("busy"));
  }
  EXPECT_TRUE(counts.add("idle"));
}

}  // namespace
}  // namespace mayfly::centrali
