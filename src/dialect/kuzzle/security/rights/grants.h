// Grants: the right under which each connection subscribes to a room. A subscription ends with the
// token that it was opened with, and when its user loses the right. An action that changes rights
// calls recheck() after the commit.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

struct ServerContext;

// The right under which a subscription or an export was started.
struct Grant {
  std::string token;  // empty: of a client that has not logged in
  Instant ends_at = Instant::never();
  std::string controller;
  std::string action;
  realtime::CollectionName place;
  bool operator==(const Grant&) const = default;
};
// Checks that the grant is still valid. Fails with unauthenticated if its token is not valid any
// more, with forbidden if its user lost the right.
Result<void> check_grant(const ServerContext& shared, const Grant& grant);

// Threads: any.
class Grants {
 public:
  explicit Grants(realtime::Realtime& realtime) : realtime_(realtime) {}

  // A connection is subscribed to a room under that grant from now on; it replaces an earlier one.
  void opened(realtime::ConnectionId connection, const std::string& room, Grant grant);
  void closed(realtime::ConnectionId connection, const std::string& room);
  void disconnect(realtime::ConnectionId connection);

  // The connection has logged in: all its subscriptions continue with that token.
  void move(realtime::ConnectionId connection, const std::string& token, Instant ends_at);
  // A token was replaced by another one: its subscriptions on all connections continue with the new
  // one.
  void replace_token(const std::string& token, const std::string& by, Instant ends_at);
  // The connection has logged out: its subscriptions under that token end, without a notification.
  void leave(realtime::ConnectionId connection, const std::string& token);

  // The grants of one connection, or of one token, or all.
  struct GrantSelection {
    std::optional<realtime::ConnectionId> connection = {};
    std::optional<std::string> token = {};
  };
  // Ends the subscriptions whose grants are not valid any more; their clients are sent the reason.
  // Takes long if there are many: not for event loops.
  void recheck(const ServerContext& shared, const GrantSelection& which);
  // Ends the subscriptions whose tokens have expired; returns their number.
  std::size_t end_expired(Instant now);
  // Whether a token may have expired by that time. Cheap.
  bool is_due(Instant now) const { return now >= earliest_.load(std::memory_order_relaxed); }

 private:
  using GrantPtr = std::shared_ptr<const Grant>;
  struct NumberedGrant {
    GrantPtr grant;  // most rooms of a connection share one
    std::uint64_t number = 0;
  };
  using Rooms = std::map<std::string, NumberedGrant>;
  struct ListedGrant {
    realtime::ConnectionId connection;
    std::string room;
    NumberedGrant held;
  };
  // Gives the grant another token. `last`: the grant that was made before; it is shared if equal.
  void set_token(NumberedGrant& held, const std::string& token, Instant ends_at, GrantPtr& last);
  std::vector<ListedGrant> list(const GrantSelection& which) const;
  // Removes the grant. False if another grant has replaced it meanwhile.
  bool take(const ListedGrant& listed);

  realtime::Realtime& realtime_;
  mutable std::mutex mutex_;
  std::map<realtime::ConnectionId, Rooms> by_connection_;
  std::uint64_t next_number_ = 1;
  std::atomic<Instant> earliest_ = Instant::never();  // a lower bound
};

}  // namespace mayfly::kuzzle
