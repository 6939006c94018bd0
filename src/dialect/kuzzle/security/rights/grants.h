// Grants: by what right each connection listens to a room. A subscription lives as long as the
// right it was opened with: it ends with its token, and when its user may no longer listen there.
// An action that changes rights calls recheck() after the commit.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

struct Shared;

// The right that something lasting was begun with: a subscription, or an export.
struct Grant {
  std::string token;  // empty: of a client that has not logged in
  Instant ends_at = Instant::never();
  std::string controller;
  std::string action;
  realtime::CollectionName place;
};
// Whether the grant holds still. Fails with unauthenticated where its token counts no more, with
// forbidden where its user may not.
Result<void> check_grant(const Shared& shared, const Grant& grant);

// Threads: any.
class Grants {
 public:
  explicit Grants(realtime::Realtime& realtime) : realtime_(realtime) {}

  // A connection listens to a room by that right from now on; the last one counts.
  void opened(realtime::ConnectionId connection, const std::string& room, Grant grant);
  void closed(realtime::ConnectionId connection, const std::string& room);
  void has_left(realtime::ConnectionId connection);

  // The connection has logged in: all its subscriptions go on by that token.
  void move(realtime::ConnectionId connection, const std::string& token, Instant ends_at);
  // A token was exchanged for another one, whichever connections use it.
  void exchange(const std::string& token, const std::string& by, Instant ends_at);
  // The connection has logged out: it leaves what it listens to by that token, and is told nothing.
  void leave(realtime::ConnectionId connection, const std::string& token);

  // Those of one connection, or by one token, or all.
  struct Which {
    std::optional<realtime::ConnectionId> connection = {};
    std::optional<std::string> token = {};
  };
  // Ends the subscriptions whose rights hold no more; their clients learn why. Of many it takes
  // long: it is not for event loops.
  void recheck(const Shared& shared, const Which& which);
  // Ends those whose tokens have ended; gives how many.
  std::size_t run_due(Instant now);
  // Whether a token has ended by that time. Cheap.
  bool is_due(Instant now) const { return now >= earliest_.load(std::memory_order_relaxed); }

 private:
  struct Held {
    Grant grant;
    std::uint64_t number = 0;
  };
  using Rooms = std::map<std::string, Held>;
  struct Listed {
    realtime::ConnectionId connection;
    std::string room;
    Held held;
  };
  std::vector<Listed> list(const Which& which) const;
  // False where the subscription goes on by another right meanwhile.
  bool take(const Listed& listed);

  realtime::Realtime& realtime_;
  mutable std::mutex mutex_;
  std::map<realtime::ConnectionId, Rooms> by_connection_;
  std::uint64_t next_number_ = 1;
  std::atomic<Instant> earliest_ = Instant::never();  // may be too early
};

}  // namespace mayfly::kuzzle
