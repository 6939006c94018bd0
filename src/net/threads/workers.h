// Threads for requests that are not quick. Overload is refused at the door, not queued without end,
// and long requests do not hold all threads: beside them there is always one for short work.
//
// A job is short until it has run for short_work_max; from then on it is long. At most `threads`
// jobs go on as long ones. One more waits where it renews its permit (base/threads/run_permit.h)
// until one of them has finished, and another thread takes the next job of the queue meanwhile. A
// job that never renews its permit is not stopped. The next job of the queue starts when fewer than
// `threads` jobs run, or when no job that runs is short. The queue takes the networks of the jobs
// in turn.
//
// A pool may leave its long jobs to another one (`long_ones`). There a job is long once its thread
// has worked for short_work_max; where it renews its permit then, it goes on as one of the other
// pool's long ones, and the next job starts in its place. What does not renew keeps its place, so
// never more than `threads` jobs work.
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
  std::size_t paused_max = limits::paused_requests_max;  // long jobs that wait for others
  Workers* long_ones = nullptr;  // where long jobs go on, outlives the pool; null: here
  // After a job that has held more than limits::trim_above_bytes; null: to the system.
  void (*give_memory_back)() = nullptr;
};

// Threads: all members may be called from any thread but a worker.
class Workers {
 public:
  struct Job {
    std::function<void()> run;  // must not throw
    // Set once no client waits for the result; lives as long as `run`. Null: never.
    const std::atomic<bool>* is_cancelled = nullptr;
    Instant due = Instant::never();  // it waits no longer; on the scale of monotonic_now()
    bool is_always_taken = false;    // also where as many wait as may
    std::string network = {};        // whose it is; the networks have their turns
    // Called by its thread when it leaves the pool for `long_ones`; lives as long as `run`.
    std::function<void()> when_left = {};
  };

  explicit Workers(const WorkersOptions& options);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False where as many jobs wait as may, or after stop(); the job is then not run. A worker may
  // call it, too.
  [[nodiscard]] bool submit(Job job);
  // Cancels the jobs that run and waits for them; those that wait are never run. Idempotent.
  void stop();

 private:
  class Running;
  using Lock = std::unique_lock<std::mutex>;

  void ensure_thread();
  void work();
  Job take_next();
  void wait_to_start(Lock& lock);
  void run(Lock& lock, Job job);
  void note_end(const Lock& held, Running& job);
  Result<void> renew(Running& job);
  Result<void> become_long(Running& job);
  Result<void> go_on_elsewhere(Running& job);
  Result<void> pause(Lock& lock, Running& job);
  bool is_long(const Running& job, Instant now) const;
  std::size_t others_long(const Running& job, Instant now) const;
  bool may_start() const;

  const WorkersOptions options_;
  std::mutex mutex_;
  std::condition_variable queued_;                // a job may start
  std::condition_variable finished_;              // a paused job may go on
  FairQueue<Job> waiting_{{SIZE_MAX, SIZE_MAX}};  // by network
  std::vector<Running*> running_;                 // without those that are paused
  std::deque<Running*> paused_;                   // the first one goes on first
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;      // of them: without a job
  std::size_t watching_ = 0;  // of those: look now and then whether a job may start
  std::atomic<bool> stopped_ = false;
  // Threads come and go. One that ends moves itself to those that are to be joined.
  std::mutex ending_;  // guards the lists; may be taken under `mutex_`
  std::condition_variable ended_;
  std::list<std::thread> alive_;
  std::list<std::thread> over_;
};

}  // namespace mayfly::net
