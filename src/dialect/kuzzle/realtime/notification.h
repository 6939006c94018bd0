// Notifications: the JSON messages to subscribers. The shapes: v1 (with `state`; a document's
// metadata in `_meta`), v1_late (also with the fields that an update has changed), and v2 (with
// `event` and `node`; metadata in `_source._kuzzle_info`; the document also when it leaves the
// scope).
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
#include "value/value.h"

namespace mayfly::kuzzle::realtime {

enum class Shape { v1, v1_late, v2 };

// The fields that an update changes: top-level names for v1_late, and the paths of all fields
// within them for v2.
struct ChangedFields {
  std::vector<std::string> names;
  std::vector<std::string> paths;
};
using ChangedFieldsPtr = std::shared_ptr<const ChangedFields>;  // null: not listed

// The request that caused an event, as notifications show it.
struct Origin {
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

// A document's metadata as clients see it: _meta of v1, _kuzzle_info of v2. The default shows the
// core's.
using Facts = std::function<Object(const Document&, Shape)>;
Object core_facts(const Document& document, Shape shape);

enum class State { pending, done };
enum class Scope { in, out, unknown };

struct Notification {
  const Origin& origin;
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

// Renders a notification without its end, `"room":"…"}`, which names the channel. So a notification
// to many channels is rendered once.
std::string render(const Notification& notification, Shape shape);
std::string end_in_channel(std::string_view channel);

// Notifies the others in a room that a user entered (scope in) or left (out).
struct UserNotification {
  const Origin& origin;
  std::string_view index;
  std::string_view collection;
  Instant at;
  bool has_entered = true;
  std::size_t count = 0;
  std::string_view node = {};
};
std::string render(const UserNotification& notification, Shape shape);

// The message to a client whose token has expired.
std::string render_token_expired();
// The message to a client whose subscription the server has ended for another reason.
std::string render_subscription_ended(int status, std::string_view reason);

}  // namespace mayfly::kuzzle::realtime
