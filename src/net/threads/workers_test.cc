#include "net/threads/workers.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "base/threads/run_permit.h"

namespace mayfly::net {
namespace {

// The events in order. A test waits for events and never for time to pass.
class EventLog {
 public:
  void record(const std::string& what) {
    const std::lock_guard lock(mutex_);
    text_ += (text_.empty() ? "" : ", ") + what;
    changed_.notify_all();
  }
  void wait_for(const std::string& what) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return text_.find(what) != std::string::npos; });
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

// When a job becomes long: immediately, or never within a test.
constexpr Span long_at_once{0};
constexpr Span never_long = Span::seconds(3'600);

class WorkersTest : public ::testing::Test {
 protected:
  void start(WorkersOptions options) { workers_ = std::make_unique<Workers>(options); }

  void submit(std::function<void()> run) { ASSERT_TRUE(workers_->submit({std::move(run)})); }
  // A job that ends with the event, and does not renew its permit.
  void submit_until(const std::string& name, const std::string& event) {
    submit([this, name, event] {
      events_.record(name + " began");
      events_.wait_for(event);
      events_.record(name + " ended");
    });
    events_.wait_for(name + " began");
  }
  // A job that renews its permit once.
  Workers::Job renewing(const std::string& name) {
    return {.run = [this, name] {
      events_.record(name + " began");
      const Result<void> renewed = current_run_permit()->renew();
      events_.record(name +
                     (renewed ? " went on" : std::string(" ") + name_of(renewed.error().code)));
    }};
  }

  EventLog events_;
  std::unique_ptr<Workers> workers_;
};

TEST_F(WorkersTest, LongJobsLeaveOneThreadForShortWork) {
  start({.threads = 2, .short_work_max = long_at_once});
  submit_until("a", "stop");
  submit_until("b", "stop");
  submit_until("c", "stop");  // also too long, but a job that never renews is not stopped
  submit([this] { events_.record("short"); });
  events_.wait_for("short");
  events_.record("stop");
  for (const char* name : {"a", "b", "c"}) events_.wait_for(std::string(name) + " ended");
}

TEST_F(WorkersTest, ShortJobsWaitForEachOther) {
  start({.threads = 1, .short_work_max = never_long});
  submit_until("a", "stop");
  submit([this] { events_.record("b ran"); });
  events_.record("stop");
  events_.wait_for("b ran");
  EXPECT_EQ(events_.text(), "a began, stop, a ended, b ran");
}

TEST_F(WorkersTest, OneMoreLongJobWaitsUntilAnotherHasEnded) {
  start({.threads = 1, .short_work_max = long_at_once});
  submit_until("a", "stop");
  ASSERT_TRUE(workers_->submit(renewing("b")));
  events_.wait_for("b began");
  submit([this] { events_.record("short"); });
  events_.wait_for("short");
  events_.record("stop");
  events_.wait_for("b went on");
  EXPECT_EQ(events_.text(), "a began, b began, short, stop, a ended, b went on");
}

TEST_F(WorkersTest, AJobThatSaysItIsLongIsLongAtOnce) {
  start({.threads = 1, .short_work_max = never_long});
  const auto long_job = [this](const std::string& name) {
    submit([this, name] {
      events_.record(name + " began");
      ASSERT_TRUE(current_run_permit()->become_long());
      events_.record(name + " went on");
      events_.wait_for("stop");
      events_.record(name + " ended");
    });
    events_.wait_for(name + " began");
  };
  long_job("a");
  events_.wait_for("a went on");
  long_job("b");
  submit([this] { events_.record("short"); });
  events_.wait_for("short");
  events_.record("stop");
  events_.wait_for("b ended");
  EXPECT_EQ(events_.text(),
            "a began, a went on, b began, short, stop, a ended, b went on, b ended");
}

TEST_F(WorkersTest, AJobWhoseClientHasDisconnectedStops) {
  start({.threads = 1, .short_work_max = long_at_once});
  std::atomic<bool> is_disconnected = false;
  Workers::Job job = renewing("a");
  job.is_cancelled = &is_disconnected;
  submit_until("long", "stop");
  ASSERT_TRUE(workers_->submit(job));
  events_.wait_for("a began");
  is_disconnected = true;
  events_.wait_for("a timed_out");
  events_.record("stop");
  events_.wait_for("long ended");
}

TEST_F(WorkersTest, APausedJobDoesNotWaitPastItsTime) {
  start({.threads = 1, .short_work_max = long_at_once});
  submit_until("long", "stop");
  Workers::Job job = renewing("a");
  job.due = Instant{0};
  ASSERT_TRUE(workers_->submit(job));
  events_.wait_for("a timed_out");
  events_.record("stop");
}

TEST_F(WorkersTest, PausedJobsAreBounded) {
  start({.threads = 1, .short_work_max = long_at_once, .paused_max = 0});
  submit_until("long", "stop");
  ASSERT_TRUE(workers_->submit(renewing("a")));
  events_.wait_for("a throttled");
  events_.record("stop");
}

TEST_F(WorkersTest, WaitingJobsAreBounded) {
  start({.threads = 1, .waiting_max = 1, .short_work_max = never_long});
  submit_until("a", "stop");
  submit([this] { events_.record("b ran"); });
  EXPECT_FALSE(workers_->submit({[] {}}));
  events_.record("stop");
  events_.wait_for("b ran");
}

TEST_F(WorkersTest, NetworksAreTakenInTurn) {
  start({.threads = 1, .short_work_max = never_long});
  submit_until("first", "stop");
  const auto wait_for = [this](const std::string& network, const std::string& name) {
    EXPECT_TRUE(
        workers_->submit({.run = [this, name] { events_.record(name); }, .network = network}));
  };
  for (const char* name : {"a1", "a2", "a3"}) wait_for("a", name);
  for (const char* name : {"b1", "b2"}) wait_for("b", name);
  wait_for("c", "c1");
  events_.record("stop");
  events_.wait_for("a3");
  EXPECT_EQ(events_.text(), "first began, stop, first ended, a1, b1, c1, a2, b2, a3");
}

TEST_F(WorkersTest, AJobThatIsAlwaysTakenIsQueuedBeyondTheBound) {
  start({.threads = 1, .waiting_max = 1, .short_work_max = never_long});
  submit_until("a", "stop");
  submit([this] { events_.record("b ran"); });
  for (int i = 0; i < 3; ++i) {
    // A worker may submit the next one, too.
    const auto more = [this] { events_.record("more ran"); };
    const auto part = [this, more] {
      EXPECT_TRUE(workers_->submit({.run = more, .is_always_taken = true}));
    };
    EXPECT_TRUE(workers_->submit({.run = part, .is_always_taken = true}));
  }
  EXPECT_FALSE(workers_->submit({[] {}}));
  events_.record("stop");
  events_.wait_for("b ran");
  events_.wait_for("more ran, more ran, more ran");
  workers_->stop();
  EXPECT_FALSE(workers_->submit({.run = [] {}, .is_always_taken = true}));
}

// A pool of one thread that moves its long jobs to the pool of the test.
class LeavingWorkersTest : public WorkersTest {
 protected:
  // A job that renews its permit, and then ends with the event.
  void submit_leaving(const std::string& name, const std::string& event) {
    const auto run = [this, name, event] {
      events_.record(name + " began");
      EXPECT_TRUE(current_run_permit()->may_take_long());
      const bool is_renewed = current_run_permit()->renew().has_value();
      events_.record(name + (is_renewed ? " went on" : " was refused"));
      if (is_renewed) events_.wait_for(event);
      events_.record(name + " ended");
    };
    ASSERT_TRUE(leaving_->submit(
        {.run = run, .on_moved = [this, name] { events_.record(name + " left"); }}));
  }
  void start_both(Span short_work_max, std::size_t paused_max = 8) {
    start({.threads = 1, .short_work_max = never_long, .paused_max = paused_max});
    leaving_ = std::make_unique<Workers>(WorkersOptions{
        .threads = 1, .short_work_max = short_work_max, .long_jobs_pool = workers_.get()});
  }

  std::unique_ptr<Workers> leaving_;
};

TEST_F(LeavingWorkersTest, ALongJobMovesToTheOtherPool) {
  start_both(long_at_once);
  submit_leaving("a", "stop a");
  events_.wait_for("a went on");
  submit_leaving("b", "stop b");  // starts in its place, and then pauses in the other pool
  events_.wait_for("b left");
  submit([this] { events_.record("short"); });  // the other pool still has a thread for short work
  events_.wait_for("short");
  events_.record("stop a");
  events_.wait_for("b went on");
  events_.record("stop b");
  events_.wait_for("b ended");
  EXPECT_EQ(events_.text(),
            "a began, a left, a went on, b began, b left, short, stop a, a ended, b went on, "
            "stop b, b ended");
}

TEST_F(LeavingWorkersTest, ALongJobIsRefusedIfTooManyArePaused) {
  start_both(long_at_once, 0);
  submit_leaving("a", "stop");
  events_.wait_for("a went on");
  submit_leaving("b", "stop");
  events_.wait_for("b was refused");
  events_.record("stop");
  events_.wait_for("a ended");
}

TEST_F(LeavingWorkersTest, AShortJobStays) {
  start_both(never_long);
  submit_leaving("a", "stop");
  events_.wait_for("a went on");
  submit_leaving("b", "stop");
  events_.record("stop");
  events_.wait_for("b ended");
  EXPECT_EQ(events_.text(), "a began, a went on, stop, a ended, b began, b went on, b ended");
}

TEST_F(WorkersTest, StoppingCancelsRunningJobsAndDropsWaitingOnes) {
  start({.threads = 1, .short_work_max = never_long});
  submit([this] {
    events_.record("a began");
    while (current_run_permit()->renew()) std::this_thread::yield();
    events_.record("a ended");
  });
  events_.wait_for("a began");
  submit([this] { events_.record("never"); });
  workers_->stop();
  EXPECT_EQ(events_.text(), "a began, a ended");
  EXPECT_FALSE(workers_->submit({[] {}}));
}

int times_returned = 0;

TEST_F(WorkersTest, MemoryGoesBackAfterAJobThatHeldMuch) {
  times_returned = 0;
  start({.threads = 1, .short_work_max = never_long, .give_memory_back = [] { ++times_returned; }});
  const auto hold = [this](std::size_t bytes) {
    submit([bytes] { current_run_permit()->report_peak(bytes); });
  };
  hold(limits::trim_above_bytes);
  hold(limits::trim_above_bytes + 1);
  hold(0);
  submit([this] { events_.record("ran"); });
  events_.wait_for("ran");
  workers_->stop();
  EXPECT_EQ(times_returned, 1);
}

}  // namespace
}  // namespace mayfly::net
