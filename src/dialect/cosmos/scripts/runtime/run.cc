#include "dialect/cosmos/scripts/runtime/run.h"

#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/scripts/runtime/library.h"

namespace mayfly::cosmos {

Result<ScriptOutcome> run_script(const ScriptEnvironment& environment,
                                 const ScriptDefinition& definition,
                                 std::span<const Value> arguments, ScriptMessages messages) {
  ScriptHost host(environment);
  const bool changes_request = equal_in_any_case(definition.trigger_type, "Pre");
  Object setting{{"self", environment.container.self_link()},
                 {"alt", environment.container.link()},
                 {"operation", messages.operation},
                 {"changesRequest", changes_request},
                 {"request", messages.request},
                 {"response", messages.response}};
  script::Sandbox& sandbox = *TRY(environment.scripts.sandbox(environment.container));
  TRY(sandbox.begin({.now = environment.transaction.now(),
                     .prelude = script_library,
                     .context = std::move(setting),
                     .host = [&host](std::string_view name, std::span<const Value> given) {
                       return host.answer(name, given);
                     }}));
  const std::size_t function = TRY(sandbox.define(definition.name, definition.body));
  const Value result = TRY(sandbox.call(function, arguments));
  const bool answers = result.member("answers").is_true();
  if (changes_request) messages.request = result.member("request");
  if (answers) messages.response = result.member("response");
  return ScriptOutcome{std::move(messages), answers, host.log()};
}

void report_as_committed(Value& value, const std::string& own_tag, Instant at) {
  if (value.is(Kind::array)) {
    for (Value& item : value.mutable_array()) report_as_committed(item, own_tag, at);
  }
  if (!value.is(Kind::object)) return;
  Object& object = value.mutable_object();
  Value* const tag = object.find("_etag");
  if (tag != nullptr && tag->is(Kind::text) && tag->text() == own_tag) {
    *tag = etag_of(at);
    if (Value* const seconds = object.find("_ts")) *seconds = at.whole_seconds();
  }
  for (auto& [name, member] : object) report_as_committed(member, own_tag, at);
}

}  // namespace mayfly::cosmos
