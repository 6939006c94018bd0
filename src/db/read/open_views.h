// The nows of the open views: compaction must not drop rows that an open view may still read.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "base/clock.h"
#include "db/clock/commit_clock.h"

namespace mayfly {

// Threads: any.
class OpenViews {
 public:
  explicit OpenViews(CommitClock& clock) : clock_(clock) {}

  // Registers a view for as long as it lives. Must be taken before the view's now is read.
  class Unregister {
   public:
    void operator()(OpenViews* views) const {
      const std::lock_guard lock(views->mutex_);
      views->nows_.erase(views->nows_.find(now));
    }
    Instant now;
  };
  using Token = std::unique_ptr<OpenViews, Unregister>;

  Token enter() {
    const std::lock_guard lock(mutex_);
    const Instant now = clock_.latest();
    nows_.insert(now);
    return Token(this, Unregister{now});
  }

  // The instant before which no open or future view reads any more: a view that enters later reads
  // a now that is not earlier than the closed instant.
  Instant horizon() const {
    const std::lock_guard lock(mutex_);
    const Instant closed = clock_.closed();
    return nows_.empty() ? closed : std::min(closed, *nows_.begin());
  }

 private:
  CommitClock& clock_;
  mutable std::mutex mutex_;
  std::multiset<Instant> nows_;
};

}  // namespace mayfly
