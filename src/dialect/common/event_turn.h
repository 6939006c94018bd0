// EventTurn: what the subscribers of one source are sent in one round of the hub: a page each, so
// that one that has far to go keeps no other waiting. Private to the hub.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dialect/common/event_stream.h"

namespace mayfly {

struct Channel;

struct Subscriber {
  std::uint64_t number = 0;
  Subscription asked;
  Channel* channel = nullptr;
  Instant ends_at = {};  // by the hub's clock, as the next
  Instant sent_at = {};
  bool is_at_head = false;
  EventPosition at = {};                            // where it is not at the head
  std::shared_ptr<const EventPage> page = nullptr;  // what it is being sent
  std::size_t next = 0;                             // the first of it that it has not been sent
  bool awaits_client = false;

  bool has_more() const { return !awaits_client && !is_at_head; }
};

// The subscribers of one source.
struct Channel {
  std::shared_ptr<EventSource> source;
  std::set<CollectionId> collections = {};
  std::map<std::uint64_t, Subscriber*> members = {};
  std::set<CollectionId> due = {};  // may have events behind the head
};

class EventTurn {
 public:
  struct Round {
    EventPosition head;  // those at the head have been sent all up to it
    EventPosition end;   // all up to it can be read
    Instant now;         // by the hub's clock
  };
  // What is called when the client of a subscriber has taken all there was.
  using Ready = std::function<std::function<void()>(std::uint64_t number)>;
  EventTurn(const Round& round, Ready ready) : round_(round), ready_(std::move(ready)) {}

  // Sends the next page, or as much of it as is taken. False where the stream is known to be over.
  bool tell(Subscriber& subscriber);

 private:
  using PagePtr = std::shared_ptr<const EventPage>;
  Result<PagePtr> read(const Subscriber& subscriber);
  bool take_page(Subscriber& subscriber, PagePtr page);
  bool send_page(Subscriber& subscriber);
  bool send_pieces(Subscriber& subscriber, std::string& text);
  bool send(Subscriber& subscriber, std::string& text) const;
  Result<bool> wants(const Subscription& asked, const EventPiece& piece);

  const Round round_;
  const Ready ready_;
  PagePtr head_page_;                       // for those at the head
  std::map<EventPosition, PagePtr> pages_;  // by where they begin
  Span filtered_{0};                        // what filters have taken
};

void say_farewell(const Subscription& subscription, std::string_view reason);

}  // namespace mayfly
