// Threads for requests that are not quick. Overload is refused instead of queued without bound.
// Long requests do not occupy all threads: there is always one for short work.
//
// A job is short until it has run for short_work_max; from then on it is long. At most `threads`
// long jobs run. A further one pauses when it renews its permit (base/threads/run_permit.h), until
// a long job has finished. Meanwhile another thread takes the next job of the queue. A job that
// never renews its permit is not stopped. The next job of the queue starts when fewer than
// `threads` jobs run, or when no running job is short. The queue serves the networks of the jobs in
// turn.
//
// A pool may move its long jobs to another one (`long_jobs_pool`). In such a pool a job is long
// once its thread has used short_work_max of processor time. When it then renews its permit, it
// continues as a long job of the other pool, and the next job starts in its place. A job that does
// not renew keeps its place, so never more than `threads` jobs run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/threads/fair_queue.h"
#include "net/threads/workers_limits.h"

namespace mayfly::net {

class Workers;

struct WorkersOptions {
  int threads = 2;                                   // long jobs at once
  std::size_t waiting_max = limits::pool_queue_max;  // jobs that wait for a thread
  Span short_work_max = limits::short_work_time_max;
  std::size_t paused_max = limits::paused_requests_max;  // long jobs that are paused
  Workers* long_jobs_pool = nullptr;  // the pool for long jobs, outlives this one; null: this pool
  // Called after a job that has held more than limits::trim_above_bytes; null: returns memory to
  // the system.
  void (*give_memory_back)() = nullptr;
};

// Threads: any, except workers.
class Workers {
 public:
  struct Job {
    std::function<void()> run;  // must not throw
    // Set once no client waits for the result. It lives as long as `run`. Null: never.
    const std::atomic<bool>* is_cancelled = nullptr;
    Instant due = Instant::never();  // the end of waiting, on the scale of monotonic_now()
    bool is_always_taken = false;    // even if the queue is full
    std::string network = {};        // of the client; networks are served in turn
    // Called by its thread when the job moves to `long_jobs_pool`. It lives as long as `run`.
    std::function<void()> on_moved = {};
  };

  explicit Workers(const WorkersOptions& options);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False if the queue is full, or after stop(); the job is then not run. A worker may call this,
  // too.
  [[nodiscard]] bool submit(Job job);
  // Cancels running jobs and waits for them; queued jobs are never run. Idempotent.
  void stop();

 private:
  class RunningJob;
  using Lock = std::unique_lock<std::mutex>;

  void ensure_thread();
  void work();
  Job take_next();
  void wait_to_start(Lock& lock);
  void run(Lock& lock, Job job);
  void on_job_end(const Lock& held, RunningJob& job);
  Result<void> renew(RunningJob& job);
  Result<void> become_long(RunningJob& job);
  Result<void> move_to_long_jobs_pool(RunningJob& job);
  Result<void> pause(Lock& lock, RunningJob& job);
  bool is_long(const RunningJob& job, Instant now) const;
  std::size_t others_long(const RunningJob& job, Instant now) const;
  bool may_start() const;

  const WorkersOptions options_;
  std::mutex mutex_;
  std::condition_variable queued_;                // a job may start
  std::condition_variable finished_;              // a paused job may continue
  FairQueue<Job> waiting_{{SIZE_MAX, SIZE_MAX}};  // by network
  std::vector<RunningJob*> running_;              // without paused ones
  std::deque<RunningJob*> paused_;                // the first one continues first
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;      // of these: without a job
  std::size_t watching_ = 0;  // of the idle ones: check periodically whether a job may start
  std::atomic<bool> stopped_ = false;
  // A thread that ends moves itself to the list of threads to be joined.
  std::mutex ending_;  // guards the lists; may be taken under `mutex_`
  std::condition_variable ended_;
  std::list<std::thread> alive_;
  std::list<std::thread> over_;
};

}  // namespace mayfly::net
