#include "dialect/centrali/triggers/asked.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/schedules/schedule.h"
#include "dialect/common/requests/json_body.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr const char* metadata_name = "triggerMetadata";

tl::unexpected<Error> wrong(std::string_view member, std::string message) {
  return fail(Code::invalid, std::move(message), fmt::format("{}.{}", metadata_name, member));
}

Result<void> check_event(CentraliCall& call, const Trigger& before, const Trigger& trigger) {
  const std::string event = text_in(trigger.metadata(), "event");
  if (event.empty()) return wrong("event", "event is required");
  if (!event_of_trigger(event)) {
    return wrong("event",
                 fmt::format("no function is run for the event '{}'; there are record_created, "
                             "record_updated, record_deleted, record_restored and record_expired",
                             event));
  }
  if (!names_same_structure(before, trigger)) TRY(collection_of(call, trigger));
  return {};
}

// Accepts only segments of a URL's path that need no escapes.
Result<void> check_path(const Trigger& trigger) {
  const std::string path = path_of(trigger);
  const bool is_plain = std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~/").find(c) != std::string_view::npos;
  });
  if (!path.empty() && path.size() <= limits::name_bytes_max && is_plain &&
      path.find("//") == std::string::npos) {
    return {};
  }
  return wrong("path",
               "path is required, with letters, digits, hyphens, dots, underscores and "
               "slashes");
}

// Whether a value within a parameter is marked as a secret, as {"value": …, "encrypt": true}.
bool has_marked_value(const Value& value) {
  if (value.is(Kind::array)) return std::ranges::any_of(value.array(), has_marked_value);
  if (!value.is(Kind::object)) return false;
  const Value mark = value.member("encrypt");
  const bool is_plain = mark.is_missing() || (mark.is(Kind::boolean) && !mark.is_true());
  if (!is_plain && !value.member("value").is_missing()) return true;
  return std::ranges::any_of(value.object(),
                             [](const auto& member) { return has_marked_value(member.second); });
}

// Only a whole parameter can be secret: an object with `value` and `encrypt`. Another one that
// looks as if it were meant to be secret would be shown, so it is refused.
Result<void> check_parameters(const Object& metadata) {
  const Value parameters = member_or_null(metadata, "params");
  if (parameters.is_null()) return {};
  if (!parameters.is(Kind::object)) return wrong("params", "params must be an object");
  for (const auto& [name, value] : parameters.object()) {
    const std::string path = "params." + name;
    const Value mark = value.member("encrypt");
    const bool has_value = !value.member("value").is_missing();
    if (has_value && !mark.is_missing() && !mark.is(Kind::boolean)) {
      return wrong(path + ".encrypt", "encrypt must be true or false");
    }
    if (is_secret_parameter(value) || !has_marked_value(value)) continue;
    return wrong(path, R"(a value within a parameter cannot be secret; write the whole parameter )"
                       R"(as {"value": …, "encrypt": true})");
  }
  return {};
}

Result<void> check_metadata(CentraliCall& call, const Trigger& before, const Trigger& trigger) {
  switch (trigger.type()) {
    case Trigger::Type::on_demand: return {};
    case Trigger::Type::event_driven: return check_event(call, before, trigger);
    case Trigger::Type::scheduled: return check_schedule(trigger);
    case Trigger::Type::http: return check_path(trigger);
  }
  return {};
}

Result<void> merge_type(MemberReader& reader, Trigger& trigger) {
  if (const auto word = TRY(reader.text("executionType"))) {
    const auto type = trigger_type(*word);
    if (!type) {
      return fail(Code::invalid,
                  "executionType is on-demand, event-driven, scheduled or http-trigger",
                  "executionType");
    }
    trigger.members.set("executionType", word_of(*type));
  }
  if (!trigger.text("executionType").empty()) return {};
  return fail(Code::invalid, "executionType is required", "executionType");
}

// Answers do not show secrets. So a secret that a client writes back as it was read stays
// unchanged.
void keep_secrets(const Object& before, Object& metadata) {
  Value* given = metadata.find("params");
  const Value kept = member_or_null(before, "params");
  if (given == nullptr || !given->is(Kind::object) || !kept.is(Kind::object)) return;
  for (auto& [name, value] : given->mutable_object()) {
    const Value* old = kept.object().find(name);
    const bool is_unsaid = is_secret_parameter(value) && value.member("value").is_null();
    if (is_unsaid && old != nullptr && is_secret_parameter(*old)) value = *old;
  }
}

}  // namespace

std::string path_of(const Trigger& trigger) {
  std::string path = text_in(trigger.metadata(), "path");
  while (path.starts_with('/')) path.erase(0, 1);
  while (path.ends_with('/')) path.pop_back();
  return path;
}

bool names_same_structure(const Trigger& one, const Trigger& other) {
  const bool are_of_events =
      one.type() == Trigger::Type::event_driven && other.type() == Trigger::Type::event_driven;
  const std::string slug = text_in(one.metadata(), "recordSlug");
  return are_of_events && !slug.empty() && slug == text_in(other.metadata(), "recordSlug");
}

Result<std::string> collection_of(CentraliCall& call, const Trigger& trigger) {
  const Value slug = member_or_null(trigger.metadata(), "recordSlug");
  if (slug.is_null()) return std::string();
  if (!slug.is(Kind::text)) return wrong("recordSlug", "recordSlug must be a text");
  const StructurePtr structure = TRY(
      find_structure(call, call.database().catalog(), slug.text(), "triggerMetadata.recordSlug"));
  return structure->collection->name;
}

Result<void> merge_trigger(CentraliCall& call, const Object& body, Trigger& trigger) {
  const Trigger before = trigger;
  MemberReader reader(body);
  const Value* description = body.find("description");
  if (description != nullptr && description->is_null()) {
    trigger.members.set("description", nullptr);
  } else if (auto text = TRY(reader.text("description"))) {
    trigger.members.set("description", *text);
  }
  for (const std::string_view name : {"name", "functionId"}) {
    if (auto text = TRY(reader.text(name))) trigger.members.set(name, *text);
  }
  for (const std::string_view name : {"name", "functionId"}) {
    if (!trigger.text(name).empty()) continue;
    return fail(Code::invalid, std::string(name) + " is required", std::string(name));
  }
  TRY(merge_type(reader, trigger));
  if (const Object* metadata = TRY(reader.object(metadata_name))) {
    TRY(check_parameters(*metadata));
    Object asked = *metadata;
    keep_secrets(trigger.metadata(), asked);
    trigger.members.set(metadata_name, std::move(asked));
  }
  if (const auto enabled = TRY(reader.boolean("enabled"))) trigger.members.set("paused", !*enabled);
  if (render_json(Value(trigger.members)).size() > limits::function_trigger_bytes_max) {
    return fail(Code::too_large, fmt::format("a function trigger has at most {} bytes as JSON",
                                             limits::function_trigger_bytes_max));
  }
  return check_metadata(call, before, trigger);
}

}  // namespace mayfly::centrali
