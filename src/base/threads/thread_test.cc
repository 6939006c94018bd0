// Tests of thread.h: exceptions do not leave their thread.
#include "base/threads/thread.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mayfly {
namespace {

TEST(ThreadTest, AnExceptionOfAStepIsCaughtAndCounted) {
  const std::uint64_t before = guarded_failures();
  EXPECT_TRUE(run_guarded("a step", [] {}));
  EXPECT_EQ(guarded_failures(), before);
  EXPECT_FALSE(run_guarded("a step", [] { throw std::runtime_error("broken"); }));
  EXPECT_FALSE(run_guarded("a step", [] { throw 7; }));
  EXPECT_EQ(guarded_failures(), before + 2);
}

TEST(ThreadTest, ABodyThatThrowsIsRunAgainUntilItReturns) {
  int runs = 0;
  const auto body = [&runs] {
    if (++runs == 1) throw std::runtime_error("broken");
  };
  keep_running("a body", body, Span{0});
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace mayfly
