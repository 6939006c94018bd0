#include "dialect/centrali/functions/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/cut_text.h"
#include "dialect/centrali/functions/api/host.h"
#include "dialect/centrali/functions/api/library.h"
#include "dialect/centrali/functions/chain.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/triggers/schedules/schedules.h"
#include "dialect/centrali/triggers/trigger.h"
#include "dialect/common/errors.h"
#include "script/pool.h"
#include "script/sandbox.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

Run::Status status_of(const Result<Value>& result) {
  if (result) return Run::Status::completed;
  return result.error().code == Code::timed_out ? Run::Status::timeout : Run::Status::failed;
}

// The message without the engine's prefix.
std::string error_of(const Error& error) {
  constexpr std::string_view before = "Exception = ";
  std::string message = client_message(error);
  if (error.code == Code::invalid) {
    const std::size_t at = message.find(before);
    if (at != std::string::npos) message.erase(0, at + before.size());
    const std::size_t trace = message.find("\r\nStack trace: ");
    if (trace != std::string::npos) message.replace(trace, 2, "\n");
  }
  message.resize(truncate_utf8(message, limits::function_error_bytes_max).size());
  return message;
}

Result<std::string> result_of(const Value& value) {
  std::string json = value.is_missing() ? "null" : render_json(value);
  if (json.size() <= limits::function_result_bytes_max) return json;
  return fail(Code::too_large, fmt::format("run() gave more than {} bytes as JSON",
                                           limits::function_result_bytes_max));
}

Run new_run(const RunOrder& order, std::string id, Instant now) {
  const Value trigger = order.trigger.empty() ? Value(nullptr) : Value(order.trigger);
  return {std::move(id),
          Object{{"functionId", order.function.id},
                 {"triggerId", trigger},
                 {"status", word_of(Run::Status::running)},
                 {"executionSource", order.source},
                 {"attempt", order.attempt},
                 {"depth", order.depth},
                 {"startedAt", now}},
          now};
}

void record_end(Run& run, const Result<Value>& outcome, const std::string& log, Instant now,
                Span took) {
  Result<std::string> result = outcome ? result_of(*outcome) : tl::unexpected(outcome.error());
  run.members.set("status", word_of(outcome && !result ? Run::Status::failed : status_of(outcome)));
  if (result) run.members.set("result", *std::move(result));
  if (!result) run.members.set("error", error_of(result.error()));
  run.members.set("log", log);
  run.members.set("endedAt", now);
  run.members.set("durationMs", took.micros / 1'000);
}

}  // namespace

// Registers the run as active while it lives.
class Functions::ActiveRun {
 public:
  ActiveRun(Functions& functions, const std::string& run) : functions_(functions), run_(run) {
    const std::lock_guard lock(functions_.mutex_);
    functions_.running_.insert(run_);
  }
  ~ActiveRun() {
    const std::lock_guard lock(functions_.mutex_);
    functions_.running_.erase(run_);
  }

 private:
  Functions& functions_;
  const std::string run_;
};

Functions::Functions(Dependencies dependencies) : dependencies_(std::move(dependencies)) {
  if (dependencies_.services.runner != nullptr) {
    tasks_ = std::make_unique<script::Runner::Group>(*dependencies_.services.runner);
  }
  schedules_ = std::make_unique<Schedules>(dependencies_.services.database, *this);
}

Functions::~Functions() {
  schedules_->stop();
  tasks_.reset();
}

bool Functions::run_later(const std::string& workspace, script::Runner::Task task) {
  return tasks_ != nullptr && tasks_->add(workspace, std::move(task));
}

bool Functions::is_stopping() const {
  return tasks_ != nullptr && tasks_->is_stopping();
}

// A run is active until its end has been stored. So a run that is not active and is still stored as
// running was interrupted.
Result<void> Functions::update_status(const std::string& workspace, Run& run) const {
  if (run.status() != Run::Status::running) return {};
  {
    const std::lock_guard lock(mutex_);
    if (running_.contains(run.id)) return {};
  }
  Database& database = dependencies_.services.database;
  const CatalogPtr catalog = database.catalog();
  const auto environment = catalog->find_database(workspace);
  const auto table =
      environment ? PrivateTable<Run>::find(*catalog, environment->id) : PrivateTable<Run>();
  if (auto now = TRY(table.get(database, DocumentKey::of(run.id)))) run = *std::move(now);
  if (run.status() != Run::Status::running) return {};
  run.members.set("status", word_of(Run::Status::failed));
  run.members.set("error", "the server ended during the run");
  return {};
}

// State that a script leaves in a process is reachable only by scripts of the same workspace.
Result<std::unique_ptr<script::Sandbox>> Functions::sandbox(const std::string& workspace,
                                                            Instant stop_at) {
  script::Pool* const pool = dependencies_.services.scripts;
  if (pool == nullptr) return fail(Code::unsupported, "this server runs no scripts");
  const auto database = dependencies_.services.database.catalog()->find_database(workspace);
  Bytes scope = database ? "centrali." : "centrali.new." + workspace;
  if (database) put_u64(scope, database->id);
  return pool->take(scope, stop_at);
}

