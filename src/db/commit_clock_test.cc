#include "db/commit_clock.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

TEST(CommitClockTest, ACommitComesAfterEveryNowThatWasHandedOut) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  EXPECT_EQ(clock.read(), Instant{100});
  EXPECT_EQ(clock.begin_commit(), Instant{101});
  clock.end_commit();
  EXPECT_EQ(clock.read(), Instant{101});
}

TEST(CommitClockTest, AReaderDuringACommitStaysBeforeIt) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  const Instant commit = clock.begin_commit();
  wall.set(Instant{500});
  EXPECT_LT(clock.read(), commit);
  clock.end_commit();
  EXPECT_EQ(clock.read(), Instant{500});
}

TEST(CommitClockTest, AWallClockSetBackMakesItCreep) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  clock.read();
  wall.set(Instant{10});
  EXPECT_EQ(clock.read(), Instant{100});
  EXPECT_EQ(clock.begin_commit(), Instant{101});
  clock.end_commit();
  clock.raise(Instant{90});
  EXPECT_EQ(clock.latest(), Instant{101});
  clock.raise(Instant{200});
  EXPECT_EQ(clock.read(), Instant{200});
}

}  // namespace
}  // namespace mayfly
