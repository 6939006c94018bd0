// The pool of workers: which jobs start, pause and end.
#include "net/threads/workers.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/threads/run_permit.h"
#include "base/threads/thread_time.h"

namespace mayfly::net {
namespace {

// How often a paused job checks whether a client still waits for it.
constexpr Span look_every = Span::millis(50);
// How often a thread that may not start a job checks whether the running jobs have become long.
constexpr Span look_at_others_every = Span::millis(5);

void trim() {
  malloc_trim(0);
}

std::chrono::microseconds chrono_micros(Span span) {
  return std::chrono::microseconds(span.micros);
}

}  // namespace

// A job with its thread. Threads: its own, except for members that the pool's mutex guards.
class Workers::RunningJob final : public RunPermit {
 public:
  RunningJob(Workers& its_pool, const Job& its_job)
      : started(monotonic_now()), job(its_job), pool(&its_pool) {}

  Result<void> renew() override { return pool->renew(*this); }
  Result<void> become_long() override { return pool->become_long(*this); }
  bool may_take_long() const override {
    return is_admitted_long || pool->options_.long_jobs_pool != nullptr;
  }
  void report_peak(std::size_t bytes) override { peak = std::max(peak, bytes); }

  bool is_cancelled() const override {
    return pool->stopped_.load(std::memory_order_relaxed) ||
           (job.is_cancelled != nullptr && job.is_cancelled->load(std::memory_order_relaxed));
  }
  bool is_late() const { return monotonic_now() >= job.due; }
  Span worked_for() const { return thread_time() - began_; }

  const Instant started;
  std::size_t peak = 0;
  bool is_admitted_long = false;  // it is one of the long jobs that may run
  bool is_declared_long = false;
  const Job& job;
  Workers* pool;  // whose running_ contains it

 private:
  // Read only if needed, because it takes long compared with most jobs.
  const Instant began_ = pool->options_.long_jobs_pool == nullptr ? Instant{} : thread_time();
};

Workers::Workers(const WorkersOptions& options) : options_(options) {}

Workers::~Workers() {
  stop();
}

bool Workers::submit(Job job) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    const auto most = static_cast<std::size_t>(std::max(options_.threads, 1));
    // Jobs that start now do not wait.
    const std::size_t starting = most - std::min(most, running_.size());
    const bool is_full = waiting_.waiting() >= options_.waiting_max + starting;
    if (stopped_ || (is_full && !job.is_always_taken)) return false;
    const std::string network = job.network;
    waiting_.add(network, std::move(job));
    ensure_thread();
    // If no job may start, one watching thread is enough.
    wakes = watching_ == 0 || may_start();
  }
  if (wakes) queued_.notify_one();
  return true;
}

void Workers::stop() {
  std::vector<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    while (waiting_.waiting() > 0) dropped.push_back(take_next());
  }
  queued_.notify_all();
  finished_.notify_all();
  std::unique_lock lock(ending_);
  ended_.wait(lock, [this] { return alive_.empty(); });
  for (std::thread& thread : over_) thread.join();
  over_.clear();
}

// While jobs wait, an idle thread watches whether one may start.
void Workers::ensure_thread() {
  const auto most = static_cast<std::size_t>(std::max(options_.threads, 1));
  if (stopped_ || threads_ > most + options_.paused_max || waiting_.waiting() <= idle_) return;
  if (idle_ > 0 && threads_ > most) return;
  const std::lock_guard lock(ending_);
  for (std::thread& thread : over_) thread.join();  // does not block: they have ended
  over_.clear();
  alive_.emplace_front();
  try {
    alive_.front() = std::thread([this, self = alive_.begin()] {
      work();
      const std::lock_guard lock(ending_);
      over_.splice(over_.end(), alive_, self);
      ended_.notify_all();
    });
    ++threads_;
    ++idle_;
  } catch (const std::exception&) {
    // The system has no resources for another thread; the existing ones continue.
    alive_.pop_front();
  }
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  const auto kept = static_cast<std::size_t>(std::max(options_.threads, 1)) + 1;
  for (;;) {
    wait_to_start(lock);
    if (stopped_) break;
    Job job = take_next();
    --idle_;
    ensure_thread();
    run(lock, std::move(job));
    ++idle_;
    // Threads that replaced those of paused jobs end. One that stays takes the next job itself.
    if (threads_ > kept && idle_ > 1) {
      queued_.notify_one();
      break;
    }
  }
  --threads_;
  --idle_;
}

Workers::Job Workers::take_next() {
  Job job = *waiting_.next();
  waiting_.end(job.network);  // the queue counts only waiting jobs
  return job;
}

