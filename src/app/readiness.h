// What /ready tells: whether requests should be sent here.
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

// Threads: ask() any; the others one.
class Readiness {
 public:
  // A busy disk takes milliseconds for a flush, a broken one seconds or for ever.
  explicit Readiness(store::Store& store, Span flush_time_max = Span::seconds(5))
      : store_(store), flush_time_max_(flush_time_max) {}

  // Fails with why it is not ready: it does not serve yet or any more, the store takes no writes,
  // the disk does not answer, or its time is too far from the clock's.
  Result<void> ask() const;
  // Fails with throttled while a commit has been under way for so long that readers' now is further
  // behind the clock than answers may be.
  Result<void> is_in_time() const;
  void compares_clocks(std::function<CommitClock::Distance()> distance) {
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
