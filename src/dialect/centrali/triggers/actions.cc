#include "dialect/centrali/triggers/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "delivery/standing.h"
#include "dialect/centrali/functions/functions.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/functions/rows.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/asked.h"
#include "dialect/centrali/triggers/schedules/schedule.h"
#include "dialect/centrali/triggers/schedules/schedules.h"
#include "dialect/centrali/triggers/subscribing.h"
#include "dialect/common/requests/json_body.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr std::string_view trigger_word = "function trigger";

// Null while the trigger is paused.
Value shown_next_run(const Trigger& trigger) {
  const Instant at = trigger.is_paused() ? Instant::never() : trigger.next_run_at();
  return at.is_never() ? Value(nullptr) : Value(render_time(at));
}

Value shown_last_run(const Trigger& trigger) {
  const Value at = member_or_null(trigger.members, "lastRunAt");
  return at.is(Kind::time) ? Value(render_time(at.time())) : Value(nullptr);
}

// Parameters that were sent as secrets are not shown.
Object shown_metadata(const Trigger& trigger) {
  Object metadata = trigger.metadata();
  const Value given = member_or_null(metadata, "params");
  if (!given.is(Kind::object)) return metadata;
  Object parameters = given.object();
  for (auto& [name, value] : parameters) {
    if (is_secret_parameter(value)) value.mutable_object().set("value", nullptr);
  }
  metadata.set("params", std::move(parameters));
  return metadata;
}

std::string render(const Trigger& trigger, std::string_view workspace) {
  const bool is_paused = trigger.is_paused();
  return render_json(Object{{"id", trigger.id},
                            {"name", trigger.text("name")},
                            {"description", member_or_null(trigger.members, "description")},
                            {"functionId", trigger.text("functionId")},
                            {"executionType", word_of(trigger.type())},
                            {"triggerMetadata", shown_metadata(trigger)},
                            {"enabled", !is_paused},
                            {"status", is_paused ? "paused" : "active"},
                            {"nextRunAt", shown_next_run(trigger)},
                            {"lastRunAt", shown_last_run(trigger)},
                            {"workspaceSlug", workspace},
                            {"createdAt", render_time(trigger.created_at)},
                            {"updatedAt", render_time(trigger.updated_at)}});
}

Result<net::Response> answer_trigger(CentraliCall& call, int status, const std::string& id) {
  View view = call.database().view();
  const auto trigger = TRY(find_row<Trigger>(call, view, trigger_word, id));
  return net::Response{.status = status, .body = render(trigger, call.workspace)};
}

// The locks held while triggers of a workspace are changed.
struct TriggerLocks {
  TriggerLocks(CentraliCall& call, DatabaseId workspace)
      : schedules(call.functions.schedules(), workspace) {
    if (call.services.deliveries == nullptr) return;
    deliveries.emplace(*call.services.deliveries, workspace);
  }
  const Schedules::TriggerChange schedules;
  std::optional<delivery::Deliveries::SubscriptionChange> deliveries = std::nullopt;
};

// Each path has at most one HTTP trigger.
Result<void> check_path_is_free(CentraliCall& call, View& view, const Trigger& trigger) {
  if (trigger.type() != Trigger::Type::http) return {};
  for (const Trigger& other : TRY(table_of<Trigger>(call, view.catalog()).list(view))) {
    const bool is_same = other.type() == Trigger::Type::http && other.id != trigger.id &&
                         path_of(other) == path_of(trigger);
    if (is_same) {
      return fail(Code::exists, "another trigger has this path", "triggerMetadata.path");
    }
  }
  return {};
}

// Writes the trigger with its subscription and next run. `before` is what it was before the change.
Result<void> put(CentraliCall& call, Transaction& transaction, DatabaseId workspace,
                 const Trigger& before, Trigger trigger) {
  View& view = transaction.view();
  const std::string function = trigger.text("functionId");
  const auto known =
      TRY(table_of<ComputeFunction>(call, view.catalog()).get(view, DocumentKey::of(function)));
  if (!known) {
    return fail(Code::invalid, "compute function not found: '" + function + "'", "functionId");
  }
  TRY(check_path_is_free(call, view, trigger));
  TRY(plan_next_run(before, trigger, transaction.now()));
  TRY(put_subscription(call, transaction, workspace, before, trigger));
  return table_of<Trigger>(call, view.catalog())
      .put(transaction, DocumentKey::of(trigger.id), trigger, {.author = call.principal.name});
}

Result<DatabaseInfoPtr> known_workspace(CentraliCall& call) {
  if (auto found = call.database().catalog()->find_database(call.workspace)) return found;
  return fail(Code::not_found,
              std::string(trigger_word) + " not found: '" + call.match["trigger"] + "'");
}

template <class Change>
Result<net::Response> change_trigger(CentraliCall& call, const Change& change) {
  const std::string& id = call.match["trigger"];
  const DatabaseInfoPtr workspace = TRY(known_workspace(call));
  // Before the transaction. If it then finds no trigger, only these tables remain.
  TRY(make_function_tables(call.database(), workspace->id));
  TRY(delivery::begin_subscriptions(call.database(), workspace->id, call.services.random));
  {
    const TriggerLocks held(call, workspace->id);
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      const auto before = TRY(find_row<Trigger>(call, transaction.view(), trigger_word, id));
      Trigger trigger = before;
      TRY(change(trigger));
      TRY(check_subscribing(call, trigger));
      return put(call, transaction, workspace->id, before, std::move(trigger));
    }));
  }
  return answer_trigger(call, 200, id);
}

