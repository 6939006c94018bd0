// The runner: one thread for each lane. It takes the ready job whose last run began first.
#include "db/jobs/jobs.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/check.h"
#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "db/jobs/leases.h"

namespace mayfly {

struct JobEntry {
  JobSpec spec;
  Instant due;
  // Of the monotonic clock: the job is not run before `not_before`, and it is ready at `run_by`
  // even if it is not due.
  Instant not_before = Instant::beginning();
  Instant run_by = Instant::never();
  Instant begun_at = Instant::beginning();
  Instant woken_for = Instant::never();  // by due_by(), since the run in progress began
  std::uint64_t failures_in_a_row = 0;
  bool is_running = false;
  bool is_removed = false;
  JobState state = {};

  bool is_ready(Instant now, Instant monotonic) const {
    return !is_running && monotonic >= not_before && (due <= now || monotonic >= run_by);
  }
};

namespace {

constexpr std::array all_lanes{JobLane::main, JobLane::events, JobLane::evaluation,
                               JobLane::housekeeping, JobLane::lengthy};
static_assert(all_lanes.size() == job_lanes);

std::size_t place_of(JobLane lane) {
  return static_cast<std::size_t>(lane);
}

template <class Run>
Result<NextRun> run_guarded_job(const std::string& name, const Run& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    report_guarded_failure(name.c_str(), error.what());
  } catch (...) {
    report_guarded_failure(name.c_str(), "an exception of unknown kind");
  }
  return fail(Code::internal, "it threw");
}

Instant later_by(Instant monotonic, Span span) {
  return span == Span::infinite() ? Instant::never() : monotonic + span;
}

}  // namespace

std::string_view name_of(JobLane lane) {
  switch (lane) {
    case JobLane::main: return "main";
    case JobLane::events: return "events";
    case JobLane::evaluation: return "evaluation";
    case JobLane::housekeeping: return "housekeeping";
    case JobLane::lengthy: break;
  }
  return "lengthy";
}

// --- handles and runs ---

JobHandle& JobHandle::operator=(JobHandle&& other) noexcept {
  if (this == &other) return *this;
  remove();
  jobs_ = other.jobs_;
  entry_ = std::move(other.entry_);
  return *this;
}

void JobHandle::due_by(Instant at) const {
  if (entry_) jobs_->due_by(*entry_, at);
}

void JobHandle::remove() const {
  if (entry_) jobs_->remove(entry_);
}

bool JobRun::must_end() const {
  const std::lock_guard lock(jobs_.mutex_);
  return jobs_.is_stopping_ || entry_.is_removed;
}

bool JobRun::gives_way() const {
  return jobs_.gives_way();
}

Result<void> JobRun::check_lease(Transaction& transaction) const {
  if (term_ == 0) return {};
  return jobs_.leases_->check(transaction, entry_.spec.lease, term_);
}

// --- the table ---

Jobs::Jobs(std::function<Instant()> now, bool is_virtual)
    : now_(std::move(now)), is_virtual_(is_virtual) {}

Jobs::~Jobs() {
  stop();
  CHECK(entries_.empty());  // no handle outlives its table
}

JobHandle Jobs::add(JobSpec spec) {
  auto entry = std::make_shared<JobEntry>();
  entry->due = spec.first_due;
  entry->state = {.name = spec.name, .lane = spec.lane, .lease = spec.lease};
  entry->spec = std::move(spec);
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::lower_bound(entries_, entry->spec.name, {},
                                              [](const EntryPtr& e) { return e->spec.name; });
  entries_.insert(place, entry);
  ++changes_;
  changed_[place_of(entry->spec.lane)].notify_all();
  return {*this, std::move(entry)};
}

void Jobs::remove(const EntryPtr& entry) {
  std::unique_lock lock(mutex_);
  entry->is_removed = true;
  std::erase(entries_, entry);
  if (!entry->is_running) return;
  lock.unlock();
  if (entry->spec.interrupt) entry->spec.interrupt();
  lock.lock();
  ended_.wait(lock, [&] { return !entry->is_running; });
}

