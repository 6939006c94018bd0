// The sweeper's jobs: they run when the earliest end has come, and give way to the foreground.
#include <algorithm>

#include "db/expiry/sweeper_state.h"
#include "db/limits.h"

namespace mayfly {

void Sweeper::add_jobs(Jobs& jobs) {
  State& s = *state_;
  s.job = jobs.add({.name = "expirations",
                    .lane = JobLane::housekeeping,
                    .lease = "expirations",
                    .run = [&s](const JobRun& run) -> Result<NextRun> { return s.run_job(run); },
                    .first_due = Instant::beginning()});
  s.erasing = jobs.add({.name = "dropped rows",
                        .lane = JobLane::lengthy,
                        .lease = "dropped rows",
                        .run = [&s](const JobRun&) -> Result<NextRun> {
                          const auto done = s.database.erase_dropped();  // the rows stay pending
                          // There is no notification when the views end that still read dropped
                          // rows.
                          NextRun next = s.database.dropped.any()
                                             ? NextRun::after(limits::dropped_rows_looked_at_every)
                                             : NextRun::when_woken();
                          if (!done) next.failure = done.error().message;
                          return next;
                        },
                        .first_due = Instant::beginning()});
  s.compactor.add_job(jobs);
}

void Sweeper::erase_later() {
  state_->erasing.wake();
}

void Sweeper::remove_jobs() {
  state_->job.remove();
  state_->erasing.remove();
  state_->compactor.remove_job();
}

NextRun Sweeper::State::run_job(const JobRun& run_of_job) {
  {
    const std::lock_guard lock(mutex);
    if (is_paused) return NextRun::when_woken();
  }
  const Instant began = monotonic_now();
  const std::uint64_t foreground = database.foreground.load(std::memory_order_relaxed);
  const auto done = run(limits::sweep_batch_max, RunScope::skip_resting);
  const Span took = monotonic_now() - began;
  const bool is_busy = database.foreground.load(std::memory_order_relaxed) != foreground;
  // While requests are running it takes no more than half of the time.
  const Span rest = is_busy ? took : Span{0};
  const bool gives_way = run_of_job.gives_way();
  NextRun next = next_run(gives_way ? limits::sweep_pause_overloaded : rest);
  next.rests_for_requests = gives_way;
  if (!done) next.failure = done.error().message;  // logged by note_failure()
  return next;
}

NextRun Sweeper::State::next_run(Span rest) const {
  const std::lock_guard lock(mutex);
  const Instant monotonic = monotonic_now();
  NextRun next{.due = first_due(RunScope::skip_resting, {}).first, .rest = rest};
  const Instant retry_at = failing.next_retry(monotonic);
  if (!retry_at.is_never()) next.at_latest = retry_at - monotonic;
  return next;
}

void Sweeper::pause() {
  const std::lock_guard lock(state_->mutex);
  state_->is_paused = true;
}

void Sweeper::resume() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_paused = false;
  }
  state_->job.wake();
}

}  // namespace mayfly
