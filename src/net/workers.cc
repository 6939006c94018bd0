// The pool of workers: who may start, who must wait, who has ended.
#include "net/workers.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/run_permit.h"

namespace mayfly::net {
namespace {

// How often a job that waits looks whether anybody still waits for it.
constexpr Span look_every = Span::millis(50);
// How often a thread that may not start looks whether the jobs that run have become long.
constexpr Span look_at_others_every = Span::millis(5);

void trim() {
  malloc_trim(0);
}

std::chrono::microseconds chrono_micros(Span span) {
  return std::chrono::microseconds(span.micros);
}

}  // namespace

// A job with its thread. Threads: its own, but for what the mutex of the pool guards.
class Workers::Running final : public RunPermit {
 public:
  Running(Workers& pool, const Job& job) : started(monotonic_now()), job_(job), pool_(pool) {}

  Result<void> renew() override { return pool_.renew(*this); }
  Result<void> become_long() override { return pool_.become_long(*this); }
  void note_peak(std::size_t bytes) override { peak = std::max(peak, bytes); }

  bool is_cancelled() const override {
    return pool_.stopped_.load(std::memory_order_relaxed) ||
           (job_.is_cancelled != nullptr && job_.is_cancelled->load(std::memory_order_relaxed));
  }
  bool is_late() const { return monotonic_now() >= job_.due; }

  const Instant started;
  std::size_t peak = 0;
  bool goes_on_long = false;  // it is one of the long ones that may go on
  bool says_it_is_long = false;

 private:
  const Job& job_;
  Workers& pool_;
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
    // What starts now does not wait.
    const std::size_t starting = most - std::min(most, running_.size());
    const bool is_full = waiting_.size() >= options_.waiting_max + starting;
    if (stopped_ || (is_full && !job.is_always_taken)) return false;
    waiting_.push_back(std::move(job));
    ensure_thread();
    // Where no job may start, it is enough that one thread watches for that.
    wakes = watching_ == 0 || may_start();
  }
  if (wakes) queued_.notify_one();
  return true;
}

void Workers::stop() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
  }
  queued_.notify_all();
  finished_.notify_all();
  std::unique_lock lock(ending_);
  ended_.wait(lock, [this] { return alive_.empty(); });
  for (std::thread& thread : over_) thread.join();
  over_.clear();
}

// While jobs wait, a thread without a job watches whether one may start.
void Workers::ensure_thread() {
  const auto most = static_cast<std::size_t>(std::max(options_.threads, 1));
  if (stopped_ || threads_ > most + options_.paused_max || waiting_.size() <= idle_) return;
  if (idle_ > 0 && threads_ > most) return;
  const std::lock_guard lock(ending_);
  for (std::thread& thread : over_) thread.join();  // does not wait: their work is done
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
    // The system has no room for one more; those that there are go on.
    alive_.pop_front();
  }
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  const auto kept = static_cast<std::size_t>(std::max(options_.threads, 1)) + 1;
  for (;;) {
    wait_to_start(lock);
    if (stopped_) break;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    --idle_;
    ensure_thread();
    run(lock, std::move(job));
    ++idle_;
    // Those that stood in for paused ones go. One that stays takes the next job itself.
    if (threads_ > kept && idle_ > 1) {
      queued_.notify_one();
      break;
    }
  }
  --threads_;
  --idle_;
}

void Workers::wait_to_start(Lock& lock) {
  while (!stopped_ && (waiting_.empty() || !may_start())) {
    if (waiting_.empty()) {
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
  Running running(*this, job);
  running_.push_back(&running);
  lock.unlock();
  {
    const RunPermitScope permit(running);
    job.run();
    job.run = nullptr;
  }
  const bool was_large = running.peak > limits::trim_above_bytes;
  if (was_large) (options_.give_memory_back != nullptr ? options_.give_memory_back : trim)();
  lock.lock();
  running_.erase(std::find(running_.begin(), running_.end(), &running));
  finished_.notify_all();
}

bool Workers::is_long(const Running& job, Instant now) const {
  return job.goes_on_long || job.says_it_is_long || now - job.started >= options_.short_work_max;
}

bool Workers::may_start() const {
  if (running_.size() < static_cast<std::size_t>(std::max(options_.threads, 1))) return true;
  const Instant now = monotonic_now();
  return std::all_of(running_.begin(), running_.end(),
                     [&](const Running* job) { return is_long(*job, now); });
}

std::size_t Workers::others_long(const Running& job, Instant now) const {
  return static_cast<std::size_t>(
      std::count_if(running_.begin(), running_.end(),
                    [&](const Running* other) { return other != &job && is_long(*other, now); }));
}

Result<void> Workers::renew(Running& job) {
  if (job.is_cancelled())
    return fail(Code::timed_out,
                "The client no longer waits for the "
                "response.");
  if (job.goes_on_long) return {};
  if (monotonic_now() - job.started < options_.short_work_max) return {};
  return become_long(job);
}

Result<void> Workers::become_long(Running& job) {
  if (job.is_cancelled()) return fail(Code::timed_out, "Nobody waits for the answer any more.");
  if (job.goes_on_long) return {};
  std::unique_lock lock(mutex_);
  job.says_it_is_long = true;
  const Instant now = monotonic_now();
  if (others_long(job, now) >= static_cast<std::size_t>(std::max(options_.threads, 1))) {
    TRY(pause(lock, job));
  }
  job.goes_on_long = true;
  return {};
}

Result<void> Workers::pause(Lock& lock, Running& job) {
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
