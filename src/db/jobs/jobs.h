// Jobs: the table of background work, one row for each job: recording expirations, compaction, the
// garbage collectors of dialects, events for subscribers. A row gives the job's name, the thread
// that runs it, and when it is due first. If a run fails or throws, that is logged and counted, and
// the job is run again later; neither the process nor another job ends.
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

// The thread that runs a job, with the usual length of a run. The jobs of a lane run one after
// another, so a due job may have to wait for the longest run of its lane.
enum class JobLane : std::uint8_t {
  main,          // milliseconds; an answer may wait for it. It is the server's main thread, which
                 // calls run_due(main); Jobs starts no thread for it
  events,        // milliseconds; subscribers wait for it
  evaluation,    // a fifth of a second: it calls functions of clients; subscribers wait for it
  housekeeping,  // milliseconds to a tenth of a second, at a low priority
  lengthy,       // seconds and more, at a low priority
};
inline constexpr std::size_t job_lanes = 5;
std::string_view name_of(JobLane lane);

// When a job is to be run again: once the database's clock has reached `due`, or once `at_latest`
// of real time has passed since the end of this run; but not during the rest.
struct NextRun {
  Instant due = Instant::never();
  Span at_latest = Span::infinite();
  Span rest = {};  // real time from the end of this run; also ended by give_way(false)
  bool rests_for_requests = false;  // there is no rest if requests are served again by now
  // A failure of a part of the run, which the job has logged itself and will retry as this NextRun
  // says. It is counted and shown like the failure of a run. Empty: none.
  std::string failure = {};

  static NextRun when_woken() { return {}; }
  static NextRun after(Span real_time) { return {.at_latest = real_time}; }
  static NextRun immediately() { return {.due = Instant::beginning()}; }
};

class Jobs;
class Leases;
class Transaction;
struct JobEntry;

// The run in progress, for the job's function; valid until that returns.
class JobRun {
 public:
  // Whether the server stops or the job is removed: then a long run should end early.
  bool must_end() const;
  // Whether requests are refused for overload: then a job should do only what cannot wait.
  bool gives_way() const;
  // The number of the lease's term; 0: the job has no lease, or this server has the store alone. If
  // it differs from that of the previous run, another server may have run the job meanwhile: the
  // job must read again what it keeps in memory.
  std::uint64_t term() const { return term_; }
  // Makes the commit of `transaction` depend on the lease, as Leases::check(). If term() is 0, it
  // always succeeds.
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
  // If several servers share the store, only the one that has the lease of this name runs the job.
  // Empty: every server runs it.
  std::string lease = {};
  // Never called twice at once. After a failure it is called again: after limits::job_retry_first
  // at first, then after twice the previous pause, up to `retry_max`.
  std::function<Result<NextRun>(const JobRun&)> run;
  // Makes a run in progress end early. Called by another thread, without a lock, when the jobs stop
  // or this one is removed. Unset: the run only has must_end().
  std::function<void()> interrupt = {};
  Instant first_due = Instant::never();
  Span retry_max = limits::job_retry_max;  // the longest rest after a failure, also after the first
};

// Owns a job that was added. Its destructor removes the job, and waits until no run is in progress;
// so it must not be destroyed within a run of that job. Threads: any.
class JobHandle {
 public:
  JobHandle() = default;
  JobHandle(Jobs& jobs, std::shared_ptr<JobEntry> entry) : jobs_(&jobs), entry_(std::move(entry)) {}
  JobHandle(JobHandle&& other) noexcept = default;
  JobHandle& operator=(JobHandle&& other) noexcept;
  ~JobHandle() { remove(); }

  // Makes the job due immediately; if a run is in progress, it is run once more after that. A rest
  // is not shortened.
  void wake() const { due_by(Instant::beginning()); }
  // Makes the job due at that instant at the latest. Cheap.
  void due_by(Instant at) const;
  // Removes the job, as the destructor does: it is not run again.
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
  Span took;                            // by the last run that has ended, in real time
  Instant due = Instant::never();       // never(): when it is woken, or after some real time
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::string last_error;  // of the last run; empty: it succeeded
};

// Threads: any, except that one thread calls start() and stop(). It outlives its handles.
class Jobs {
 public:
  // `now` returns the database's time; it is called without a lock. `is_virtual`: that time stands
  // still until it is moved.
  Jobs(std::function<Instant()> now, bool is_virtual);
  ~Jobs();

  // For several servers that share the store: a job with a lease is run only by the server that has
  // it; the others try again when its term ends. To be called before start(). `leases` outlives all
  // runs.
  void share(Leases& leases) { leases_ = &leases; }

  [[nodiscard]] JobHandle add(JobSpec spec);
  // start() starts a thread for each lane but `main`, or for one lane; stop() interrupts the runs
  // in progress and ends all threads. Jobs may be added before and after.
  void start();
  void start(JobLane lane);
  void stop();

  // To be called when the clock was moved: jobs may have become due.
  void look_again();
  // To be called when requests begin or cease to be refused for overload. When they cease, the
  // rests of jobs end, except after failures.
  void give_way(bool gives_way);
  bool gives_way() const;

  // Runs each due job of the lane once, in the calling thread. Returns how many were run. A job
  // that another thread is running is left out.
  std::size_t run_due(JobLane lane);
  // The same for all lanes and without regard to rests; for tests.
  std::size_t run_due();
  std::size_t run_due_now(JobLane lane);  // the same for one lane

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
