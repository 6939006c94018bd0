// Notifications: what subscribers are told, as JSON. The shapes: v1 (with `state`, the facts about
// a document in `_meta`), v1_late (also with the fields that an update has changed), and v2 (with
// `event` and `node`, the facts in `_source._kuzzle_info`, and the document also where it leaves).
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

// The fields that an update changes: those of the document, as v1_late names them, and all within
// them by their paths, as v2 does.
struct ChangedFields {
  std::vector<std::string> names;
  std::vector<std::string> paths;
};
using ChangedFieldsPtr = std::shared_ptr<const ChangedFields>;  // null: not told

// The request that something comes from, as notifications tell of it.
struct Origin {
  std::string request_id = {};  // empty: null
  Value volatile_data = {};     // missing: null
  std::string controller = "document";
  std::string action = {};
  // The action that is told of a document that came to be; empty: `action`.
  std::string created_action = {};
  std::string protocol = "websocket";
  std::uint64_t connection = 0;  // that the request came by; 0: of none that has notifications
  std::string client = {};       // whose share a subscription takes; notifications do not name it
};

// The facts about a document as clients see them: _meta of v1, _kuzzle_info of v2. The default
// shows what the core keeps.
using Facts = std::function<Object(const Document&, Shape)>;
Object core_facts(const Document& document, Shape shape);

enum class State { pending, done };
enum class Scope { in, out, unknown };

struct Notification {
  const Origin& origin;
  std::string_view index;
  std::string_view collection;
  std::string_view action;  // which of the origin's
  Instant at;
  State state = State::done;
  Scope scope = Scope::in;
  std::string_view event = "write";  // or delete, publish: of v2
  std::string_view node = {};        // of v2
  Object result = {};
};

// Without its end, which names the channel: `"room":"…"}`. So what goes to many channels is written
// once.
std::string render(const Notification& notification, Shape shape);
std::string end_in_channel(std::string_view channel);

// The others of a room: somebody came (scope in) or left (out).
struct UserNotification {
  const Origin& origin;
  std::string_view index;
  std::string_view collection;
  Instant at;
  bool has_come = true;
  std::size_t count = 0;
  std::string_view node = {};
};
std::string render(const UserNotification& notification, Shape shape);

// To a client that subscribed with a token that has ended.
std::string render_token_expired();
// To a client whose subscription the server has ended for another reason.
std::string render_subscription_ended(int status, std::string_view reason);

}  // namespace mayfly::kuzzle::realtime
