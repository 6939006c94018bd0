#include "script/pool.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/thread.h"

namespace mayfly::script {

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  needed_.notify_all();
  if (starter_.joinable()) starter_.join();
}

// There should be one new process more than waiting threads.
bool Pool::needs_new() const {
  return new_.size() <= waiting_;
}

void Pool::start_processes() {
  Lock lock(mutex_);
  for (;;) {
    needed_.wait(lock, [this] { return is_over_ || needs_new(); });
    if (is_over_) return;
    lock.unlock();
    auto process = Process::start();
    lock.lock();
    // A failure is reported to waiting requests; for the spare process there are none.
    const bool is_of_use = process || waiting_ > 0;
    if (is_of_use) new_.push_back(std::move(process));
    started_.notify_all();
    if (!is_of_use) needed_.wait(lock, [this] { return is_over_ || waiting_ > 0; });
  }
}

Result<Process> Pool::wait_for_new(Lock& lock, Instant stop_at) {
  if (!starter_.joinable()) {
    starter_ =
        std::thread([this] { keep_running("script starter", [this] { start_processes(); }); });
  }
  ++waiting_;
  needed_.notify_one();
  Result<void> goes_on;
  while (new_.empty() && goes_on) {
    started_.wait_for(lock, std::chrono::microseconds(look_every.micros));
    goes_on = check_goes_on(stop_at);
  }
  --waiting_;
  if (new_.empty()) return tl::unexpected(goes_on.error());
  auto process = std::move(new_.front());
  new_.pop_front();
  // A failure is reported only to requests that waited for it.
  if (waiting_ == 0) std::erase_if(new_, [](const Result<Process>& other) { return !other; });
  needed_.notify_one();
  return process;
}

std::optional<Process> Pool::take_kept(std::string_view scope) {
  const auto own = std::find_if(kept_.rbegin(), kept_.rend(),
                                [scope](const Process& kept) { return kept.scope == scope; });
  if (own == kept_.rend()) return std::nullopt;
  std::optional<Process> process = std::move(*own);
  kept_.erase(std::next(own).base());
  return process;
}

Result<Process> Pool::take_process(std::string_view scope, Instant stop_at) {
  Lock lock(mutex_);
  if (in_use_ + waiting_ >= options_.processes_max) {
    return fail(Code::throttled, "More scripts run than may at once (script_processes_max, " +
                                     std::to_string(options_.processes_max) + ").");
  }
  std::optional<Process> kept = take_kept(scope);
  auto process = kept ? Result<Process>(*std::move(kept)) : wait_for_new(lock, stop_at);
  if (process) ++in_use_;
  return process;
}

Result<std::unique_ptr<Sandbox>> Pool::take(std::string_view scope, Instant stop_at) {
  for (;;) {
    Process process = TRY(take_process(scope, stop_at));
    process.scope = scope;
    // If an idle process was killed from outside, that is not the fault of this script.
    if (process.channel().is_open()) {
      return std::make_unique<Sandbox>(*this, std::move(process), stop_at);
    }
    process.end();
    give_back(std::move(process), false);
  }
}

void Pool::give_back(Process process, bool is_usable) {
  std::vector<Process> ended;  // destroyed, and waited for, without the lock
  const std::lock_guard lock(mutex_);
  --in_use_;
  if (!is_usable || process.worked > options_.worked_max || options_.kept_max == 0) {
    ended.push_back(std::move(process));
    return;
  }
  if (kept_.size() >= options_.kept_max) {
    ended.push_back(std::move(kept_.front()));
    kept_.pop_front();
  }
  kept_.push_back(std::move(process));
}

}  // namespace mayfly::script