Result<net::Response> set_paused(CentraliCall& call, bool is_paused) {
  return change_trigger(call, [is_paused](Trigger& trigger) -> Result<void> {
    trigger.members.set("paused", is_paused);
    return {};
  });
}

Result<RunEnd> run_now(CentraliCall& call, const Trigger& trigger, Trigger::Type source,
                       Value parameters) {
  View view = call.database().view();
  auto function =
      TRY(find_row<ComputeFunction>(call, view, "compute function", trigger.text("functionId")));
  RunOrder order{.workspace = call.workspace,
                 .function = std::move(function),
                 .trigger = trigger.id,
                 .source = word_of(source)};
  order.parameters = std::move(parameters);
  order.trigger_parameters = trigger.parameters();
  order.answer_by = call.request.answer_by;
  return call.functions.run(order);
}

// The request's parameters without its credentials.
Value http_parameters(const CentraliCall& call) {
  constexpr std::string_view secret[] = {"authorization", "proxy-authorization", "x-api-key",
                                         "cookie"};
  Object headers, query;
  for (const auto& [name, value] : call.request.headers) {
    const bool is_secret =
        std::find(std::begin(secret), std::end(secret), name) != std::end(secret);
    if (!is_secret) headers.set(name, value);
  }
  for (const auto& [name, value] : call.request.parameters) query.set(name, value);
  const auto body = parse_json(call.request.body, {.bytes_max = call.request.body.size()});
  return Object{{"method", call.request.method},
                {"path", call.match["path"]},
                {"headers", std::move(headers)},
                {"query", std::move(query)},
                {"body", body ? *body : Value(nullptr)}};
}

Error error_of(const Run& run) {
  const bool is_late = run.status() == Run::Status::timeout;
  return {is_late ? Code::timed_out : Code::invalid, "the function failed: " + run.text("error")};
}

}  // namespace

Result<net::Response> list_triggers(CentraliCall& call) {
  View view = call.database().view();
  auto triggers = TRY(list_rows<Trigger>(call, view));
  if (const std::string* function = call.request.parameter("functionId")) {
    std::erase_if(triggers, [&](const Trigger& t) { return t.text("functionId") != *function; });
  }
  return list_response(triggers,
                       [&](const Trigger& trigger) { return render(trigger, call.workspace); });
}

Result<net::Response> create_trigger(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  Trigger made{call.services.random.uuid(), Object{{"paused", false}}};
  TRY(merge_trigger(call, body, made));
  TRY(check_subscribing(call, made));
  TRY(plan_next_run({}, made, call.database().now()));
  DatabaseInfoPtr workspace;
  {
    const std::lock_guard edit(call.directory.edits());
    workspace = TRY(workspace_database(call));
    TRY(make_function_tables(call.database(), workspace->id));
    TRY(delivery::begin_subscriptions(call.database(), workspace->id, call.services.random));
  }
  {
    const TriggerLocks held(call, workspace->id);
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      View& view = transaction.view();
      const auto others = TRY(table_of<Trigger>(call, view.catalog()).list(view));
      if (others.size() >= limits::function_triggers_max) {
        return fail(Code::too_large, fmt::format("a workspace has at most {} function triggers",
                                                 limits::function_triggers_max));
      }
      return put(call, transaction, workspace->id, {}, made);
    }));
  }
  return answer_trigger(call, 201, made.id);
}

Result<net::Response> read_trigger(CentraliCall& call) {
  return answer_trigger(call, 200, call.match["trigger"]);
}

Result<net::Response> update_trigger(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  return change_trigger(call, [&](Trigger& trigger) { return merge_trigger(call, body, trigger); });
}

Result<net::Response> remove_trigger(CentraliCall& call) {
  const std::string& id = call.match["trigger"];
  const DatabaseInfoPtr workspace = TRY(known_workspace(call));
  const TriggerLocks held(call, workspace->id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    TRY(find_row<Trigger>(call, view, trigger_word, id));
    TRY(remove_subscription(transaction, workspace->id, id));
    return table_of<Trigger>(call, view.catalog()).remove(transaction, DocumentKey::of(id));
  }));
  return net::Response{.status = 204};
}

Result<net::Response> pause_trigger(CentraliCall& call) {
  return set_paused(call, true);
}

Result<net::Response> resume_trigger(CentraliCall& call) {
  return set_paused(call, false);
}

// The body's params, or the body itself where it has none.
Result<net::Response> invoke_trigger(CentraliCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  const Value* params = body.find("params");
  View view = call.database().view();
  const auto trigger = TRY(find_row<Trigger>(call, view, trigger_word, call.match["trigger"]));
  const RunEnd end = TRY(
      run_now(call, trigger, Trigger::Type::on_demand, params == nullptr ? Value(body) : *params));
  if (end.was_refused) return fail(Code::throttled, end.run.text("error"));
  return net::Response{.body = render(end.run, call.workspace)};
}

Result<net::Response> answer_http_trigger(CentraliCall& call) {
  std::string path = call.match["path"];
  while (path.ends_with('/')) path.pop_back();
  View view = call.database().view();
  for (const Trigger& trigger : TRY(table_of<Trigger>(call, view.catalog()).list(view))) {
    if (trigger.type() != Trigger::Type::http || path_of(trigger) != path) continue;
    if (trigger.is_paused()) break;
    const RunEnd end = TRY(run_now(call, trigger, Trigger::Type::http, http_parameters(call)));
    if (end.was_refused) return fail(Code::throttled, end.run.text("error"));
    if (end.run.status() != Run::Status::completed) return tl::unexpected(error_of(end.run));
    return net::Response{.body = end.run.text("result")};
  }
  return fail(Code::not_found, "HTTP trigger not found: '" + path + "'");
}

}  // namespace mayfly::centrali
