// The actions of realtime: subscriptions, and messages that are published without being stored.
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// Only a WebSocket can receive notifications.
Result<realtime::ConnectionId> listener(const KuzzleCall& call) {
  if (call.connection) return *call.connection;
  return fail(Code::unsupported, "subscriptions need a WebSocket");
}

Result<realtime::Channel> requested_channel(const KuzzleCall& call) {
  return realtime::parse_channel(TRY(call.text("state")).value_or(""),
                                 TRY(call.text("scope")).value_or(""),
                                 TRY(call.text("users")).value_or(""));
}

template <class T>
Result<T> with_room_words(Result<T> result,
                          std::string_view unknown = "core.realtime.room_not_found") {
  if (result || result.error().code != Code::not_found) return result;
  return problem(unknown, result.error().message);
}

// For a request that enters a room: it counts against its client's quota.
realtime::NotificationOrigin subscriber(const KuzzleCall& call) {
  realtime::NotificationOrigin origin = origin_of(call);
  origin.client = call.client();
  return origin;
}

// The subscription lasts as long as the caller's right. The right may have been lost since it was
// checked, so it is checked again: a revocation from now on finds this subscription.
Result<void> listens_as(const KuzzleCall& call, const std::string& room,
                        const realtime::CollectionName& place) {
  const Grant grant{.token = call.message.token,
                    .ends_at = call.principal.token_ends_at,
                    .controller = call.message.controller,
                    .action = call.message.action,
                    .place = place};
  call.shared.grants.opened(*call.connection, room, grant);
  auto holds = check_grant(call.shared, grant);
  if (holds) return holds;
  call.shared.grants.closed(*call.connection, room);
  (void)call.shared.realtime.unsubscribe(*call.connection, {}, room);
  return holds;
}

// A room is named by its id alone, so the caller's right on its collection is checked here.
Result<realtime::CollectionName> permitted_place(const KuzzleCall& call, const std::string& room) {
  auto place = TRY(with_room_words(call.shared.realtime.place(room)));
  TRY(authorize(call, same_action_in(call.message, place.index, place.collection)));
  return place;
}

std::string render(const realtime::Subscribed& subscribed) {
  return render_json(Object{{"roomId", subscribed.room_id}, {"channel", subscribed.channel}});
}

}  // namespace

Result<std::string> subscribe(KuzzleCall& call) {
  const auto connection = TRY(listener(call));
  const std::string index = TRY(call.index());
  const std::string collection = TRY(call.collection());
  const Value& body = call.message.body;
  const auto subscribed = TRY(call.shared.realtime.subscribe(
      connection, subscriber(call), {index, collection}, body.is_missing() ? Value(Object()) : body,
      TRY(requested_channel(call)), call.generation()));
  TRY(listens_as(call, subscribed.room_id, {index, collection}));
  return render(subscribed);
}

Result<std::string> join(KuzzleCall& call) {
  const auto connection = TRY(listener(call));
  const std::string room = TRY(call.body_text("roomId"));
  const auto place = TRY(permitted_place(call, room));
  const auto joined = TRY(with_room_words(call.shared.realtime.join(
      connection, subscriber(call), room, TRY(requested_channel(call)), call.generation())));
  TRY(listens_as(call, joined.room_id, place));
  return render(joined);
}

Result<std::string> unsubscribe(KuzzleCall& call) {
  const auto connection = TRY(listener(call));
  const std::string room = TRY(call.body_text("roomId"));
  TRY(with_room_words(call.shared.realtime.unsubscribe(connection, origin_of(call), room),
                      "core.realtime.not_subscribed"));
  call.shared.grants.closed(connection, room);
  std::string out;
  JsonWriter json(out);
  call.renderer().unsubscribed(room, json);
  return out;
}

Result<std::string> count_subscribers(KuzzleCall& call) {
  const std::string room = TRY(call.body_text("roomId"));
  TRY(permitted_place(call, room));
  const auto count = TRY(with_room_words(call.shared.realtime.count(room)));
  return render_json(Object{{"count", static_cast<std::int64_t>(count)}});
}

Result<std::string> list_subscriptions(KuzzleCall& call) {
  const PermittedCollections permitted = TRY(PermittedCollections::of(call));
  const Object all = call.shared.realtime.list();
  Object shown;
  for (const auto& [index, collections] : all) {
    Object rooms;
    for (const auto& [collection, of_collection] : collections.object()) {
      if (permitted.contains(index, collection)) rooms.append(collection, of_collection);
    }
    if (!rooms.empty()) shown.append(index, std::move(rooms));
  }
  return render_json(shown);
}

Result<std::string> publish(KuzzleCall& call) {
  const std::string index = TRY(call.index());
  const std::string collection = TRY(call.collection());
  TRY(call.body());
  TRY(call.shared.realtime.publish(origin_of(call), {index, collection}, call.message.body,
                                   call.message.id.value_or("")));
  return R"({"published":true})";
}

}  // namespace mayfly::kuzzle
