// Jobs: what is done in the background, one row each: recording expirations, compaction, the
// collectors of dialects, events for subscribers. A row says what the job is called, which thread
// runs it and when it is due; one runner does the rest. A job that fails or throws is logged,
// counted and run again later; it ends neither the process nor another job.
//
// Due times are of the database's clock. With a virtual clock a job becomes due when the clock is
// moved. A test starts no threads and calls run_due().
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "db/jobs/limits.h"

namespace mayfly {

// The thread that runs a job. The jobs of a lane wait for one another, so a lane is as prompt as
// its longest run.
enum class JobLane : std::uint8_t {
  main,        // milliseconds; an answer may wait for it. No thread of the runner's: the server's
               // main thread calls run_due(main)
  events,      // milliseconds; a subscriber waits for it
  evaluation,  // a fifth of a second, for it calls functions of clients; a subscriber waits for it
  housekeeping,  // milliseconds to a tenth of a second, at a low priority
  lengthy,       // seconds and more, at a low priority
};
inline constexpr std::size_t job_lanes = 5;
std::string_view name_of(JobLane lane);

// When a job is to be run again: once `due` has come, or once so much real time has passed.
struct NextRun {
  Instant due = Instant::never();
  Span at_latest = Span::infinite();
  Span rest = {};                   // real time for which it is not run in any case
  bool rests_for_requests = false;  // the rest ends when requests are served again
  // What of the run failed, where it says itself when it is tried again: counted and shown as the
  // failure of a job is, but logged by the job. Empty: nothing.
  std::string failure = {};

  static NextRun when_woken() { return {}; }
  static NextRun after(Span real_time) { return {.at_latest = real_time}; }
  static NextRun immediately() { return {.due = Instant::beginning()}; }
};

class Jobs;
class Leases;
class Transaction;
struct JobEntry;

// What a run may ask.
class JobRun {
 public:
  // Whether the server stops or the job is removed: a long run ends early then.
  bool must_end() const;
  // Whether requests are refused for overload: what can wait is left for later.
  bool gives_way() const;
  // The number of the lease's term. Where it is not that of the run before, another server may
  // have run the job meanwhile: what was kept in memory is read again. 0: this server has the store
  // alone.
  std::uint64_t term() const { return term_; }
  // Makes the commit of `transaction` depend on the lease: see Leases::check. It always succeeds
  // where one server has the store alone.
  Result<void> check_lease(Transaction& transaction) const;

 private:
  friend class Jobs;
  JobRun(const Jobs& jobs, const JobEntry& entry, std::uint64_t term)
      : jobs_(jobs), entry_(entry), term_(term) {}
  const Jobs& jobs_;
  const JobEntry& entry_;
  const std::uint64_t term_;
};

struct JobSpec {
  std::string name;  // unique within a server; a metric's label and the API's name
  JobLane lane = JobLane::housekeeping;
  // What several servers on one store share out, by a lease of this name. One server needs none.
  std::string lease = {};
  // Never called twice at once. A failure is tried again, at first after a second, then ever later.
  std::function<Result<NextRun>(const JobRun&)> run;
  // Makes a run under way end early. Called when the jobs stop or this one is removed.
  std::function<void()> interrupt = {};
  Instant first_due = Instant::never();
  Span retry_max = limits::job_retry_max;  // the longest rest after a failure, also after the first
};

// A row that was added. Its end removes the job, and returns once no run is under way; so it must
// not end within the run. Threads: any.
class JobHandle {
 public:
  JobHandle() = default;
  JobHandle(Jobs& jobs, std::shared_ptr<JobEntry> entry) : jobs_(&jobs), entry_(std::move(entry)) {}
  JobHandle(JobHandle&& other) noexcept = default;
  JobHandle& operator=(JobHandle&& other) noexcept;
  ~JobHandle() { remove(); }

  // Due immediately: once more, where a run is under way. A rest after a failure stays.
  void wake() const { due_by(Instant::beginning()); }
  // Due at that instant at the latest. Cheap.
  void due_by(Instant at) const;
  // What its end does; from then on nothing runs it.
  void remove() const;

 private:
  Jobs* jobs_ = nullptr;
  std::shared_ptr<JobEntry> entry_;
};

struct JobState {
  std::string name;
  JobLane lane = JobLane::housekeeping;
  std::string lease;
  bool is_running = false;
  Instant last_run = Instant::never();  // when the last run began; never(): there was none
  Span took;                            // the last run that has ended, in real time
  Instant due = Instant::never();       // never(): once it is woken, or at a real time
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::string last_error;  // of the last run; empty: it succeeded
};

// Threads: any, but for start() and stop(), which one thread calls. It outlives its handles.
class Jobs {
 public:
  // `now` is asked for the database's time, with no lock held. `is_virtual`: it stands still until
  // it is moved.
  Jobs(std::function<Instant()> now, bool is_virtual);
  ~Jobs();

  // Several servers share the store: a job with a lease is run only by the server that has it; the
  // others look again when its term ends. Before start(). `leases` outlives all runs.
  void share(Leases& leases) { leases_ = &leases; }

  [[nodiscard]] JobHandle add(JobSpec spec);
  // Starts a thread for each lane but `main`, or for one lane; stops them all. Jobs may be added
  // before and after.
  void start();
  void start(JobLane lane);
  void stop();

  // The clock was moved.
  void look_again();
  // While requests are refused for overload.
  void give_way(bool gives_way);
  bool gives_way() const;

  // In the calling thread: runs each job of the lane that is due once. Gives how many were run.
  // Those that another thread is running are left to it.
  std::size_t run_due(JobLane lane);
  // The same for all lanes, whatever the jobs rest for: for tests.
  std::size_t run_due();

  // In the order of their names.
  std::vector<JobState> states() const;

 private:
  friend class JobHandle;
  friend class JobRun;
  using EntryPtr = std::shared_ptr<JobEntry>;

  void remove(const EntryPtr& entry);
  void due_by(JobEntry& entry, Instant at);
  void run_lane(JobLane lane);
  std::size_t run_due(JobLane lane, Instant monotonic);
  EntryPtr next_ready(JobLane lane, Instant now, Instant monotonic) const;
  Span time_to_wait(JobLane lane, Instant now, Instant monotonic) const;
  void run(std::unique_lock<std::mutex>& lock, const EntryPtr& entry, Instant now);
  Result<NextRun> run_with_lease(const JobEntry& entry) const;
  void note_end(JobEntry& entry, const Result<NextRun>& next) const;
  static void note_failure_within(JobEntry& entry, const std::string& failure);
  static void note_failure(std::unique_lock<std::mutex>& lock, JobEntry& entry, const Error& error);
  void wake_all();

  const std::function<Instant()> now_;
  const bool is_virtual_;
  Leases* leases_ = nullptr;  // null: one server has the store alone
  mutable std::mutex mutex_;  // guards all below and the entries
  std::array<std::condition_variable, job_lanes> changed_;
  std::condition_variable ended_;  // a run has
  std::vector<EntryPtr> entries_;  // in the order of their names
  std::uint64_t changes_ = 0;      // of what is due: a lane that sees one looks again
  bool is_stopping_ = false;
  bool gives_way_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly
