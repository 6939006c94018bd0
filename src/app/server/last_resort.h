// LastResort: ends the process where an orderly end takes too long.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"

namespace mayfly::app {

// From its beginning an orderly end has so much time; unless it is destroyed by then, the process
// exits at once, successfully and with a log line. Everything that was acknowledged is on disk at
// any instant.
class LastResort {
 public:
  explicit LastResort(Span time_max);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

 private:
  void wait(Span time_max);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace mayfly::app
