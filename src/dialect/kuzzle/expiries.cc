#include "dialect/kuzzle/expiries.h"

#include <algorithm>
#include <vector>

namespace mayfly::kuzzle {

void Expiries::listens(realtime::ConnectionId connection, Instant token_ends_at) {
  const std::lock_guard lock(mutex_);
  ends_[connection] = token_ends_at;
  if (token_ends_at < earliest_.load()) earliest_ = token_ends_at;
}

void Expiries::has_left(realtime::ConnectionId connection) {
  const std::lock_guard lock(mutex_);
  ends_.erase(connection);
}

std::size_t Expiries::run_due(Instant now) {
  std::vector<realtime::ConnectionId> due;
  {
    const std::lock_guard lock(mutex_);
    Instant earliest = Instant::never();
    for (auto one = ends_.begin(); one != ends_.end();) {
      if (one->second > now) {
        earliest = std::min(earliest, one->second);
        ++one;
        continue;
      }
      due.push_back(one->first);
      one = ends_.erase(one);
    }
    earliest_ = earliest;
  }
  for (const auto connection : due) realtime_.expire(connection);
  return due.size();
}

}  // namespace mayfly::kuzzle
