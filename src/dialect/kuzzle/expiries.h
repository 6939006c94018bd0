// The tokens of those who listen: when one ends, its connection is told so and leaves its rooms.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

// Threads: any.
class Expiries {
 public:
  explicit Expiries(realtime::Realtime& realtime) : realtime_(realtime) {}

  // The connection listens on behalf of a token that ends then. Of several the last one counts.
  void listens(realtime::ConnectionId connection, Instant token_ends_at);
  void has_left(realtime::ConnectionId connection);
  // Tells those whose tokens have ended; gives how many.
  std::size_t run_due(Instant now);
  // Whether there is somebody to be told at that time. Cheap.
  bool is_due(Instant now) const { return now >= earliest_.load(std::memory_order_relaxed); }

 private:
  realtime::Realtime& realtime_;
  std::mutex mutex_;
  std::map<realtime::ConnectionId, Instant> ends_;
  std::atomic<Instant> earliest_ = Instant::never();  // may be too early
};

}  // namespace mayfly::kuzzle