void Jobs::due_by(JobEntry& entry, Instant at) {
  const std::lock_guard lock(mutex_);
  if (entry.is_running) entry.woken_for = std::min(entry.woken_for, at);
  if (at >= entry.due) return;
  entry.due = at;
  ++changes_;
  changed_[place_of(entry.spec.lane)].notify_all();
}

void Jobs::look_again() {
  const std::lock_guard lock(mutex_);
  wake_all();
}

void Jobs::give_way(bool gives_way) {
  const std::lock_guard lock(mutex_);
  if (gives_way_ == gives_way) return;
  gives_way_ = gives_way;
  if (gives_way) return;
  // The rests of jobs end.
  for (const EntryPtr& entry : entries_) {
    if (entry->failures_in_a_row == 0) entry->not_before = Instant::beginning();
  }
  wake_all();
}

bool Jobs::gives_way() const {
  const std::lock_guard lock(mutex_);
  return gives_way_;
}

void Jobs::wake_all() {
  ++changes_;
  for (std::condition_variable& changed : changed_) changed.notify_all();
}

std::vector<JobState> Jobs::states() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobState> states;
  for (const EntryPtr& entry : entries_) {
    states.push_back(entry->state);
    states.back().is_running = entry->is_running;
    states.back().due = entry->due;
  }
  return states;
}

// --- the threads ---

void Jobs::start() {
  if (!threads_.empty()) return;
  for (const JobLane lane : all_lanes) {
    if (lane != JobLane::main) start(lane);
  }
}

void Jobs::start(JobLane lane) {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = false;
  }
  threads_.emplace_back([this, lane] {
    const std::string name(name_of(lane));
    if (lane == JobLane::events || lane == JobLane::evaluation) {
      become_prompt_thread(name.c_str());
    } else {
      become_background_thread(name.c_str());
    }
    keep_running(name.c_str(), [this, lane] { run_lane(lane); });
  });
}

void Jobs::stop() {
  std::vector<EntryPtr> running;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    wake_all();
    std::ranges::copy_if(entries_, std::back_inserter(running), &JobEntry::is_running);
  }
  for (const EntryPtr& entry : running) {
    if (entry->spec.interrupt) entry->spec.interrupt();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

// The time is read without the lock. If a job became due meanwhile, the count of changes differs,
// and the loop begins again.
void Jobs::run_lane(JobLane lane) {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    const std::uint64_t changes = changes_;
    lock.unlock();
    const Instant now = now_();
    lock.lock();
    if (is_stopping_) return;
    const Instant monotonic = monotonic_now();
    if (const EntryPtr entry = next_ready(lane, now, monotonic)) {
      run(lock, entry, now);
      continue;
    }
    if (changes_ != changes) continue;
    const Span wait = time_to_wait(lane, now, monotonic);
    changed_[place_of(lane)].wait_for(lock, std::chrono::microseconds(wait.micros));
  }
}

// The one whose last run began first, so that a job that is always due does not block the others.
Jobs::EntryPtr Jobs::next_ready(JobLane lane, Instant now, Instant monotonic) const {
  EntryPtr next;
  for (const EntryPtr& entry : entries_) {
    if (entry->spec.lane != lane || !entry->is_ready(now, monotonic)) continue;
    if (!next || entry->begun_at < next->begun_at) next = entry;
  }
  return next;
}

Span Jobs::time_to_wait(JobLane lane, Instant now, Instant monotonic) const {
  Span wait = limits::job_sleep_max;
  for (const EntryPtr& entry : entries_) {
    if (entry->spec.lane != lane || entry->is_running) continue;
    // A virtual clock reaches that instant when it is moved, or with the commit that made the job
    // due.
    Span until_due = entry->due.is_never() ? Span::infinite() : entry->due - now;
    if (is_virtual_ && until_due > Span{0} && until_due != Span::infinite()) {
      until_due = std::min(until_due, limits::virtual_clock_looked_at_every);
    }
    if (!entry->run_by.is_never()) until_due = std::min(until_due, entry->run_by - monotonic);
    wait = std::min(wait, std::max(until_due, entry->not_before - monotonic));
  }
  return std::max(wait, Span{0});
}

