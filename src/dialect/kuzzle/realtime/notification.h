// Notifications: the JSON messages to subscribers, each in the form of its subscriber's generation
// of the API (generations/generation.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "db/rows/document.h"
#include "dialect/kuzzle/generations/generation.h"
#include "value/value.h"

namespace mayfly::kuzzle::realtime {

// The fields that an update changes: the names at the top level, and the paths of all fields within
// them.
struct ChangedFields {
  std::vector<std::string> names;
  std::vector<std::string> paths;
};
using ChangedFieldsPtr = std::shared_ptr<const ChangedFields>;  // null: not listed

// The request that caused an event, as notifications show it.
struct NotificationOrigin {
  std::string request_id = {};  // empty: null
  Value volatile_data = {};     // missing: null
  std::string controller = "document";
  std::string action = {};
  // The action that is shown for a created document; empty: `action`.
  std::string created_action = {};
  std::string protocol = "websocket";
  std::uint64_t connection = 0;  // of the request; 0: it cannot receive notifications
  std::string client = {};       // whose quota a subscription counts against; not shown
};

// A document's metadata as clients see it. The default shows the core's.
using Facts = std::function<Object(const Document&, const Generation&)>;
Object core_facts(const Document& document, const Generation& generation);
// A document as filters see it: its body, with its metadata as in version 2.
Value body_with_facts(const Document& document, const Facts& facts);

// The change of one document.
struct NotifiedDocument {
  std::string id;
  std::optional<Document> before = {};  // nothing: it did not exist, or is not known
  std::optional<Document> after = {};   // nothing: it was removed or has expired
  ChangedFieldsPtr updated_fields = {};
};

enum class State { pending, done };
enum class Scope { in, out, unknown };

struct Notification {
  const NotificationOrigin& origin;
  std::string_view index;
  std::string_view collection;
  std::string_view action;  // one of the origin's actions
  Instant at;
  State state = State::done;
  Scope scope = Scope::in;
  std::string_view event = "write";  // or delete, publish: of v2
  std::string_view node = {};        // of v2
  Object result = {};
};

// Renders a notification without its end, `,"room":"…"}`, which names the channel. So a
// notification to many channels is rendered once.
std::string render(const Notification& notification, const Generation& generation);
std::string end_in_channel(std::string_view channel);

// Notifies the others in a room that a user entered (scope in) or left (out).
struct UserNotification {
  const NotificationOrigin& origin;
  std::string_view index;
  std::string_view collection;
  Instant at;
  bool has_entered = true;
  std::size_t count = 0;
  std::string_view node = {};
};
std::string render(const UserNotification& notification, const Generation& generation);

// The message to a client whose token has expired, without its end.
std::string render_token_expired();
// The same for a client whose subscription the server has ended for another reason.
std::string render_subscription_ended(int status, std::string_view reason);

}  // namespace mayfly::kuzzle::realtime