void Workers::wait_to_start(Lock& lock) {
  while (!stopped_ && (waiting_.waiting() == 0 || !may_start())) {
    if (waiting_.waiting() == 0) {
      queued_.wait(lock);
    } else {
      // A job that runs becomes long by itself.
      ++watching_;
      queued_.wait_for(lock, chrono_micros(look_at_others_every));
      --watching_;
    }
  }
}

void Workers::run(Lock& lock, Job job) {
  RunningJob running(*this, job);
  running_.push_back(&running);
  lock.unlock();
  {
    const RunPermitScope permit(running);
    job.run();
    job.run = nullptr;
  }
  const bool was_large = running.peak > limits::trim_above_bytes;
  if (was_large) (options_.give_memory_back != nullptr ? options_.give_memory_back : trim)();
  if (running.pool != this) running.pool->on_job_end(Lock(running.pool->mutex_), running);
  lock.lock();
  if (running.pool == this) on_job_end(lock, running);
}

void Workers::on_job_end(const Lock& /*held*/, RunningJob& job) {
  running_.erase(std::find(running_.begin(), running_.end(), &job));
  finished_.notify_all();
}

bool Workers::is_long(const RunningJob& job, Instant now) const {
  return job.is_admitted_long || job.is_declared_long ||
         now - job.started >= options_.short_work_max;
}

bool Workers::may_start() const {
  if (running_.size() < static_cast<std::size_t>(std::max(options_.threads, 1))) return true;
  if (options_.long_jobs_pool != nullptr) return false;
  const Instant now = monotonic_now();
  return std::all_of(running_.begin(), running_.end(),
                     [&](const RunningJob* job) { return is_long(*job, now); });
}

std::size_t Workers::others_long(const RunningJob& job, Instant now) const {
  return static_cast<std::size_t>(std::count_if(
      running_.begin(), running_.end(),
      [&](const RunningJob* other) { return other != &job && is_long(*other, now); }));
}

Result<void> Workers::renew(RunningJob& job) {
  if (job.is_cancelled())
    return fail(Code::timed_out,
                "The client no longer waits for the "
                "response.");
  if (job.is_admitted_long) return {};
  const Span taken =
      options_.long_jobs_pool != nullptr ? job.worked_for() : monotonic_now() - job.started;
  if (taken < options_.short_work_max) return {};
  return become_long(job);
}

Result<void> Workers::become_long(RunningJob& job) {
  if (job.is_cancelled())
    return fail(Code::timed_out, "The client no longer waits for the response.");
  if (job.is_admitted_long) return {};
  if (options_.long_jobs_pool != nullptr) return move_to_long_jobs_pool(job);
  std::unique_lock lock(mutex_);
  job.is_declared_long = true;
  const Instant now = monotonic_now();
  if (others_long(job, now) >= static_cast<std::size_t>(std::max(options_.threads, 1))) {
    TRY(pause(lock, job));
  }
  job.is_admitted_long = true;
  return {};
}

Result<void> Workers::move_to_long_jobs_pool(RunningJob& job) {
  Workers& to = *options_.long_jobs_pool;
  {
    const std::lock_guard lock(mutex_);
    running_.erase(std::find(running_.begin(), running_.end(), &job));
    ensure_thread();
  }
  queued_.notify_one();
  if (job.job.on_moved) job.job.on_moved();
  {
    const std::lock_guard lock(to.mutex_);
    job.is_declared_long = true;
    to.running_.push_back(&job);
  }
  job.pool = &to;
  return to.become_long(job);
}

Result<void> Workers::pause(Lock& lock, RunningJob& job) {
  if (paused_.size() >= options_.paused_max) {
    return fail(Code::throttled, "Too many requests take long at once; try again.");
  }
  running_.erase(std::find(running_.begin(), running_.end(), &job));
  paused_.push_back(&job);
  ensure_thread();
  queued_.notify_one();
  const auto most = static_cast<std::size_t>(std::max(options_.threads, 1));
  const auto may_go_on = [&] {
    return paused_.front() == &job && others_long(job, monotonic_now()) < most;
  };
  while (!may_go_on() && !job.is_cancelled() && !job.is_late()) {
    finished_.wait_for(lock, chrono_micros(look_every));
  }
  paused_.erase(std::find(paused_.begin(), paused_.end(), &job));
  running_.push_back(&job);
  finished_.notify_all();
  if (!job.is_cancelled() && !job.is_late()) return {};
  return fail(Code::timed_out, "The request waited too long for a free worker.");
}

}  // namespace mayfly::net
