#include "dialect/kuzzle/memory/memory.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "base/threads/no_wait.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "expr/evaluation/meter.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::memory {
namespace {

using Commands = std::map<std::string_view, const Command*>;

const Commands& all_commands() {
  static const Commands commands = [] {
    Commands by_name;
    for (const auto& family :
         {text_commands(), bit_commands(), key_commands(), scan_commands(), list_commands(),
          set_commands(), hash_commands(), sorted_set_commands(), sorted_range_commands(),
          position_commands(), element_commands(), sort_commands()}) {
      for (const Command& command : family) by_name.emplace(command.name, &command);
    }
    return by_name;
  }();
  return commands;
}

// One command with its arguments.
struct Step {
  const Command& command;
  Arguments arguments;
};

// Fails with invalid if there is no such command.
Result<Step> step_of(const Message& message) {
  const auto found = all_commands().find(message.action);
  if (found == all_commands().end()) {
    return wrong_argument("action", "a command that can be one of several");
  }
  Arguments arguments = TRY(read_arguments(*found->second, message));
  return Step{*found->second, std::move(arguments)};
}

using Work = std::function<Result<Value>(Space&)>;

Result<Value> run_reading(const Work& work, KuzzleCall& call) {
  View view = call.database().view();
  Space space(view, meter_of(call), call.shared.services.random);
  return work(space);
}

// An event loop creates no tables.
Result<void> ensure_table(Database& database) {
  if (Table::find(*database.catalog())) return {};
  if (NoWait::refuses()) return fail(Code::contended, "the memory storage has no table yet");
  TRY(Table::ensure(database));
  return {};
}

Result<Value> run_writing(const Work& work, KuzzleCall& call) {
  for (int attempt = 1;; ++attempt) {
    TRY(ensure_table(call.database()));
    Value result;
    bool has_table = true;
    const auto written = call.database().transact([&](Transaction& transaction) -> Result<void> {
      Space space(transaction, meter_of(call), call.shared.services.random);
      has_table = space.has_table();
      if (!has_table) return fail(Code::not_found, "the memory storage is being flushed");
      result = TRY(work(space));
      return {};
    });
    if (written) return result;
    if (has_table || attempt == limits::memory_table_attempts_max) {
      return tl::unexpected(written.error());
    }
  }
}

Result<std::string> run_command(KuzzleCall& call) {
  const Step step = TRY(step_of(call.message));
  const Work work = [&](Space& space) { return step.command.run(space, step.arguments); };
  const bool reads = step.command.effect == RouteEffect::read;
  return render_json(TRY(reads ? run_reading(work, call) : run_writing(work, call)));
}

// One of the commands of mexecute. Fails with forbidden if the caller may not run it alone.
Result<Step> inner_step(const Value& item, const KuzzleCall& call) {
  const Value action = item.member("action");
  if (!action.is(Kind::text)) return missing_argument("action", "an");
  if (!item.member("args").is(Kind::object)) return wrong_type("args", "object");
  Message message;
  TRY(parse_message(item.member("args"), message));
  message.controller = controller;
  message.action = action.text();
  TRY(authorize(call, message));
  return step_of(message);
}

// All or nothing, in one transaction.
Result<std::string> run_several(KuzzleCall& call) {
  const Array& items = *TRY(call.body_array("actions"));
  if (items.size() > limits::memory_steps_max) {
    return fail(Code::too_large,
                fmt::format("\"actions\" has at most {} items", limits::memory_steps_max));
  }
  std::vector<Step> steps;
  for (const Value& item : items) steps.push_back(TRY(inner_step(item, call)));
  const Work work = [&](Space& space) -> Result<Value> {
    Array results;
    std::size_t bytes = 0;
    for (const Step& step : steps) {
      // Redis puts errors here; always null, because an error fails the whole request.
      Array result{nullptr};
      result.push_back(TRY(step.command.run(space, step.arguments)));
      bytes += weight(result.back());
      if (bytes > limits::memory_read_bytes_max) return too_much_at_once();
      results.emplace_back(std::move(result));
    }
    return Value(std::move(results));
  };
  return render_json(TRY(run_writing(work, call)));
}

Result<std::string> flush_all(KuzzleCall& call) {
  TRY(flush(call.database()));
  return render_json(ok());
}

}  // namespace

std::vector<Route> routes() {
  std::vector<Route> rows{
      {controller, "flushdb", flush_all, slow, RouteEffect::write, {"POST /ms/_flushdb"}},
      {controller, "mexecute", run_several, slow, RouteEffect::write, {"POST /ms/_mexecute"}}};
  for (const auto& [name, command] : all_commands()) {
    rows.push_back({controller, name, run_command, command->pace, command->effect, {command->url}});
  }
  return rows;
}

Result<void> flush(Database& database) {
  const Table table = Table::find(*database.catalog());
  if (!table) return {};
  const auto dropped = database.drop_collection(table.collection()->id);
  if (!dropped && dropped.error().code != Code::not_found) {
    return tl::unexpected(dropped.error());
  }
  return {};
}

}  // namespace mayfly::kuzzle::memory
