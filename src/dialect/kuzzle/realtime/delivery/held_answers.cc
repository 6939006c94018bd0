#include "dialect/kuzzle/realtime/delivery/held_answers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dialect/kuzzle/realtime/limits.h"
#include "dialect/kuzzle/realtime/state.h"

namespace mayfly::kuzzle::realtime {

void HeldAnswers::wrote(ConnectionId connection, const CollectionName& name, Instant committed_at) {
  const std::lock_guard lock(mutex_);
  Instant& awaited = connections_[connection].next.commits[name];
  awaited = std::max(awaited, committed_at);
  waiting_ = connections_.size();
}

void HeldAnswers::published(ConnectionId connection, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  connections_[connection].next.published = number;
  waiting_ = connections_.size();
}

bool HeldAnswers::holds(ConnectionId connection) const {
  if (waiting_ == 0) return false;
  const std::lock_guard lock(mutex_);
  return connections_.contains(connection);
}

bool HeldAnswers::hold(ConnectionId connection, std::size_t bytes, Instant now, Send send) {
  const std::lock_guard lock(mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return false;
  Connection& of = found->second;
  const bool is_too_much = of.answers.size() >= limits::realtime_answers_held_max ||
                           of.bytes + bytes > limits::realtime_connection_answers_held_bytes_max ||
                           bytes_ + bytes > limits::realtime_answers_held_bytes_max;
  if (is_too_much) {
    while (!of.answers.empty()) send_first(of);
    connections_.erase(found);
    waiting_ = connections_.size();
    return false;
  }
  bytes_ += bytes;
  of.bytes += bytes;
  of.answers.push_back({std::exchange(of.next, {}), bytes, now, std::move(send)});
  return true;
}

void HeldAnswers::send_first(Connection& connection) {
  bytes_ -= connection.answers.front().bytes;
  connection.bytes -= connection.answers.front().bytes;
  connection.answers.front().send();
  connection.answers.pop_front();
}

HeldAnswers::Connections::iterator HeldAnswers::release(Connections::iterator found) {
  Connection& connection = found->second;
  while (!connection.answers.empty() && connection.answers.front().awaited.is_empty()) {
    send_first(connection);
  }
  const bool is_done = connection.answers.empty() && connection.next.is_empty();
  return is_done ? connections_.erase(found) : std::next(found);
}

template <class Change>
void HeldAnswers::change_awaited(const Change& change) {
  if (waiting_ == 0) return;
  const std::lock_guard lock(mutex_);
  for (auto at = connections_.begin(); at != connections_.end(); at = release(at)) {
    change(at->second.next);
    for (HeldAnswer& held : at->second.answers) change(held.awaited);
  }
  waiting_ = connections_.size();
}

void HeldAnswers::notified(const CollectionName& name, Instant through) {
  change_awaited([&](Awaited& awaited) {
    const auto found = awaited.commits.find(name);
    if (found != awaited.commits.end() && found->second <= through) awaited.commits.erase(found);
  });
}

void HeldAnswers::notified_transient(std::uint64_t through) {
  change_awaited([&](Awaited& awaited) {
    if (awaited.published <= through) awaited.published = 0;
  });
}

void HeldAnswers::notified_all_but(const std::set<CollectionName>& followed) {
  change_awaited([&](Awaited& awaited) {
    std::erase_if(awaited.commits, [&](const auto& one) { return !followed.contains(one.first); });
  });
}

void HeldAnswers::release_overdue(Instant now) {
  if (waiting_ == 0) return;
  const std::lock_guard lock(mutex_);
  for (auto at = connections_.begin(); at != connections_.end(); at = release(at)) {
    for (HeldAnswer& held : at->second.answers) {
      if (now - held.since >= limits::realtime_answer_held_for) held.awaited = {};
    }
  }
  waiting_ = connections_.size();
}

void HeldAnswers::forget(ConnectionId connection) {
  const std::lock_guard lock(mutex_);
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  bytes_ -= found->second.bytes;
  connections_.erase(found);
  waiting_ = connections_.size();
}

bool Realtime::holds_answers(ConnectionId connection) const {
  return state_->held.holds(connection);
}

bool Realtime::hold_answer(ConnectionId connection, std::size_t bytes, std::function<void()> send) {
  return state_->held.hold(connection, bytes, monotonic_now(), std::move(send));
}

}  // namespace mayfly::kuzzle::realtime
