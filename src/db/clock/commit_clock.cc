#include "db/clock/commit_clock.h"

#include <algorithm>

#include "base/check.h"

namespace mayfly {

Instant CommitClock::closed() {
  const Instant wall = clock_.now();
  const std::lock_guard lock(mutex_);
  Instant now = std::max(wall, latest_);
  if (!under_way_.is_never()) now = std::min(now, under_way_ - Span{1});
  latest_ = std::max(latest_, now);
  return now;
}

Instant CommitClock::begin_commit(Instant at_least) {
  const Instant wall = std::max(clock_.now(), at_least);
  const std::lock_guard lock(mutex_);
  CHECK(under_way_.is_never());
  under_way_ = std::max(wall, latest_ + Span{1});
  return under_way_;
}

void CommitClock::end_commit() {
  const std::lock_guard lock(mutex_);
  latest_ = under_way_;
  under_way_ = Instant::never();
}

void CommitClock::give_up_commit() {
  const Instant wall = clock_.now();
  const std::lock_guard lock(mutex_);
  latest_ = std::min(under_way_, std::max(wall, latest_ + Span{1}));
  under_way_ = Instant::never();
}

void CommitClock::raise(Instant floor) {
  const std::lock_guard lock(mutex_);
  latest_ = std::max(latest_, floor);
}

Instant CommitClock::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

CommitClock::Distance CommitClock::distance() const {
  const Instant wall = clock_.now();
  const std::lock_guard lock(mutex_);
  const Span behind = under_way_.is_never() ? Span{0} : wall - under_way_;
  return {.ahead = std::max(Span{0}, latest_ - wall), .behind = std::max(Span{0}, behind)};
}

}  // namespace mayfly
