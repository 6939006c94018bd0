// Message: what is sent to a target for an event.
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
  std::string id;         // the same each time it is sent
  FeedPosition position;  // of its event
  std::string database;
  std::string collection;
  std::string event;    // the name of what happened, as the format has it
  Bytes document;       // the document's encoded key, after the collection's id
  std::string payload;  // JSON
};
using MessagePtr = std::shared_ptr<const Message>;  // shared by all subscriptions that have the
                                                    // message

// The origin (rows/origin.h), the collection's id, the instant of the commit and the event's number
// in it.
std::string message_id(std::string_view origin, CollectionId collection, const Event& event);

// What a payload is rendered from.
struct MessageParts {
  const Message& message;  // all but the payload
  const CollectionPtr& collection;
  const Event& event;
  EventImages* images;            // null: data without a bound is left out
  std::span<const Event> commit;  // all of the event's commit in its collection; for render_commit
};

struct Rendered {
  std::string event;  // the name of what happened
  std::string payload;
  std::optional<DocumentKey> document = {};  // the document that it is about; nullopt: several
};

// Format: how a dialect renders an event: the name of what happened, and the payload.
struct Format {
  std::string_view name;
  std::function<std::string_view(Event::Kind)> event_name = {};
  // A failed call is repeated, in the end without images.
  std::function<Result<void>(const MessageParts&, std::string& payload)> render = {};
  // Replaces both: renders all that a commit did to a collection as any number of messages. It is
  // called for the commit's last event, and gives the same result each time.
  std::function<Result<std::vector<Rendered>>(const MessageParts&)> render_commit = {};
};

}  // namespace mayfly::delivery
