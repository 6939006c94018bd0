#include "db/clock/commit_clock.h"

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

TEST(CommitClockTest, NoCommitComesAtOrBeforeWhatIsClosed) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  EXPECT_EQ(clock.closed(), Instant{100});
  const Instant commit = clock.begin_commit();
  wall.set(Instant{500});
  EXPECT_LT(clock.closed(), commit);
  clock.give_up_commit();
  const Instant closed = clock.closed();
  EXPECT_EQ(closed, Instant{500});
  wall.set(Instant{10});
  EXPECT_EQ(clock.closed(), closed);
  EXPECT_GT(clock.begin_commit(Instant{20}), closed);
  EXPECT_EQ(clock.closed(), closed);
  clock.end_commit();
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

TEST(CommitClockTest, ACommitCanRequireALaterInstant) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  EXPECT_EQ(clock.begin_commit(Instant{500}), Instant{500});
  clock.end_commit();
  EXPECT_EQ(clock.read(), Instant{500});
  EXPECT_EQ(clock.begin_commit(Instant{400}), Instant{501});
  clock.end_commit();
}

TEST(CommitClockTest, ACommitThatFailsTakesAnInstantAndMovesNoTime) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  EXPECT_EQ(clock.begin_commit(Instant{500}), Instant{500});
  clock.give_up_commit();
  EXPECT_EQ(clock.read(), Instant{100});
  EXPECT_EQ(clock.begin_commit(), Instant{101});
  clock.give_up_commit();
  EXPECT_EQ(clock.read(), Instant{101});
}

TEST(CommitClockTest, ItReportsItsDistanceFromTheWallClock) {
  ManualClock wall(Instant{100});
  CommitClock clock(wall);
  clock.begin_commit();
  wall.set(Instant{700});
  EXPECT_EQ(clock.distance().behind, Span{600});
  EXPECT_EQ(clock.distance().ahead, Span{0});
  clock.end_commit();
  EXPECT_EQ(clock.distance().behind, Span{0});
  clock.read();
  wall.set(Instant{300});
  EXPECT_EQ(clock.distance().ahead, Span{400});
  EXPECT_EQ(clock.distance().behind, Span{0});
}

}  // namespace
}  // namespace mayfly
