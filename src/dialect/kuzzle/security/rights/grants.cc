#include "dialect/kuzzle/security/rights/grants.h"

#include <algorithm>
#include <tuple>

#include "dialect/kuzzle/realtime/notification.h"
#include "dialect/kuzzle/security/rights/rights.h"

namespace mayfly::kuzzle {
namespace {

std::string frame_of(const Error& error) {
  constexpr int forbidden = 403;
  if (error.code == Code::unauthenticated) return realtime::render_token_expired();
  return realtime::render_subscription_ended(forbidden, error.message);
}

}  // namespace

Result<void> check_grant(const ServerContext& shared, const Grant& grant) {
  const Message message{.controller = grant.controller,
                        .action = grant.action,
                        .index = grant.place.index,
                        .collection = grant.place.collection,
                        .token = grant.token};
  return authorize(shared, TRY(authenticate(shared, message)), message);
}

void Grants::opened(realtime::ConnectionId connection, const std::string& room, Grant grant) {
  const std::lock_guard lock(mutex_);
  if (grant.ends_at < earliest_.load()) earliest_ = grant.ends_at;
  Rooms& rooms = by_connection_[connection];
  const bool is_shared = !rooms.empty() && *rooms.begin()->second.grant == grant;
  GrantPtr held =
      is_shared ? rooms.begin()->second.grant : std::make_shared<const Grant>(std::move(grant));
  rooms[room] = {std::move(held), next_number_++};
}

void Grants::closed(realtime::ConnectionId connection, const std::string& room) {
  const std::lock_guard lock(mutex_);
  if (const auto of = by_connection_.find(connection); of != by_connection_.end()) {
    of->second.erase(room);
  }
}

void Grants::disconnect(realtime::ConnectionId connection) {
  const std::lock_guard lock(mutex_);
  by_connection_.erase(connection);
}

void Grants::move(realtime::ConnectionId connection, const std::string& token, Instant ends_at) {
  const std::lock_guard lock(mutex_);
  const auto of = by_connection_.find(connection);
  if (of == by_connection_.end()) return;
  GrantPtr last;
  for (auto& [room, held] : of->second) set_token(held, token, ends_at, last);
  if (ends_at < earliest_.load()) earliest_ = ends_at;
}

void Grants::replace_token(const std::string& token, const std::string& by, Instant ends_at) {
  const std::lock_guard lock(mutex_);
  for (auto& [connection, rooms] : by_connection_) {
    GrantPtr last;
    for (auto& [room, held] : rooms) {
      if (held.grant->token == token) set_token(held, by, ends_at, last);
    }
  }
  if (ends_at < earliest_.load()) earliest_ = ends_at;
}

void Grants::set_token(NumberedGrant& held, const std::string& token, Instant ends_at,
                       GrantPtr& last) {
  Grant grant = *held.grant;
  grant.token = token;
  grant.ends_at = ends_at;
  if (last == nullptr || *last != grant) last = std::make_shared<const Grant>(std::move(grant));
  held = {last, next_number_++};
}

void Grants::leave(realtime::ConnectionId connection, const std::string& token) {
  for (const ListedGrant& listed : list({connection, token})) {
    if (!take(listed)) continue;
    (void)realtime_.unsubscribe(connection, {}, listed.room);
  }
}

std::vector<Grants::ListedGrant> Grants::list(const GrantSelection& which) const {
  const std::lock_guard lock(mutex_);
  std::vector<ListedGrant> all;
  for (const auto& [of, rooms] : by_connection_) {
    if (which.connection && of != *which.connection) continue;
    for (const auto& [room, held] : rooms) {
      if (which.token && held.grant->token != *which.token) continue;
      all.push_back({of, room, held});
    }
  }
  return all;
}

bool Grants::take(const ListedGrant& listed) {
  const std::lock_guard lock(mutex_);
  const auto of = by_connection_.find(listed.connection);
  if (of == by_connection_.end()) return false;
  const auto found = of->second.find(listed.room);
  if (found == of->second.end() || found->second.number != listed.held.number) return false;
  of->second.erase(found);
  return true;
}

void Grants::recheck(const ServerContext& shared, const GrantSelection& which) {
  // Many subscriptions share one right: it is checked once.
  using Right = std::tuple<std::string, std::string, realtime::CollectionName>;
  std::map<Right, Result<void>> known;
  for (const ListedGrant& listed : list(which)) {
    const Grant& grant = *listed.held.grant;
    const Right right{grant.token, grant.action, grant.place};
    auto found = known.find(right);
    if (found == known.end()) found = known.emplace(right, check_grant(shared, grant)).first;
    const Result<void>& holds = found->second;
    if (holds || !take(listed)) continue;
    realtime_.end(listed.connection, listed.room, frame_of(holds.error()));
  }
}

std::size_t Grants::end_expired(Instant now) {
  std::vector<ListedGrant> due;
  Instant earliest = Instant::never();
  {
    const std::lock_guard lock(mutex_);
    for (auto& [connection, rooms] : by_connection_) {
      for (auto one = rooms.begin(); one != rooms.end();) {
        if (one->second.grant->ends_at > now) {
          earliest = std::min(earliest, one->second.grant->ends_at);
          ++one;
          continue;
        }
        due.push_back({connection, one->first, std::move(one->second)});
        one = rooms.erase(one);
      }
    }
    earliest_ = earliest;
  }
  for (const ListedGrant& listed : due) {
    realtime_.end(listed.connection, listed.room, realtime::render_token_expired());
  }
  return due.size();
}

}  // namespace mayfly::kuzzle
