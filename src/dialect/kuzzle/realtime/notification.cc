#include "dialect/kuzzle/realtime/notification.h"

#include "dialect/kuzzle/generations/renderer.h"
#include "value/json/writer.h"

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

// A notification without its end: the object is still open.
JsonWriter begin_notification(std::string_view type, std::string& out) {
  constexpr std::size_t beside_the_result = 320;  // mostly
  out.reserve(beside_the_result);
  JsonWriter json(out);
  json.begin_object();
  json.member("status", 200);
  json.member("type", type);
  return json;
}

void render_volatile(const NotificationOrigin& origin, JsonWriter& json) {
  if (origin.volatile_data.is_missing()) return json.name("volatile").null();
  json.member("volatile", origin.volatile_data);
}

}  // namespace

Object core_facts(const Document& document, const Generation& generation) {
  const bool is_updated = document.revision > 1;
  Object facts{{"author", author_or_null(document.author)},
               {"createdAt", millis(document.created_at)},
               {"updatedAt", is_updated ? millis(document.version.written_at) : Value(nullptr)},
               {"updater", is_updated ? author_or_null(document.updater) : Value(nullptr)}};
  if (!generation.shows_removal) return facts;
  // The last updater is the user that removed the document.
  if (document.version.is_removed()) facts.set("updater", author_or_null(document.updater));
  facts.set("active", Value(!document.version.is_removed()));
  facts.set("deletedAt", millis_or_null(document.version.removed_at));
  return facts;
}

Value body_with_facts(const Document& document, const Facts& facts) {
  Value body = document.body.unpack();
  if (body.is(Kind::object)) {
    body.mutable_object().set("_kuzzle_info", Value(facts(document, generations::v2)));
  }
  return body;
}

std::string render(const Notification& notification, const Generation& generation) {
  const NotificationOrigin& origin = notification.origin;
  std::string out;
  JsonWriter json = begin_notification("document", out);
  json.text_or_null("requestId", origin.request_id);
  json.member("timestamp", millis(notification.at));
  render_volatile(origin, json);
  json.member("index", notification.index);
  json.member("collection", notification.collection);
  json.member("controller", origin.controller);
  json.member("action", notification.action);
  json.member("protocol", origin.protocol);
  json.member("scope", name_of(notification.scope));
  generation.renderer().event(notification, json);
  json.member("result", Value(notification.result));
  return out;
}

std::string render(const UserNotification& notification, const Generation& generation) {
  const NotificationOrigin& origin = notification.origin;
  std::string out;
  JsonWriter json = begin_notification("user", out);
  json.member("timestamp", millis(notification.at));
  render_volatile(origin, json);
  json.member("index", notification.index);
  json.member("collection", notification.collection);
  json.member("controller", "realtime");
  json.member("action", notification.has_entered ? "subscribe" : "unsubscribe");
  json.member("protocol", origin.protocol);
  json.member("user", notification.has_entered ? "in" : "out");
  if (generation.has_node) json.member("node", notification.node);
  json.name("result").begin_object();
  json.member("count", notification.count);
  json.end_object();
  return out;
}

std::string render_token_expired() {
  return R"({"status":200,"type":"TokenExpired","info":"This is an automated server notification",)"
         R"("message":"Authentication Token Expired")";
}

std::string render_subscription_ended(int status, std::string_view reason) {
  std::string frame;
  JsonWriter json(frame);
  json.begin_object();
  json.member("status", status);
  json.member("type", "SubscriptionEnded");
  json.member("info", "This is an automated server notification");
  json.member("message", reason);
  return frame;
}

std::string end_in_channel(std::string_view channel) {
  std::string end = ",";  // after the notification's members
  JsonWriter json(end);
  json.member("room", channel);
  json.end_object();
  return end;
}

}  // namespace mayfly::kuzzle::realtime
