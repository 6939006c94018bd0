// Delivery: sends one event to its subscribers. The event is rendered once for each generation of
// the API, however many rooms it goes to. The lock on the rooms is held only to find the
// subscribers. Private to the folder. Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialect/kuzzle/realtime/state.h"
#include "net/streams/shared_text.h"

namespace mayfly::kuzzle::realtime {

// A notification without its end, in the generations of its subscribers.
class RenderedNotification {
 public:
  using Render = std::function<std::string(const Generation&)>;
  explicit RenderedNotification(Render render) : render_(std::move(render)) {}
  const net::SharedText& in(const Generation& generation);

 private:
  const Render render_;
  std::map<const Generation*, net::SharedText> texts_;
};

class Delivery {
 public:
  explicit Delivery(Realtime::State& state) : state_(state) {}
  // Sends to all members of these rooms that `wants` accepts. A connection that accepts no more, or
  // gets more than realtime_event_bytes_max of this event, gets nothing further.
  void send(const std::vector<std::string>& rooms, const Rooms::Wants& wants,
            RenderedNotification& text);

 private:
  void send(const ChannelRecipients& to, RenderedNotification& text);
  bool takes(const Recipient& recipient, std::size_t bytes);

  Realtime::State& state_;
  std::unordered_map<ConnectionId, std::size_t> sent_bytes_;
  std::unordered_set<ConnectionId> lost_;
};

}  // namespace mayfly::kuzzle::realtime
