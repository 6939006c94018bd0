// Readiness: the answer of /ready, whether requests should be sent to this server.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "db/clock/commit_clock.h"
#include "net/server.h"
#include "store/store.h"

namespace mayfly::app {

// Threads: check() and is_in_time() any. The others one; set_clock_distance() before the first of
// these calls.
class Readiness {
 public:
  // A flush takes a busy disk milliseconds, and a broken one seconds or longer.
  explicit Readiness(store::Store& store, Span flush_time_max = Span::seconds(5))
      : store_(store), flush_time_max_(flush_time_max) {}

  // Fails, with the reason, if the server is not ready: it does not serve yet or no longer, the
  // store accepts no writes, the disk does not respond, or its time is too far from the clock's.
  Result<void> check() const;
  // Fails with throttled while a commit has been in progress for so long that the `now` of readers
  // is further behind the clock than answers may be.
  Result<void> is_in_time() const;
  void set_clock_distance(std::function<CommitClock::Distance()> distance) {
    distance_ = std::move(distance);
  }
  void serves(const net::Server& server) { server_ = &server; }
  void stops() { is_stopping_ = true; }

 private:
  store::Store& store_;
  const Span flush_time_max_;
  std::function<CommitClock::Distance()> distance_;
  std::atomic<const net::Server*> server_ = nullptr;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace mayfly::app
