// Tests of clock.h: saturating arithmetic, rounding towards the past, and the clocks.
#include "base/clock.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

TEST(SpanTest, ATooLongSpanSaturates) {
  EXPECT_EQ(Span::seconds(2).micros, 2'000'000);
  EXPECT_EQ(Span::millis(-3).micros, -3'000);
  EXPECT_EQ(Span::seconds(largest), Span::infinite());
  EXPECT_EQ(Span::seconds(smallest).micros, smallest);
}

TEST(SpanTest, WholeSecondsAreRoundedTowardsThePast) {
  EXPECT_EQ(Span{1'999'999}.whole_seconds(), 1);
  EXPECT_EQ(Span{-1}.whole_seconds(), -1);
  EXPECT_EQ(Span{-1'000'000}.whole_seconds(), -1);
  EXPECT_EQ(Span{-1'000'001}.whole_seconds(), -2);
  EXPECT_EQ(Span{0}.whole_seconds(), 0);
}

TEST(InstantTest, ArithmeticSaturates) {
  EXPECT_EQ(Instant{largest - 1} + Span{2}, Instant::never());
  EXPECT_EQ(Instant{smallest + 1} - Span{2}, Instant::beginning());
  EXPECT_EQ(Instant::never() - Instant{-1}, Span::infinite());
  EXPECT_EQ(Instant{5} - Instant{7}, Span{-2});
  EXPECT_EQ(Instant::beginning() + Span{smallest}, Instant::beginning());
}

TEST(InstantTest, NeverIsLaterThanAllOthersAndHasNoWholeSecond) {
  EXPECT_LT(Instant{largest - 1}, Instant::never());
  EXPECT_TRUE(Instant::never().is_never());
  EXPECT_TRUE(Instant::never().floor_second().is_never());
}

TEST(InstantTest, TheWholeSecondIsAtOrBefore) {
  EXPECT_EQ(Instant{1'999'999}.floor_second(), Instant{1'000'000});
  EXPECT_EQ(Instant{2'000'000}.floor_second(), Instant{2'000'000});
  EXPECT_EQ(Instant{-1}.floor_second(), Instant{-1'000'000});
}

TEST(ManualClockTest, ItStandsStillUntilItIsMoved) {
  ManualClock clock(Instant{100});
  EXPECT_TRUE(clock.is_virtual());
  EXPECT_EQ(clock.now(), Instant{100});
  EXPECT_EQ(clock.now(), Instant{100});
  clock.advance(Span{5});
  EXPECT_EQ(clock.now(), Instant{105});
  clock.set(Instant{7});
  EXPECT_EQ(clock.now(), Instant{7});
}

TEST(MonotonicTest, ItNeverDecreases) {
  const Instant before = monotonic_now();
  EXPECT_LE(before, monotonic_now());
}

}  // namespace
}  // namespace mayfly
