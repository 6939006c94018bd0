// HeldAnswers: answers that wait until their connection has been sent the notifications of what its
// own requests wrote, so that these come first. Nothing waits for them but the connection's later
// answers: whatever keeps a notification back lets the answer go, and so does time.
//
// Private to realtime/, but for Realtime's callers through Realtime. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle::realtime {

class HeldAnswers {
 public:
  // Sends an answer; it may neither wait nor call back.
  using Send = std::function<void()>;

  // The connection's request has committed something of which it may be sent a notification.
  void wrote(ConnectionId connection, const CollectionName& name, Instant committed_at);
  // It has said what is kept nowhere, as the publication of that number.
  void said(ConnectionId connection, std::uint64_t number);

  // Whether an answer of the connection would wait.
  bool holds(ConnectionId connection) const;
  // False where it would not, or where too much waits already: then `send` is the caller's to call,
  // and what has waited has been sent before. `now`: on the scale of monotonic_now().
  bool hold(ConnectionId connection, std::size_t bytes, Instant now, Send send);

  // Notifications of these have been sent, or will not be.
  void notified(const CollectionName& name, Instant through);
  void notified_said(std::uint64_t through);
  // Nothing is known of other collections.
  void notified_all_but(const std::set<CollectionName>& followed);
  // Those that have waited for limits::realtime_answer_held_for.
  void release_overdue(Instant now);
  void forget(ConnectionId connection);

 private:
  // What an answer waits for.
  struct Awaited {
    std::map<CollectionName, Instant> commits;
    std::uint64_t said = 0;  // 0: nothing

    bool is_empty() const { return commits.empty() && said == 0; }
  };
  struct Held {
    Awaited awaited;
    std::size_t bytes = 0;
    Instant since;
    Send send;
  };
  struct Connection {
    Awaited next;  // of the answer to come
    std::deque<Held> answers;
    std::size_t bytes = 0;  // of these
  };
  using Connections = std::map<ConnectionId, Connection>;

  // All with `mutex_`.
  template <class Change>
  void change_awaited(const Change& change);
  void send_first(Connection& connection);
  // Sends what waits for nothing any more. Gives the next connection.
  Connections::iterator release(Connections::iterator found);

  mutable std::mutex mutex_;
  Connections connections_;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> waiting_ = 0;  // connections, so that most callers need no lock
};

}  // namespace mayfly::kuzzle::realtime
