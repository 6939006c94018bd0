// Message: what a target is sent for an event.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "db/feed/event_images.h"
#include "db/feed/feed.h"

namespace mayfly::delivery {

struct Message {
  std::string id;         // the same however often it is sent
  FeedPosition position;  // of its event
  std::string database;
  std::string collection;
  std::string event;    // what has happened, in the words of the format
  Bytes document;       // its encoded key, behind the collection's id
  std::string payload;  // JSON
};

// The collection's id, the instant of the commit and the event's number in it.
std::string message_id(CollectionId collection, const Event& event);

// What a payload is made of.
struct MessageParts {
  const Message& message;  // all but the payload
  const CollectionPtr& collection;
  const Event& event;
  EventImages* images;  // null: what has no bound is left out
};

// What a dialect makes of an event: the name of what has happened, and the payload.
struct Format {
  std::string_view name;
  std::function<std::string_view(Event::Kind)> event_name;
  std::function<void(const MessageParts&, std::string& payload)> render;
};

}  // namespace mayfly::delivery
