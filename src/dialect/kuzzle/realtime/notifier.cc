#include "dialect/kuzzle/realtime/notifier.h"

#include <memory>
#include <utility>

#include "dialect/kuzzle/documents/metadata.h"

namespace mayfly::kuzzle {

namespace {

// Actions that either create or change a document, with the action that notifications show.
struct EitherAction {
  std::string_view action;
  std::string_view change;
};
constexpr EitherAction either_actions[] = {{"createOrReplace", "replace"}, {"upsert", "update"}};

// False if there is no room for it.
bool append_text(std::string text, std::vector<std::string>& to, std::size_t& bytes_left) {
  const std::size_t bytes = text.size() + sizeof(std::string);
  if (bytes > bytes_left) return false;
  bytes_left -= bytes;
  to.push_back(std::move(text));
  return true;
}

bool append_paths(const Object& object, const std::string& within, std::vector<std::string>& to,
                  std::size_t& bytes_left) {
  for (const auto& [name, value] : object) {
    if (name == metadata_field) continue;
    if (within.size() + name.size() > bytes_left) return false;
    std::string path = within.empty() ? std::string(name) : within + '.' + std::string(name);
    const bool has_room = value.is(Kind::object)
                              ? append_paths(value.object(), path, to, bytes_left)
                              : append_text(std::move(path), to, bytes_left);
    if (!has_room) return false;
  }
  return true;
}

}  // namespace

bool suppresses_notifications(const KuzzleCall& call) {
  if (call.message.controller == "bulk") return !call.flag("notify").value_or(false);
  return call.flag("silent").value_or(false);
}

realtime::NotificationOrigin origin_of(const KuzzleCall& call, std::string action) {
  const Message& message = call.message;
  const bool is_renamed = action.empty();
  realtime::NotificationOrigin origin{
      .request_id = message.request_id,
      .volatile_data = message.volatile_data,
      .controller = message.controller,
      .action = action.empty() ? message.action : std::move(action)};
  // In a request with several documents, notifications report the new ones as creations.
  const bool is_many = origin.action.size() > 1 && origin.action[0] == 'm' &&
                       origin.action[1] >= 'A' && origin.action[1] <= 'Z';
  if (is_many) origin.created_action = "create";
  for (const EitherAction& row : either_actions) {
    if (!is_renamed || origin.action != row.action) continue;
    origin.action = row.change;
    origin.created_action = "create";
  }
  if (origin.controller == "bulk") {
    origin.action = "replace";
    origin.created_action = "create";
  }
  origin.connection = call.connection.value_or(0);
  origin.protocol = message.protocol == Protocol::http ? "http" : "websocket";
  return origin;
}

realtime::ChangedFieldsPtr updated_fields(const Value& changes, std::size_t& bytes_left) {
  realtime::ChangedFields fields;
  std::size_t left = bytes_left;
  for (const auto& [name, value] : changes.object()) {
    if (name == metadata_field) continue;
    if (!append_text(std::string(name), fields.names, left)) return nullptr;
  }
  if (!append_paths(changes.object(), "", fields.paths, left)) return nullptr;
  bytes_left = left;
  return std::make_shared<const realtime::ChangedFields>(std::move(fields));
}

void Notifier::writes(const std::vector<std::string>& ids,
                      const realtime::ChangedFieldsPtr& updated_fields) {
  std::vector<realtime::Target> targets;
  targets.reserve(ids.size());
  for (const std::string& id : ids) targets.push_back({id, updated_fields});
  begin_each(std::move(targets));
}

void Notifier::begin_each(std::vector<realtime::Target> targets) {
  writing_.reset();
  writing_.emplace(call_.shared.realtime.begin_write(
      origin_of(call_, action_), {call_.message.index, call_.message.collection},
      std::move(targets)));
  if (suppresses_notifications(call_)) writing_->suppress();
}

void Notifier::begin_silently(const std::vector<std::string>& ids) {
  writes(ids);
  writing_->suppress();
}

void Notifier::committed(Instant at) {
  if (writing_) writing_->committed(at);
}

}  // namespace mayfly::kuzzle
