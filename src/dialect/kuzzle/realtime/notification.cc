#include "dialect/kuzzle/realtime/notification.h"

#include "value/json/json.h"

namespace mayfly::kuzzle::realtime {
namespace {

Value author_or_null(std::string_view text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

Value millis(Instant t) {
  return Value(t.micros / 1'000 - (t.micros % 1'000 < 0 ? 1 : 0));
}
Value millis_or_null(Instant t) {
  return t.is_never() ? Value(nullptr) : millis(t);
}

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::in: return "in";
    case Scope::out: return "out";
    case Scope::unknown: return "unknown";
  }
  return "unknown";
}

Value value_or_null(const Value& value) {
  return value.is_missing() ? Value(nullptr) : value;
}

}  // namespace

Object core_facts(const Document& document, Shape shape) {
  const bool is_updated = document.revision > 1;
  Object facts{{"author", author_or_null(document.author)},
               {"createdAt", millis(document.created_at)},
               {"updatedAt", is_updated ? millis(document.version.written_at) : Value(nullptr)},
               {"updater", is_updated ? author_or_null(document.updater) : Value(nullptr)}};
  if (shape == Shape::v2) return facts;
  // The last updater is the user that removed the document.
  if (document.version.is_removed()) facts.set("updater", author_or_null(document.updater));
  facts.set("active", Value(!document.version.is_removed()));
  facts.set("deletedAt", millis_or_null(document.version.removed_at));
  return facts;
}

std::string render(const Notification& notification, Shape shape) {
  const Origin& origin = notification.origin;
  Object frame{{"status", Value(200)},
               {"type", Value("document")},
               {"requestId", author_or_null(origin.request_id)},
               {"timestamp", millis(notification.at)},
               {"volatile", value_or_null(origin.volatile_data)},
               {"index", Value(notification.index)},
               {"collection", Value(notification.collection)},
               {"controller", Value(origin.controller)},
               {"action", Value(notification.action)},
               {"protocol", Value(origin.protocol)},
               {"scope", Value(name_of(notification.scope))}};
  if (shape != Shape::v2) {
    frame.set("state", Value(notification.state == State::done ? "done" : "pending"));
  } else {
    frame.set("event", Value(notification.event));
    frame.set("node", Value(notification.node));
  }
  frame.set("result", Value(notification.result));
  std::string text = render_json(Value(std::move(frame)));
  text.back() = ',';
  return text;
}

std::string render(const UserNotification& notification, Shape shape) {
  const Origin& origin = notification.origin;
  Object frame{{"status", Value(200)},
               {"type", Value("user")},
               {"timestamp", millis(notification.at)},
               {"volatile", value_or_null(origin.volatile_data)},
               {"index", Value(notification.index)},
               {"collection", Value(notification.collection)},
               {"controller", Value("realtime")},
               {"action", Value(notification.has_entered ? "subscribe" : "unsubscribe")},
               {"protocol", Value(origin.protocol)},
               {"user", Value(notification.has_entered ? "in" : "out")}};
  if (shape == Shape::v2) frame.set("node", Value(notification.node));
  frame.set("result",
            Value(Object{{"count", Value(static_cast<std::int64_t>(notification.count))}}));
  std::string text = render_json(Value(std::move(frame)));
  text.back() = ',';
  return text;
}

std::string render_token_expired() {
  return R"({"status":200,"type":"TokenExpired","info":"This is an automated server notification",)"
         R"("message":"Authentication Token Expired",)";
}

std::string render_subscription_ended(int status, std::string_view reason) {
  std::string frame = R"({"status":)" + std::to_string(status) +
                      R"(,"type":"SubscriptionEnded",)"
                      R"("info":"This is an automated server notification","message":)";
  render_json_text(reason, frame);
  return frame + ',';
}

std::string end_in_channel(std::string_view channel) {
  std::string end = R"("room":)";
  render_json_text(channel, end);
  end += '}';
  return end;
}

}  // namespace mayfly::kuzzle::realtime
