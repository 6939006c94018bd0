// EventTurn: sends the subscribers of one source their events of one round of the hub: a page each,
// so that one with a long backlog does not delay the others. Private to the hub.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dialect/common/events/stream.h"
#include "dialect/common/limits.h"

namespace mayfly {

struct Channel;

struct Subscriber {
  std::uint64_t number = 0;
  Subscription asked;
  Channel* channel = nullptr;
  Instant ends_at = {};  // by the hub's clock, as is `sent_at`
  Instant sent_at = {};
  bool is_at_head = false;
  EventPosition at = {};  // its position, if it is not at the head
  bool awaits_client = false;

  bool has_more() const { return !awaits_client && !is_at_head; }
};

// The subscribers of one source.
struct Channel {
  std::shared_ptr<EventSource> source;
  std::set<CollectionId> collections = {};
  std::map<std::uint64_t, Subscriber*> members = {};
  std::set<CollectionId> due = {};  // collections that may have events after the head
  bool is_slow = false;             // its last turn took longer than limits::stream_quick_turn_max
  std::uint64_t served_in = 0;      // the last round in which it was served
  std::uint64_t first = 0;  // the member that is served first: the last turn ended before it
};

class EventTurn {
 public:
  struct Round {
    EventPosition head;  // subscribers at the head were sent everything up to it
    EventPosition end;   // everything up to it can be read
    Instant now;         // by the hub's clock
    Span time_max = limits::stream_turn_max;  // for reading and filters
  };
  // Makes the function that is called when a subscriber's client has read everything sent.
  using Ready = std::function<std::function<void()>(std::uint64_t number)>;
  EventTurn(const Round& round, Ready ready) : round_(round), ready_(std::move(ready)) {}

  // Sends the next page, or as much of it as the client accepts. False if the stream is known to
  // have ended.
  bool send_next(Subscriber& subscriber);
  // Whether reading and filters have used the time of the turn. Subscribers that need more of
  // either wait for the next turn.
  bool is_spent() const { return taken() >= round_.time_max; }
  Span taken() const { return {reading_.micros + filtering_.micros}; }

 private:
  using PagePtr = std::shared_ptr<const EventPage>;
  Result<PagePtr> read(const Subscriber& subscriber);
  Result<PagePtr> read_timed(const Subscriber& subscriber, const EventPosition& after);
  bool send_page(Subscriber& subscriber, const EventPage& page);
  bool send_pieces(Subscriber& subscriber, const EventPage& page, std::string& text);
  bool send(Subscriber& subscriber, std::string& text) const;
  Result<bool> wants(const Subscription& asked, const EventPiece& piece);

  const Round round_;
  const Ready ready_;
  std::optional<Result<PagePtr>> head_page_;        // for subscribers at the head
  std::map<EventPosition, Result<PagePtr>> pages_;  // by the position before them
  Span reading_{0};
  Span filtering_{0};
};

// Sends the subscription's last text (Subscription::final_text), if it has one and the stream is
// open. The caller ends the stream.
void say_farewell(const Subscription& subscription, std::string_view reason);

}  // namespace mayfly
