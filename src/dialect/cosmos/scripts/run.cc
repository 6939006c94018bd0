#include "dialect/cosmos/scripts/run.h"

#include "dialect/cosmos/scripts/engine.h"
#include "dialect/cosmos/scripts/library.h"
#include "dialect/cosmos/system_properties.h"

namespace mayfly::cosmos {

Result<ScriptOutcome> run_script(const ScriptPlace& place, const ScriptDefinition& definition,
                                 std::span<const Value> arguments, ScriptMessages messages) {
  ScriptHost host(place);
  const Object setting{{"self", place.container.self_link()},
                       {"alt", place.container.link()},
                       {"operation", messages.operation},
                       {"request", messages.request},
                       {"response", messages.response}};
  const auto ask = [&](std::string_view name, std::span<const Value> given) -> Result<Value> {
    return name == "setting" ? Value(setting) : host.answer(name, given);
  };
  const auto script =
      TRY(Script::open({.stop_at = place.stop_at, .now = place.transaction.now(), .host = ask}));
  const std::size_t library = TRY(script->add_function("library", script_library));
  const std::size_t function = TRY(script->add_function(definition.name, definition.body));
  const auto task = [&](const char* name) {
    const Value named(name);
    return script->call(library, std::span(&named, 1));
  };
  TRY(script->call(function, arguments));
  while (TRY(task("next")).is_true()) {
  }
  TRY(script->check_promise());
  messages.request = TRY(task("request"));
  const bool answers = TRY(task("answers")).is_true();
  if (answers) messages.response = TRY(task("response"));
  return ScriptOutcome{std::move(messages), answers, host.log()};
}

void tell_as_committed(Value& value, const std::string& own_tag, Instant at) {
  if (value.is(Kind::array)) {
    for (Value& item : value.mutable_array()) tell_as_committed(item, own_tag, at);
  }
  if (!value.is(Kind::object)) return;
  Object& object = value.mutable_object();
  Value* const tag = object.find("_etag");
  if (tag != nullptr && tag->is(Kind::text) && tag->text() == own_tag) {
    *tag = etag_of(at);
    if (Value* const seconds = object.find("_ts")) *seconds = at.whole_seconds();
  }
  for (auto& [name, member] : object) tell_as_committed(member, own_tag, at);
}

}  // namespace mayfly::cosmos
