#include "dialect/cosmos/scripts/watchdog.h"

#include <algorithm>
#include <chrono>

#include "base/thread.h"

namespace mayfly::cosmos {
namespace {

// How far a script can get past a bound: a loop that makes objects makes a few megabytes in it.
constexpr auto interval = std::chrono::milliseconds(5);

}  // namespace

Watchdog& Watchdog::get() {
  static Watchdog watchdog;
  return watchdog;
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch(void* context, Interrupt interrupt) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { keep_running("script watchdog", [this] { run(); }); });
  }
  watched_.push_back({context, interrupt});
  if (watched_.size() == 1) changed_.notify_all();
}

void Watchdog::forget(void* context) {
  const std::lock_guard lock(mutex_);
  const auto one = std::find_if(watched_.begin(), watched_.end(),
                                [context](const Watched& w) { return w.context == context; });
  if (one != watched_.end()) watched_.erase(one);
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (watched_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, interval);
    }
    for (const Watched& one : watched_) one.interrupt(one.context);
  }
}

}  // namespace mayfly::cosmos
