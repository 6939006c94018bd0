// Realtime: who listens to what, and what is said to them without being kept.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/expiries.h"
#include "dialect/kuzzle/security/rights.h"
#include "dialect/kuzzle/telling.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

// Only a WebSocket can be told anything.
Result<realtime::ConnectionId> listener(const Call& call) {
  if (call.connection) return *call.connection;
  return fail(Code::unsupported, "subscriptions need a WebSocket");
}

Result<realtime::Channel> asked_channel(const Call& call) {
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

// Until the token ends on whose behalf it was asked.
void listens_as(const Call& call, realtime::ConnectionId connection) {
  if (call.principal.is_anonymous()) return;
  call.shared.expiries.listens(connection, call.principal.token_ends_at);
}

// A room is named by its id alone, so whether the caller may have to do with its collection is
// asked here.
Result<void> must_be_for(const Call& call, const std::string& room) {
  const auto place = TRY(with_room_words(call.shared.realtime.place(room)));
  Message there = call.message;
  there.index = place.index;
  there.collection = place.collection;
  return authorize(call.database(), call.principal, there);
}

std::string render(const realtime::Subscribed& subscribed) {
  return render_json(Object{{"roomId", subscribed.room_id}, {"channel", subscribed.channel}});
}

}  // namespace

Result<std::string> subscribe(Call& call) {
  const auto connection = TRY(listener(call));
  const std::string index = TRY(call.index());
  const std::string collection = TRY(call.collection());
  const Value& body = call.message.body;
  const auto subscribed = TRY(call.shared.realtime.subscribe(
      connection, origin_of(call), {index, collection}, body.is_missing() ? Value(Object()) : body,
      TRY(asked_channel(call)), realtime_shape(call.shape())));
  listens_as(call, connection);
  return render(subscribed);
}

Result<std::string> join(Call& call) {
  const auto connection = TRY(listener(call));
  const std::string room = TRY(call.body_text("roomId"));
  TRY(must_be_for(call, room));
  const auto joined = TRY(with_room_words(call.shared.realtime.join(
      connection, origin_of(call), room, TRY(asked_channel(call)), realtime_shape(call.shape()))));
  listens_as(call, connection);
  return render(joined);
}

Result<std::string> unsubscribe(Call& call) {
  const auto connection = TRY(listener(call));
  const std::string room = TRY(call.body_text("roomId"));
  TRY(with_room_words(call.shared.realtime.unsubscribe(connection, origin_of(call), room),
                      "core.realtime.not_subscribed"));
  return render_json(call.is_v2() ? Value(Object{{"roomId", room}}) : Value(room));
}

Result<std::string> count_subscribers(Call& call) {
  const std::string room = TRY(call.body_text("roomId"));
  TRY(must_be_for(call, room));
  const auto count = TRY(with_room_words(call.shared.realtime.count(room)));
  return fmt::format(R"({{"count":{}}})", count);
}

Result<std::string> list_subscriptions(Call& call) {
  return render_json(call.shared.realtime.list());
}

Result<std::string> publish(Call& call) {
  const std::string index = TRY(call.index());
  const std::string collection = TRY(call.collection());
  TRY(call.body());
  call.shared.realtime.publish(origin_of(call), {index, collection}, call.message.body,
                               call.message.id.value_or(""));
  return R"({"published":true})";
}

}  // namespace mayfly::kuzzle