Result<void> Functions::check(const std::string& workspace, std::string_view code,
                              Instant answer_by) {
  const Instant stop_at = TRY(script::begin_scripts(answer_by));
  const auto sandbox = TRY(this->sandbox(workspace, stop_at));
  const Value nothing = Object();
  TRY(sandbox->begin({.now = dependencies_.services.database.now(),
                      .prelude = function_library,
                      .context = Object{{"executionParams", nothing}, {"triggerParams", nothing}},
                      .host = [](std::string_view, std::span<const Value>) -> Result<Value> {
                        return Value(
                            Object{{"error", Object{{"message", "api is for run() to use"}}}});
                      }}));
  const auto defined = sandbox->define("function", function_expression(code));
  if (defined) return {};
  if (defined.error().code != Code::invalid) return tl::unexpected(defined.error());
  const bool has_no_run = defined.error().message.find("is not a function") != std::string::npos;
  return fail(Code::invalid,
              has_no_run ? "code must define `async function run()`"
                         : "code cannot be used: " + error_of(defined.error()),
              "code");
}

Result<void> Functions::admit(const RunOrder& order, const std::string& root) {
  if (order.depth > limits::function_chain_max) {
    return fail(Code::exists,
                fmt::format("a circle was cut: functions have run {} times because of what "
                            "functions wrote, and this run would be the next",
                            limits::function_chain_max));
  }
  if (order.depth == 1) return {};
  const std::lock_guard lock(mutex_);
  return chain_counts_.add(root);
}

// The run did not begin, and will be tried again.
void Functions::take_back(const std::string& root) {
  const std::lock_guard lock(mutex_);
  chain_counts_.take_back(root);
}

FunctionEnvironment Functions::environment_of(const RunOrder& order, DatabaseId workspace,
                                              const std::string& root, Instant stop_at) {
  const Services& services = dependencies_.services;
  return {services,
          dependencies_.options,
          dependencies_.directory,
          *this,
          dependencies_.send,
          order.workspace,
          "function:" + order.function.id,
          stop_at,
          [&services, workspace, link = ChainLink{order.depth, root}](Transaction& transaction) {
            return put_chain_link(transaction, workspace, services.random.uuid(), link);
          }};
}

Result<Value> Functions::execute(const RunOrder& order, FunctionHost& host, Instant stop_at) {
  const auto sandbox = TRY(this->sandbox(order.workspace, stop_at));
  TRY(sandbox->begin({.now = dependencies_.services.database.now(),
                      .prelude = function_library,
                      .context = Object{{"executionParams", order.parameters},
                                        {"triggerParams", order.trigger_parameters}},
                      .host = [&host](std::string_view name, std::span<const Value> given) {
                        return host.answer(name, given);
                      }}));
  const std::size_t function =
      TRY(sandbox->define("function", function_expression(order.function.text("code"))));
  return sandbox->call(function, {});
}

Result<RunEnd> Functions::run(const RunOrder& order, const AtEnd& at_end) {
  const Services& services = dependencies_.services;
  Database& database = services.database;
  const auto workspace = database.catalog()->find_database(order.workspace);
  if (!workspace) return fail(Code::not_found, "workspace not found: '" + order.workspace + "'");
  const Instant by = std::min(TRY(script::begin_scripts(order.answer_by)),
                              monotonic_now() + order.function.time_max());
  RunEnd end{new_run(order, services.random.uuid(), database.now())};
  const ActiveRun under(*this, end.run.id);
  const auto put = [&](Transaction& transaction) {
    return put_run(transaction, workspace->id, end.run);
  };
  TRY(database.transact(put));
  const std::string root = order.root.empty() ? end.run.id : order.root;
  const FunctionEnvironment environment = environment_of(order, workspace->id, root, by);
  FunctionHost host(environment);
  const Instant began_at = monotonic_now();
  const Result<void> admitted = admit(order, root);
  const Result<Value> outcome =
      admitted ? execute(order, host, by) : Result<Value>(tl::unexpected(admitted.error()));
  if (!outcome && is_stopping()) return tl::unexpected(outcome.error());
  end.was_cut = !admitted;
  end.was_refused = admitted && !outcome && outcome.error().code == Code::throttled;
  if (end.was_refused) take_back(root);
  record_end(end.run, outcome, host.log(), database.now(), monotonic_now() - began_at);
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    TRY(put(transaction));
    return at_end && !end.was_refused ? at_end(transaction) : Result<void>();
  }));
  return end;
}

Result<void> make_function_tables(Database& database, DatabaseId workspace) {
  TRY(PrivateTable<Run>::ensure(database, workspace));
  TRY(PrivateTable<ChainLink>::ensure(database, workspace));
  TRY(PrivateTable<Trigger>::ensure(database, workspace));
  TRY(PrivateTable<ComputeFunction>::ensure(database, workspace));
  return {};
}

}  // namespace mayfly::centrali
