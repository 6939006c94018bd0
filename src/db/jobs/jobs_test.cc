// The runner of jobs, on a manual clock and without threads where it can be.
#include "db/jobs/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace mayfly {
namespace {

struct JobsTest : ::testing::Test {
  ManualClock clock{Instant::from_seconds(1'000)};
  Jobs jobs{[this] { return clock.now(); }, true};
  int runs = 0;

  JobSpec counting(NextRun next, Instant first = Instant::beginning()) {
    return {.name = "counting",
            .run = [this, next](const JobRun&) -> Result<NextRun> {
              ++runs;
              return next;
            },
            .first_due = first};
  }
  JobState state() { return jobs.states().front(); }
  // Real time, for what a thread does.
  template <class Condition>
  static bool comes(const Condition& condition) {
    const Instant deadline = monotonic_now() + Span::seconds(20);
    while (!condition() && monotonic_now() < deadline) std::this_thread::yield();
    return condition();
  }
};

TEST_F(JobsTest, AJobRunsWhenItsInstantHasComeAndNotBefore) {
  const JobHandle job = jobs.add(counting(NextRun::when_woken(), Instant::from_seconds(1'010)));
  EXPECT_EQ(jobs.run_due(), 0U);
  clock.set(Instant::from_seconds(1'010) - Span{1});
  EXPECT_EQ(jobs.run_due(), 0U);
  clock.set(Instant::from_seconds(1'010));
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(jobs.run_due(), 0U);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(state().last_run, Instant::from_seconds(1'010));
}

TEST_F(JobsTest, AJobSaysWhenItRunsNextAndCanBeWokenEarlier) {
  const JobHandle job = jobs.add(counting({.due = Instant::from_seconds(2'000)}));
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(state().due, Instant::from_seconds(2'000));
  job.due_by(Instant::from_seconds(3'000));
  EXPECT_EQ(state().due, Instant::from_seconds(2'000)) << "later is not earlier";
  job.due_by(Instant::from_seconds(1'500));
  clock.set(Instant::from_seconds(1'500));
  EXPECT_EQ(jobs.run_due(), 1U);
  job.wake();
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(runs, 3);
}

TEST_F(JobsTest, WhatFailsWithinARunIsCountedAndTheRunSaysWhenItIsTriedAgain) {
  NextRun next{.due = Instant::from_seconds(2'000), .failure = "a part of it"};
  const JobHandle job = jobs.add(counting(next));
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(state().failures, 1U);
  EXPECT_EQ(state().last_error, "a part of it");
  EXPECT_EQ(state().due, next.due);
}

TEST_F(JobsTest, AWakeUpDuringARunIsNotLost) {
  JobHandle job;
  JobSpec spec = counting(NextRun::when_woken());
  spec.run = [&](const JobRun&) -> Result<NextRun> {
    if (++runs == 1) job.wake();
    return NextRun::when_woken();
  };
  job = jobs.add(std::move(spec));
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(jobs.run_due(), 1U);
  EXPECT_EQ(jobs.run_due(), 0U);
}

TEST_F(JobsTest, AFailureOrAnExceptionIsCountedAndEndsNoOtherJob) {
  JobSpec failing{.name = "a fails",
                  .run = [](const JobRun&) -> Result<NextRun> {
                    return fail(Code::throttled, "the disk is full");
                  },
                  .first_due = Instant::beginning()};
  JobSpec throwing{.name = "b throws",
                   .run = [](const JobRun&) -> Result<NextRun> { throw std::runtime_error("no"); },
                   .first_due = Instant::beginning()};
  const JobHandle first = jobs.add(std::move(failing));
  const JobHandle second = jobs.add(std::move(throwing));
  const JobHandle third = jobs.add(counting(NextRun::when_woken()));
  EXPECT_EQ(jobs.run_due(), 3U);
  const auto states = jobs.states();
  EXPECT_EQ(states[0].failures, 1U);
  EXPECT_EQ(states[0].last_error, "the disk is full");
  EXPECT_EQ(states[1].failures, 1U);
  EXPECT_EQ(states[2].failures, 0U);
  EXPECT_EQ(runs, 1);
}

TEST_F(JobsTest, AFailingJobRestsBeforeItIsTriedAgain) {
  JobSpec failing = counting(NextRun::when_woken());
  failing.lane = JobLane::main;
  failing.run = [this](const JobRun&) -> Result<NextRun> {
    ++runs;
    return fail(Code::throttled, "not now");
  };
  const JobHandle job = jobs.add(std::move(failing));
  EXPECT_EQ(jobs.run_due(JobLane::main), 1U);
  job.wake();
  EXPECT_EQ(jobs.run_due(JobLane::main), 0U) << "a second has not passed";
  EXPECT_EQ(jobs.run_due(), 1U) << "a test need not wait";
}

TEST_F(JobsTest, AnInstantThatTheVirtualClockReachesByItselfIsSeen) {
  // As by a commit, which makes it due before readers see its instant.
  std::atomic<int> served = 0;
  const JobHandle job = jobs.add({.name = "soon",
                                  .run = [&](const JobRun&) -> Result<NextRun> {
                                    ++served;
                                    return NextRun::when_woken();
                                  },
                                  .first_due = Instant::from_seconds(1'001)});
  jobs.start();
  clock.set(Instant::from_seconds(1'001));
  EXPECT_TRUE(comes([&] { return served.load() == 1; }));
  jobs.stop();
}

TEST_F(JobsTest, AJobThatIsAlwaysDueLeavesOthersTheirTurn) {
  const JobHandle busy =
      jobs.add({.name = "busy",
                .run = [](const JobRun&) -> Result<NextRun> { return NextRun::immediately(); },
                .first_due = Instant::beginning()});
  std::atomic<int> served = 0;
  const JobHandle other = jobs.add({.name = "other",
                                    .run = [&](const JobRun&) -> Result<NextRun> {
                                      ++served;
                                      return NextRun::immediately();
                                    },
                                    .first_due = Instant::beginning()});
  jobs.start();
  EXPECT_TRUE(comes([&] { return served.load() > 10; }));
  jobs.stop();
}

TEST_F(JobsTest, TheThreadsOfLanesDoNotWaitForOneAnother) {
  std::atomic<bool> is_over = false;
  const JobHandle lengthy = jobs.add({.name = "lengthy",
                                      .lane = JobLane::lengthy,
                                      .run = [&](const JobRun& run) -> Result<NextRun> {
                                        while (!is_over && !run.must_end())
                                          std::this_thread::yield();
                                        return NextRun::when_woken();
                                      },
                                      .first_due = Instant::beginning()});
  std::atomic<bool> has_run = false;
  const JobHandle other = jobs.add({.name = "housekeeping",
                                    .run = [&](const JobRun&) -> Result<NextRun> {
                                      has_run = true;
                                      return NextRun::when_woken();
                                    },
                                    .first_due = Instant::beginning()});
  jobs.start();
  EXPECT_TRUE(comes([&] { return has_run.load(); }));
  is_over = true;
  jobs.stop();
}

TEST_F(JobsTest, StopEndsARunThatAsksWhetherItMustEnd) {
  std::atomic<bool> has_begun = false;
  std::atomic<int> interrupted = 0;
  const JobHandle job = jobs.add({.name = "long",
                                  .lane = JobLane::lengthy,
                                  .run = [&](const JobRun& run) -> Result<NextRun> {
                                    has_begun = true;
                                    while (!run.must_end()) std::this_thread::yield();
                                    return NextRun::when_woken();
                                  },
                                  .interrupt = [&] { ++interrupted; },
                                  .first_due = Instant::beginning()});
  jobs.start();
  ASSERT_TRUE(comes([&] { return has_begun.load(); }));
  jobs.stop();
  EXPECT_EQ(interrupted, 1);
}

TEST_F(JobsTest, TheEndOfAHandleWaitsForTheRunUnderWay) {
  std::atomic<bool> has_begun = false;
  std::atomic<bool> has_ended = false;
  JobHandle job = jobs.add({.name = "slow",
                            .run = [&](const JobRun& run) -> Result<NextRun> {
                              has_begun = true;
                              while (!run.must_end()) std::this_thread::yield();
                              has_ended = true;
                              return NextRun::immediately();
                            },
                            .first_due = Instant::beginning()});
  jobs.start();
  ASSERT_TRUE(comes([&] { return has_begun.load(); }));
  job.remove();
  EXPECT_TRUE(has_ended);
  EXPECT_TRUE(jobs.states().empty());
  jobs.stop();
}

TEST_F(JobsTest, AVirtualClockThatIsMovedWakesTheThreads) {
  std::atomic<int> served = 0;
  const JobHandle job = jobs.add({.name = "later",
                                  .run = [&](const JobRun&) -> Result<NextRun> {
                                    ++served;
                                    return NextRun::when_woken();
                                  },
                                  .first_due = Instant::from_seconds(5'000'000)});
  jobs.start();
  clock.set(Instant::from_seconds(5'000'000));
  jobs.look_again();
  EXPECT_TRUE(comes([&] { return served.load() == 1; }));
  jobs.stop();
}

TEST_F(JobsTest, WhatRestsForTheSakeOfRequestsGoesOnWhenTheyAreServed) {
  std::atomic<int> served = 0;
  jobs.give_way(true);
  const JobHandle job = jobs.add({.name = "gives way",
                                  .run = [&](const JobRun& run) -> Result<NextRun> {
                                    const bool gives_way = run.gives_way();
                                    ++served;
                                    if (!gives_way) return NextRun::when_woken();
                                    NextRun next = NextRun::immediately();
                                    next.rest = Span::seconds(3'600);
                                    next.rests_for_requests = true;  // also where that ends now
                                    return next;
                                  },
                                  .first_due = Instant::beginning()});
  jobs.start();
  EXPECT_TRUE(comes([&] { return served.load() == 1; }));
  jobs.give_way(false);
  EXPECT_TRUE(comes([&] { return served.load() == 2; }));
  jobs.stop();
}

}  // namespace
}  // namespace mayfly
