// Message: what a target is sent for an event.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
using MessagePtr = std::shared_ptr<const Message>;  // of all subscriptions that have it

// The collection's id, the instant of the commit and the event's number in it.
std::string message_id(CollectionId collection, const Event& event);

// What a payload is made of.
struct MessageParts {
  const Message& message;  // all but the payload
  const CollectionPtr& collection;
  const Event& event;
  EventImages* images;            // null: what has no bound is left out
  std::span<const Event> commit;  // all of the event's commit in its collection; for render_commit
};

struct Rendered {
  std::string event;  // the name of what has happened
  std::string payload;
  std::optional<DocumentKey> document = {};  // that it is about; nothing: several
};

// What a dialect makes of an event: the name of what has happened, and the payload.
struct Format {
  std::string_view name;
  std::function<std::string_view(Event::Kind)> event_name = {};
  // What fails is asked again, and in the end without images.
  std::function<Result<void>(const MessageParts&, std::string& payload)> render = {};
  // In place of both: any number of messages of all that a commit did to a collection. It is asked
  // at the last event, and says the same each time.
  std::function<Result<std::vector<Rendered>>(const MessageParts&)> render_commit = {};
};

}  // namespace mayfly::delivery
