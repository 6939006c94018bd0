// ShutdownTimeout: exits the process if an orderly shutdown takes too long.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"

namespace mayfly::app {

// Created when the shutdown begins. Unless it is destroyed within `time_max`, the process exits
// immediately, successfully and with a log line. No acknowledged write is lost: those are on disk
// at any instant.
class ShutdownTimeout {
 public:
  explicit ShutdownTimeout(Span time_max);
  ~ShutdownTimeout();
  ShutdownTimeout(const ShutdownTimeout&) = delete;
  ShutdownTimeout& operator=(const ShutdownTimeout&) = delete;

 private:
  void wait(Span time_max);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace mayfly::app
