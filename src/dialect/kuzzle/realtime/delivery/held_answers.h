// HeldAnswers: delays answers until their connection has been sent the notifications of its own
// writes, so that these come first. Only later answers of the same connection wait for a held one.
// An answer is released when its notifications were sent, when they will not be sent, or after a
// time limit.
//
// Private to realtime/; other callers use it through Realtime. Threads: any.
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
  // Sends an answer. It must neither block nor call this object.
  using Send = std::function<void()>;

  // A request of the connection has committed a write that may notify this connection.
  void wrote(ConnectionId connection, const CollectionName& name, Instant committed_at);
  // The connection has published the transient event of that number.
  void published(ConnectionId connection, std::uint64_t number);

  // Whether an answer of the connection would be held.
  bool holds(ConnectionId connection) const;
  // Holds an answer. Returns false if there is nothing to wait for, or if too much is held already;
  // then the caller sends it, and the answers held before were sent. `now`: on the scale of
  // monotonic_now().
  bool hold(ConnectionId connection, std::size_t bytes, Instant now, Send send);

  // The notifications up to this point have been sent, or will not be.
  void notified(const CollectionName& name, Instant through);
  void notified_transient(std::uint64_t through);
  // No other collections have notifications to wait for.
  void notified_all_but(const std::set<CollectionName>& followed);
  // Releases answers that were held for limits::realtime_answer_held_for.
  void release_overdue(Instant now);
  void forget(ConnectionId connection);

 private:
  // What an answer waits for.
  struct Awaited {
    std::map<CollectionName, Instant> commits;
    std::uint64_t published = 0;  // 0: nothing

    bool is_empty() const { return commits.empty() && published == 0; }
  };
  struct HeldAnswer {
    Awaited awaited;
    std::size_t bytes = 0;
    Instant since;
    Send send;
  };
  struct Connection {
    Awaited next;  // for the next answer
    std::deque<HeldAnswer> answers;
    std::size_t bytes = 0;  // of these
  };
  using Connections = std::map<ConnectionId, Connection>;

  // All these require `mutex_`.
  template <class Change>
  void change_awaited(const Change& change);
  void send_first(Connection& connection);
  // Sends the answers that wait for nothing any more. Returns the next connection.
  Connections::iterator release(Connections::iterator found);

  mutable std::mutex mutex_;
  Connections connections_;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> waiting_ = 0;  // number of connections; lets most callers avoid the lock
};

}  // namespace mayfly::kuzzle::realtime