// The lock is released during the run.
void Jobs::run(std::unique_lock<std::mutex>& lock, const EntryPtr& entry, Instant now) {
  entry->is_running = true;
  entry->begun_at = monotonic_now();
  entry->due = Instant::never();
  entry->run_by = Instant::never();
  entry->woken_for = Instant::never();
  entry->state.last_run = now;
  lock.unlock();
  const Result<NextRun> next =
      run_guarded_job(entry->spec.name, [&] { return run_with_lease(*entry); });
  lock.lock();
  note_end(*entry, next);
  ended_.notify_all();
  if (!next) note_failure(lock, *entry, next.error());
  if (next && !next->failure.empty()) note_failure_within(*entry, next->failure);
}

Result<NextRun> Jobs::run_with_lease(const JobEntry& entry) const {
  if (leases_ == nullptr || entry.spec.lease.empty()) {
    return entry.spec.run(JobRun(*this, entry, 0));
  }
  const Leases::Term term = TRY(leases_->take(entry.spec.lease));
  if (!term.is_ours) return NextRun{.due = term.until};
  return entry.spec.run(JobRun(*this, entry, term.number));
}

// Must not throw: a job that is still marked as running would never run again.
void Jobs::note_end(JobEntry& entry, const Result<NextRun>& next) const {
  const Instant monotonic = monotonic_now();
  entry.is_running = false;
  entry.state.took = monotonic - entry.begun_at;
  ++entry.state.runs;
  if (next) {
    const bool has_rested = next->rests_for_requests && !gives_way_;
    entry.failures_in_a_row = 0;
    entry.state.last_error.clear();
    if (!next->failure.empty()) ++entry.state.failures;
    entry.due = std::min(next->due, entry.woken_for);
    entry.run_by = later_by(monotonic, next->at_latest);
    entry.not_before = has_rested ? Instant::beginning() : monotonic + next->rest;
    return;
  }
  Span rest = limits::job_retry_first;
  for (std::uint64_t i = 0; i < entry.failures_in_a_row && rest < entry.spec.retry_max; ++i) {
    rest.micros *= 2;
  }
  rest = std::min(rest, entry.spec.retry_max);
  ++entry.failures_in_a_row;
  ++entry.state.failures;
  entry.due = entry.woken_for;
  entry.not_before = entry.run_by = monotonic + rest;
}

// Logs the first failure of a series, and then one in limits::job_failures_per_line.
void Jobs::note_failure(std::unique_lock<std::mutex>& lock, JobEntry& entry, const Error& error) {
  try {
    entry.state.last_error = error.message;
    if (entry.failures_in_a_row % limits::job_failures_per_line != 1) return;
    const std::string name = entry.spec.name;
    lock.unlock();
    log(LogLevel::error, "a background job failed", {{"job", name}, {"error", error.message}});
  } catch (const std::exception&) {
    // There is no memory for the log line; the failure has been counted.
  }
  if (!lock.owns_lock()) lock.lock();
}

void Jobs::note_failure_within(JobEntry& entry, const std::string& failure) {
  try {
    entry.state.last_error = failure;
  } catch (const std::exception&) {
    // It has been counted.
  }
}

std::size_t Jobs::run_due() {
  std::size_t runs = 0;
  for (const JobLane lane : all_lanes) runs += run_due_now(lane);
  return runs;
}

std::size_t Jobs::run_due_now(JobLane lane) {
  constexpr Instant no_rest = Instant::never() - Span{1};
  return run_due(lane, no_rest);
}

std::size_t Jobs::run_due(JobLane lane) {
  return run_due(lane, monotonic_now());
}

std::size_t Jobs::run_due(JobLane lane, Instant monotonic) {
  const Instant now = now_();
  std::unique_lock lock(mutex_);
  const std::vector<EntryPtr> entries = entries_;
  std::size_t runs = 0;
  for (const EntryPtr& entry : entries) {
    if (entry->spec.lane != lane || entry->is_removed || !entry->is_ready(now, monotonic)) continue;
    run(lock, entry, now);
    ++runs;
  }
  return runs;
}

}  // namespace mayfly
