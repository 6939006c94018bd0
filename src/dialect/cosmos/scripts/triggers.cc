#include "dialect/cosmos/scripts/triggers.h"

#include <algorithm>
#include <iterator>

#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/scripts/runtime/run.h"
#include "dialect/cosmos/stored/tokens.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view pre_include = "x-ms-documentdb-pre-trigger-include";
constexpr std::string_view pre_exclude = "x-ms-documentdb-pre-trigger-exclude";
constexpr std::string_view post_include = "x-ms-documentdb-post-trigger-include";
constexpr std::string_view post_exclude = "x-ms-documentdb-post-trigger-exclude";

// An upsert may create or replace, so triggers for either apply to it.
struct Fit {
  WriteOperation operation;
  std::string_view name;
  std::vector<std::string_view> operations;
};
const Fit& fit_of(WriteOperation operation) {
  static const Fit rows[] = {
      {WriteOperation::create, "Create", {"All", "Create"}},
      {WriteOperation::upsert, "Upsert", {"All", "Upsert", "Create", "Update", "Replace"}},
      {WriteOperation::replace, "Replace", {"All", "Replace", "Update"}},
      {WriteOperation::remove, "Delete", {"All", "Delete"}}};
  return *std::find_if(std::begin(rows), std::end(rows),
                       [operation](const Fit& row) { return row.operation == operation; });
}

std::vector<std::string> names_in(std::string_view header) {
  std::vector<std::string> names;
  while (!header.empty()) {
    const auto comma = std::min(header.find(','), header.size());
    std::string_view name = header.substr(0, comma);
    header.remove_prefix(std::min(comma + 1, header.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

Result<std::vector<std::string>> named(const CosmosCall& call, std::string_view include,
                                       std::string_view exclude) {
  std::vector<std::string> names = names_in(call.header(include));
  const std::vector<std::string> without = names_in(call.header(exclude));
  std::erase_if(names, [&without](const std::string& name) {
    return std::find(without.begin(), without.end(), name) != without.end();
  });
  if (names.size() <= limits::script_triggers_max) return names;
  return tl::unexpected(bad_request("A request may name " +
                                        std::to_string(limits::script_triggers_max) +
                                        " triggers of a kind at most (script_triggers_max).",
                                    std::string(include)));
}

Result<ScriptDefinition> find_trigger(const Container& container, const std::string& name,
                                      std::string_view type, WriteOperation operation, View& view) {
  const auto trigger = TRY(find_definition(ResourceKind::trigger, container, name, view));
  if (!trigger) {
    return tl::unexpected(bad_request("The container has no trigger '" + name + "'."));
  }
  const Fit& fit = fit_of(operation);
  const bool fits = std::any_of(fit.operations.begin(), fit.operations.end(), [&](auto operation) {
    return equal_in_any_case(operation, trigger->trigger_operation);
  });
  if (equal_in_any_case(trigger->trigger_type, type) && fits) return *trigger;
  return tl::unexpected(bad_request("The trigger '" + name + "' is a " + trigger->trigger_type +
                                    "-trigger for the operation " + trigger->trigger_operation +
                                    " and cannot run as a " + std::string(type) + "-trigger of " +
                                    std::string(fit.name) + "."));
}

// The partition in the request's header, or else that of its document.
Result<Restriction> partition_of(CosmosCall& call, const Container& container, const Value& body) {
  Restriction restriction = TRY(restriction_of(call, container));
  if (restriction.routing) return restriction;
  if (!body.is(Kind::object)) return tl::unexpected(key_is_missing());
  const PartitionKey& key = container.definition.key;
  Restriction own{.values = values_in(key, body)};
  own.routing = routing_of(key, own.values);
  TRY(check_granted_partition(call, key, *own.routing));
  return own;
}

}  // namespace

bool names_triggers(const CosmosCall& call) {
  return !call.header(pre_include).empty() || !call.header(post_include).empty();
}

Result<void> refuse_triggers(const CosmosCall& call) {
  if (!names_triggers(call)) return {};
  return tl::unexpected(bad_request("A batch runs no triggers.", std::string(pre_include)));
}

Result<Triggers> Triggers::of(CosmosCall& call, WriteOperation operation) {
  Triggers triggers(call, operation);
  if (!names_triggers(call)) return triggers;
  triggers.before_ = TRY(named(call, pre_include, pre_exclude));
  triggers.after_ = TRY(named(call, post_include, post_exclude));
  triggers.scripts_ = TRY(RequestScripts::begin(call));
  return triggers;
}

Result<std::optional<std::string>> Triggers::before(Transaction& transaction,
                                                    const Container& container) {
  if (before_.empty()) return std::nullopt;
  Value body;
  if (operation_ != WriteOperation::remove) body = TRY(parse_json(call_.request.body));
  const auto changed = TRY(before(transaction, container, std::move(body)));
  return render_json(changed.value_or(Value()));
}

Result<std::optional<Value>> Triggers::before(Transaction& transaction, const Container& container,
                                              Value body) {
  if (before_.empty()) return std::nullopt;
  for (const std::string& name : before_) {
    const auto trigger = TRY(find_trigger(container, name, "Pre", operation_, transaction.view()));
    auto partition = TRY(partition_of(call_, container, body));
    const ScriptEnvironment environment{call_, transaction, container, std::move(partition),
                                        *scripts_};
    ScriptOutcome outcome =
        TRY(run_script(environment, trigger, {},
                       {.operation = std::string(fit_of(operation_).name), .request = body}));
    body = std::move(outcome.messages.request);
  }
  return body;
}

Result<std::optional<Value>> Triggers::after(Transaction& transaction, const Container& container,
                                             const DocumentKey& key) {
  std::optional<Value> reported;
  for (const std::string& name : after_) {
    View& view = transaction.view();
    const auto trigger = TRY(find_trigger(container, name, "Post", operation_, view));
    const auto document = TRY(view.get(*container.collection, key, view.live()));
    const Value body = document ? document_value(container, *document) : Value();
    const Value answer = reported.value_or(body);
    const ScriptEnvironment environment{
        call_, transaction, container, {.routing = key.routing}, *scripts_};
    ScriptOutcome outcome = TRY(run_script(
        environment, trigger, {},
        {.operation = std::string(fit_of(operation_).name), .request = body, .response = answer}));
    if (outcome.answers) reported = std::move(outcome.messages.response);
  }
  return reported;
}

}  // namespace mayfly::cosmos
