// Trigger: when a compute function runs, and with which parameters. It is stored in a private table
// of its workspace's database. An event-driven trigger has a subscription (delivery/subscription.h)
// of the same id.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/feed/feed.h"
#include "db/private_table.h"

namespace mayfly::centrali {

struct Trigger {
  enum class Type { on_demand, event_driven, scheduled, http };

  std::string id;
  // name, functionId, executionType, triggerMetadata, paused, nextRunAt, lastRunAt
  Object members;
  Instant created_at = {};
  Instant updated_at = {};
  std::string author = {};  // of the last change; empty: unknown

  std::string text(std::string_view member) const;
  Type type() const;
  bool is_paused() const;
  Object metadata() const;
  // The function's triggerParams.
  Object parameters() const;
  Instant next_run_at() const;  // of a paused one: once it is resumed. never(): it is not scheduled
  void set_next_run(Instant at);

  static PrivateSpec table();
  static Result<Trigger> decode(const Document& document);
  Result<Value> encode() const { return Value(members); }
};

// Whether answers hide the value of a parameter: {"value": …, "encrypt": true}. The function gets
// the `value` alone.
bool is_secret_parameter(const Value& parameter);

std::string_view word_of(Trigger::Type type);
// Nothing if there is no such type.
std::optional<Trigger::Type> trigger_type(std::string_view word);
// The kind of event that a trigger names; nothing if functions are not run for it.
std::optional<Event::Kind> event_of_trigger(std::string_view name);

}  // namespace mayfly::centrali
