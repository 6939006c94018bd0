#include "app/server/shutdown_timeout.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "base/service/logging.h"

namespace mayfly::app {

ShutdownTimeout::ShutdownTimeout(Span time_max) : thread_([this, time_max] { wait(time_max); }) {}

ShutdownTimeout::~ShutdownTimeout() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ShutdownTimeout::wait(Span time_max) {
  std::unique_lock lock(mutex_);
  const std::chrono::microseconds time(time_max.micros);
  if (changed_.wait_for(lock, time, [this] { return is_over_; })) return;
  log(LogLevel::warn, "the server ended while a request was still running",
      {{"waited_seconds", time_max.whole_seconds()}});
  _exit(EXIT_SUCCESS);
}

}  // namespace mayfly::app
