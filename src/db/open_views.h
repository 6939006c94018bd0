// The nows of the views that are open: compaction must not drop what one of them may still read.
#pragma once

#include <mutex>
#include <set>

#include "base/clock.h"

namespace mayfly {

// Threads: any.
class OpenViews {
 public:
  // Counts a view in for as long as it lives.
  class Token {
   public:
    Token() = default;
    Token(OpenViews& views, Instant now) : views_(&views), now_(now) {
      const std::lock_guard lock(views.mutex_);
      views.nows_.insert(now);
    }
    Token(const Token&) = delete;
    Token& operator=(const Token&) = delete;
    ~Token() {
      if (views_ == nullptr) return;
      const std::lock_guard lock(views_->mutex_);
      views_->nows_.erase(views_->nows_.find(now_));
    }

   private:
    OpenViews* views_ = nullptr;
    Instant now_;
  };

  // The now of the oldest open view; never() if none is open.
  Instant oldest() const {
    const std::lock_guard lock(mutex_);
    return nows_.empty() ? Instant::never() : *nows_.begin();
  }

 private:
  mutable std::mutex mutex_;
  std::multiset<Instant> nows_;
};

}  // namespace mayfly
