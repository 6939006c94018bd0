// Runner: tasks are run, bounded, and dropped with their owner.
#include "script/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "base/threads/run_permit.h"

namespace mayfly::script {
namespace {

TEST(RunnerTest, TasksAreRun) {
  Runner runner;
  Runner::Group group(runner);
  std::promise<bool> ran;
  EXPECT_TRUE(group.add("a", [&] { ran.set_value(current_run_permit()->may_take_long()); }));
  EXPECT_TRUE(ran.get_future().get());
}

TEST(RunnerTest, AnExceptionOfATaskEndsNoThread) {
  Runner runner({.threads = 1});
  Runner::Group group(runner);
  std::promise<void> ran;
  EXPECT_TRUE(group.add("a", [] { throw std::runtime_error("thrown by a test"); }));
  EXPECT_TRUE(group.add("a", [&] { ran.set_value(); }));
  ran.get_future().get();
}

TEST(RunnerTest, QueuedTasksAreBounded) {
  Runner runner({.threads = 1, .waiting_max = 2});
  Runner::Group group(runner);
  std::promise<void> began, may_end;
  EXPECT_TRUE(group.add("a", [&, end = may_end.get_future().share()] {
    began.set_value();
    end.wait();
  }));
  began.get_future().get();
  EXPECT_TRUE(group.add("a", [] {}));
  EXPECT_TRUE(group.add("a", [] {}));
  EXPECT_FALSE(group.add("a", [] {}));
  may_end.set_value();
}

TEST(RunnerTest, OwnersAreServedInTurn) {
  Runner runner({.threads = 2, .waiting_max = 100, .waiting_of_one_max = 3});
  Runner::Group group(runner);
  std::promise<void> began, may_end, other_ran;
  const auto end = may_end.get_future().share();
  EXPECT_TRUE(group.add("greedy", [&began, end] {
    began.set_value();
    end.wait();
  }));
  began.get_future().get();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(group.add("greedy", [end] { end.wait(); }));
  EXPECT_FALSE(group.add("greedy", [] {}));
  EXPECT_TRUE(group.add("other", [&] { other_ran.set_value(); }));
  other_ran.get_future().get();
  may_end.set_value();
}

TEST(RunnerTest, QueuedTasksAreDroppedWithTheirGroup) {
  Runner runner({.threads = 1});
  Runner::Group other(runner);
  std::promise<void> began, may_end, ran;
  std::atomic<int> dropped = 0;
  EXPECT_TRUE(other.add("b", [&, end = may_end.get_future().share()] {
    began.set_value();
    end.wait();
  }));
  began.get_future().get();
  {
    Runner::Group owner(runner);
    EXPECT_TRUE(owner.add("a", [&] { ++dropped; }));
  }
  EXPECT_TRUE(other.add("b", [&] { ran.set_value(); }));
  may_end.set_value();
  ran.get_future().get();
  EXPECT_EQ(dropped, 0);
}

TEST(RunnerTest, StoppingCancelsRunningTasks) {
  Runner runner;
  Runner::Group group(runner);
  std::promise<void> began;
  EXPECT_TRUE(group.add("a", [&] {
    began.set_value();
    while (!current_run_permit()->is_cancelled()) std::this_thread::yield();
    EXPECT_TRUE(group.is_stopping());
    EXPECT_FALSE(current_run_permit()->renew());
  }));
  began.get_future().get();
  runner.stop();
  EXPECT_FALSE(group.add("a", [] {}));
}

}  // namespace
}  // namespace mayfly::script
