#include "dialect/centrali/functions/actions.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/centrali/functions/functions.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/functions/rows.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/trigger.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/meter.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr std::string_view function_word = "compute function";

Value text_or_null(const std::string& text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

std::string render(const ComputeFunction& function, std::string_view workspace) {
  return render_json(Object{{"id", function.id},
                            {"name", function.text("name")},
                            {"code", function.text("code")},
                            {"description", member_or_null(function.members, "description")},
                            {"timeoutMs", function.time_max().micros / 1'000},
                            {"workspaceSlug", workspace},
                            {"createdBy", member_or_null(function.members, "createdBy")},
                            {"updatedBy", text_or_null(function.author)},
                            {"createdAt", render_time(function.created_at)},
                            {"updatedAt", render_time(function.updated_at)}});
}

Result<void> check_sizes(const Object& members) {
  const std::size_t code = text_in(members, "code").size();
  if (code > limits::function_code_bytes_max) {
    return fail(Code::invalid,
                fmt::format("code has at most {} bytes", limits::function_code_bytes_max), "code");
  }
  Object others = members;
  others.remove("code");
  if (render_json(Value(std::move(others))).size() <= limits::function_other_bytes_max) return {};
  return fail(Code::too_large,
              fmt::format("a compute function has at most {} bytes beside its code",
                          limits::function_other_bytes_max));
}

// Checks that the code in the body can be run. It is slow, so it is not called within a
// transaction.
Result<void> check_code(CentraliCall& call, const Object& body) {
  const auto code = TRY(MemberReader(body).text("code"));
  if (!code) return {};
  TRY(check_sizes(Object{{"code", *code}}));
  return call.functions.check(call.workspace, *code, call.request.answer_by);
}

// Merges the members of the body into the members.
Result<void> merge(const Object& body, Object& members) {
  MemberReader reader(body);
  if (const auto code = TRY(reader.text("code"))) members.set("code", *code);
  if (const auto name = TRY(reader.text("name"))) members.set("name", *name);
  if (reader.has_null("description")) {
    members.remove("description");
  } else if (const auto description = TRY(reader.text("description"))) {
    members.set("description", *description);
  }
  const std::int64_t most = limits::function_time_max.micros / 1'000;
  if (const auto millis = TRY(reader.integer("timeoutMs", 1, most))) {
    members.set("timeoutMs", *millis);
  }
  for (const std::string_view name : {"name", "code"}) {
    if (!text_in(members, name).empty()) continue;
    return fail(Code::invalid, std::string(name) + " is required", std::string(name));
  }
  return check_sizes(members);
}

Result<void> put_new(CentraliCall& call, Transaction& transaction, const ComputeFunction& made) {
  const auto table = table_of<ComputeFunction>(call, transaction.view().catalog());
  if (TRY(table.list(transaction.view())).size() >= limits::functions_max) {
    return fail(Code::too_large,
                fmt::format("a workspace has at most {} compute functions", limits::functions_max));
  }
  return table.put(transaction, DocumentKey::of(made.id), made, {.author = call.principal.name});
}

Result<net::Response> answer_function(CentraliCall& call, int status, const std::string& id) {
  View view = call.database().view();
  const auto function = TRY(find_row<ComputeFunction>(call, view, function_word, id));
  return net::Response{.status = status, .body = render(function, call.workspace)};
}

Result<net::Response> answer_runs(CentraliCall& call, const RunFilter& filter) {
  const std::string* asked = call.request.parameter("status");
  const std::string status = asked == nullptr ? "" : *asked;
  if (!status.empty() && !run_status(status)) {
    return fail(Code::invalid, "status is running, completed, failed or timeout", "status");
  }
  View view = call.database().view();
  // A run that is shown as failed may be stored as running.
  const bool is_kept_so = status.empty() || status == "completed" || status == "timeout";
  auto runs = TRY(read_runs(view, table_of<Run>(call, view.catalog()), filter,
                            is_kept_so ? status : "", meter_of(call.request)));
  for (Run& run : runs) TRY(call.functions.update_status(call.workspace, run));
  std::erase_if(runs,
                [&](const Run& run) { return !status.empty() && run.text("status") != status; });
  return list_response(runs, [&](const Run& run) { return render(run, call.workspace); });
}

}  // namespace

Result<net::Response> list_functions(CentraliCall& call) {
  View view = call.database().view();
  return list_response(
      TRY(list_rows<ComputeFunction>(call, view)),
      [&](const ComputeFunction& function) { return render(function, call.workspace); });
}

Result<net::Response> create_function(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  ComputeFunction made{call.services.random.uuid(), Object()};
  TRY(merge(body, made.members));
  TRY(check_code(call, body));
  made.members.set("createdBy", text_or_null(call.principal.name));
  {
    const std::lock_guard edit(call.directory.edits());
    TRY(make_function_tables(call.database(), TRY(workspace_database(call))->id));
  }
  TRY(call.database().transact(
      [&](Transaction& transaction) { return put_new(call, transaction, made); }));
  return answer_function(call, 201, made.id);
}

Result<net::Response> read_function(CentraliCall& call) {
  return answer_function(call, 200, call.match["function"]);
}

Result<net::Response> update_function(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const std::string& id = call.match["function"];
  TRY(check_code(call, body));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    auto function = TRY(find_row<ComputeFunction>(call, view, function_word, id));
    TRY(merge(body, function.members));
    return table_of<ComputeFunction>(call, view.catalog())
        .put(transaction, DocumentKey::of(id), function, {.author = call.principal.name});
  }));
  return answer_function(call, 200, id);
}

Result<net::Response> remove_function(CentraliCall& call) {
  const std::string& id = call.match["function"];
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    TRY(find_row<ComputeFunction>(call, view, function_word, id));
    for (const Trigger& trigger : TRY(table_of<Trigger>(call, view.catalog()).list(view))) {
      if (trigger.text("functionId") != id) continue;
      return fail(Code::exists, "the function has a trigger: '" + trigger.id + "'", "id");
    }
    return table_of<ComputeFunction>(call, view.catalog()).remove(transaction, DocumentKey::of(id));
  }));
  return net::Response{.status = 204};
}

Result<net::Response> list_runs(CentraliCall& call) {
  RunFilter filter;
  if (const auto* function = call.request.parameter("functionId")) filter.function = *function;
  if (const auto* trigger = call.request.parameter("triggerId")) filter.trigger = *trigger;
  return answer_runs(call, filter);
}

Result<net::Response> list_runs_of_function(CentraliCall& call) {
  const std::string& id = call.match["function"];
  View view = call.database().view();
  TRY(find_row<ComputeFunction>(call, view, function_word, id));
  return answer_runs(call, {.function = id});
}

Result<net::Response> list_runs_of_trigger(CentraliCall& call) {
  const std::string& id = call.match["trigger"];
  View view = call.database().view();
  TRY(find_row<Trigger>(call, view, "function trigger", id));
  return answer_runs(call, {.trigger = id});
}

Result<net::Response> read_run(CentraliCall& call) {
  View view = call.database().view();
  Run run = TRY(find_row<Run>(call, view, "function run", call.match["run"]));
  TRY(call.functions.update_status(call.workspace, run));
  return net::Response{.body = render(run, call.workspace)};
}

}  // namespace mayfly::centrali
