#include "dialect/kuzzle/telling.h"

namespace mayfly::kuzzle {

realtime::Shape realtime_shape(Shape shape) {
  return shape == Shape::v2 ? realtime::Shape::v2 : realtime::Shape::v1;
}

bool is_silent(const Call& call) {
  if (call.message.controller == "bulk") return !call.flag("notify").value_or(false);
  return call.flag("silent").value_or(false);
}

realtime::Origin origin_of(const Call& call, std::string action) {
  const Message& message = call.message;
  realtime::Origin origin{.request_id = message.request_id,
                          .volatile_data = message.volatile_data,
                          .controller = message.controller,
                          .action = action.empty() ? message.action : std::move(action)};
  // Of several at once those that came to be are told as creations.
  const bool is_many = origin.action.size() > 1 && origin.action[0] == 'm' &&
                       origin.action[1] >= 'A' && origin.action[1] <= 'Z';
  if (is_many) origin.created_action = "create";
  if (origin.controller == "bulk") {
    origin.action = "replace";
    origin.created_action = "create";
  }
  origin.protocol = message.protocol == Protocol::http ? "http" : "websocket";
  return origin;
}

void Telling::writes(const std::vector<std::string>& ids) {
  std::vector<realtime::Target> targets;
  targets.reserve(ids.size());
  for (const std::string& id : ids) targets.push_back({.id = id});
  writing_.reset();
  writing_.emplace(call_.shared.realtime.writing(origin_of(call_, action_),
                                                 {call_.message.index, call_.message.collection},
                                                 std::move(targets)));
  if (is_silent(call_)) writing_->silent();
}

void Telling::writes_silently(const std::vector<std::string>& ids) {
  writes(ids);
  writing_->silent();
}

void Telling::committed(Instant at) {
  if (writing_) writing_->committed(at);
}

}  // namespace mayfly::kuzzle
