#include "dialect/centrali/triggers/trigger.h"

#include "dialect/centrali/functions/compute_function.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK.
constexpr std::string_view function_triggers_name = "#centrali.triggers";

struct TriggerTypeRow {
  Trigger::Type type;
  std::string_view word;
};
// If a type has several names, the first is shown.
constexpr TriggerTypeRow trigger_types[] = {{Trigger::Type::on_demand, "on-demand"},
                                            {Trigger::Type::event_driven, "event-driven"},
                                            {Trigger::Type::scheduled, "scheduled"},
                                            {Trigger::Type::http, "http-trigger"},
                                            {Trigger::Type::http, "endpoint"}};

struct EventRow {
  std::string_view name;
  Event::Kind kind;
};
constexpr EventRow trigger_events[] = {
    {"record_created", Event::Kind::created}, {"record_updated", Event::Kind::replaced},
    {"record_deleted", Event::Kind::removed}, {"record_restored", Event::Kind::restored},
    {"record_expired", Event::Kind::expired}, {"record.expired", Event::Kind::expired}};

}  // namespace

std::string_view word_of(Trigger::Type type) {
  for (const TriggerTypeRow& row : trigger_types) {
    if (row.type == type) return row.word;
  }
  return {};
}

std::optional<Trigger::Type> trigger_type(std::string_view word) {
  for (const TriggerTypeRow& row : trigger_types) {
    if (row.word == word) return row.type;
  }
  return std::nullopt;
}

std::optional<Event::Kind> event_of_trigger(std::string_view name) {
  for (const EventRow& row : trigger_events) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

std::string Trigger::text(std::string_view member) const {
  return text_in(members, member);
}

Trigger::Type Trigger::type() const {
  return trigger_type(text("executionType")).value_or(Type::on_demand);
}

bool Trigger::is_paused() const {
  return member_or_null(members, "paused").is_true();
}

Object Trigger::metadata() const {
  const Value metadata = member_or_null(members, "triggerMetadata");
  return metadata.is(Kind::object) ? metadata.object() : Object();
}

bool is_secret_parameter(const Value& parameter) {
  return parameter.member("encrypt").is_true() && !parameter.member("value").is_missing();
}

Object Trigger::parameters() const {
  const Value given = member_or_null(metadata(), "params");
  if (!given.is(Kind::object)) return {};
  Object parameters;
  for (const auto& [name, value] : given.object()) {
    parameters.set(name, is_secret_parameter(value) ? value.member("value") : value);
  }
  return parameters;
}

Instant Trigger::next_run_at() const {
  const Value at = member_or_null(members, "nextRunAt");
  return at.is(Kind::time) ? at.time() : Instant::never();
}

void Trigger::set_next_run(Instant at) {
  members.set("nextRunAt", at.is_never() ? Value(nullptr) : Value(at));
}

PrivateSpec Trigger::table() {
  return {.name = function_triggers_name};
}

Result<Trigger> Trigger::decode(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  Trigger trigger{std::string(document.id), body.object(), document.created_at,
                  document.version.written_at, std::string(document.updater)};
  for (const std::string_view name : {"functionId", "executionType"}) {
    if (trigger.text(name).empty()) return not_as_written(name);
  }
  return trigger;
}

}  // namespace mayfly::centrali
