#include "dialect/centrali/functions/api/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/cut_text.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/functions/api/outbound.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/queries/actions.h"
#include "dialect/centrali/records/actions.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// Errors that a function cannot handle: they end the run.
bool ends_function(const Error& error) {
  constexpr Code codes[] = {Code::timed_out, Code::no_space, Code::corrupt, Code::internal};
  return std::find(std::begin(codes), std::end(codes), error.code) != std::end(codes);
}

Value failed(const Error& error, const std::vector<Detail>& details) {
  const net::Response response = render_error(error, details, "");
  const auto body = parse_json(response.body);
  Object told = body && body->is(Kind::object) ? body->object() : Object();
  told.remove("error");
  told.remove("requestId");
  told.set("status", response.status);
  return Object{{"error", std::move(told)}};
}

Result<std::string> text_of(const Value& value, const char* name) {
  if (value.is(Kind::text) && !value.text().empty()) return value.text();
  return fail(Code::invalid, fmt::format("{} is required, as a text", name), name);
}

// Null counts as an empty object.
Result<Object> object_of(const Value& value, const char* name) {
  if (value.is(Kind::object)) return value.object();
  if (value.is_null() || value.is_missing()) return Object();
  return fail(Code::invalid, fmt::format("{} must be an object", name), name);
}

// The options of a write become members of the body, as in a client's request.
Result<void> add_options(const Value& arguments, Object& body) {
  constexpr std::string_view known[] = {"ttlSeconds", "expiresAt", "clearTtl", "metadata", "id"};
  const Object options = TRY(object_of(arguments, "options"));
  for (const auto& [name, value] : options) {
    if (std::find(std::begin(known), std::end(known), name) == std::end(known)) {
      return fail(Code::invalid, "there is no option '" + name + "'", name);
    }
    body.set(name, value);
  }
  return {};
}

}  // namespace

struct FunctionHost::Operation {
  std::string_view name;
  Result<Value> (FunctionHost::*run)(Arguments);
  std::size_t arguments;
  bool is_write;
};
const FunctionHost::Operation FunctionHost::operations_[] = {
    {"createRecord", &FunctionHost::create, 3, true},
    {"updateRecord", &FunctionHost::update, 4, true},
    {"upsertRecord", &FunctionHost::upsert, 4, true},
    {"deleteRecord", &FunctionHost::remove, 3, true},
    {"restoreRecord", &FunctionHost::restore, 2, true},
    {"getRecord", &FunctionHost::read, 2, false},
    {"queryRecords", &FunctionHost::query, 2, false},
    {"httpRequest", &FunctionHost::send, 1, false},
};

// The request by which a client would do the same.
struct FunctionHost::Request {
  std::string_view method;
  net::Captures captured;
  Value body = {};
  std::vector<net::Pair> parameters = {};
};

Result<Value> FunctionHost::answer(std::string_view name, Arguments arguments) {
  const bool is_log = name == "log" && arguments.size() == 2;
  if (is_log && arguments[0].is(Kind::text) && arguments[1].is(Kind::text)) {
    take_log(arguments[0].text(), arguments[1].text());
    return Value();
  }
  for (const Operation& operation : operations_) {
    if (operation.name != name || operation.arguments < arguments.size()) continue;
    std::vector<Value> all(arguments.begin(), arguments.end());
    all.resize(operation.arguments, Value(nullptr));
    if (auto counted = count(operation); !counted) return failed(counted.error(), {});
    auto done = (this->*operation.run)(all);
    if (done) return done;
    if (ends_function(done.error())) return tl::unexpected(done.error());
    return failed(done.error(), {});
  }
  return fail(Code::invalid, "there is no such function of api: " + std::string(name));
}

Result<void> FunctionHost::count(const Operation& operation) {
  if (++calls_ > limits::function_calls_max) {
    return fail(Code::too_large, fmt::format("a run calls functions of api at most {} times",
                                             limits::function_calls_max));
  }
  if (operation.is_write && ++writes_ > limits::function_writes_max) {
    return fail(Code::too_large,
                fmt::format("a run writes at most {} records", limits::function_writes_max));
  }
  return {};
}

void FunctionHost::take_log(std::string_view level, std::string_view text) {
  if (log_.size() >= limits::function_log_bytes_max) return;
  if (!log_.empty()) log_ += '\n';
  log_ += level;
  log_ += text;
  log_.resize(truncate_utf8(log_, limits::function_log_bytes_max).size());
}

Result<Value> FunctionHost::run_action(Action action, Request asked) {
  net::Request request{.method = std::string(asked.method), .path = "/"};
  request.parameters = std::move(asked.parameters);
  request.answer_by = environment_.stop_at;
  if (!asked.body.is_missing()) request.body = render_json(asked.body);
  net::Match match;
  match.captured = std::move(asked.captured);
  CentraliCall call{request,
                    match,
                    environment_.services,
                    environment_.options,
                    environment_.directory,
                    environment_.functions,
                    environment_.workspace,
                    {.name = environment_.author},
                    {},
                    environment_.extra_write};
  const auto response = action(call);
  if (!response) {
    if (ends_function(response.error())) return tl::unexpected(response.error());
    return failed(response.error(), call.details);
  }
  if (response->body.empty()) return Value(Object{{"value", nullptr}});
  Value body = TRY(parse_json(response->body, {.bytes_max = response->body.size()}));
  return Value(Object{{"value", std::move(body)}});
}

// --- records ---

namespace {

// The captures of a call's path, and where a record is looked up.
Result<net::Captures> slug_in(const Value& slug) {
  std::string text = TRY(text_of(slug, "recordSlug"));
  return net::Captures{{"slug", std::move(text)}};
}

Result<net::Captures> record_in(const Value& id) {
  std::string text = TRY(text_of(id, "id"));
  return net::Captures{{"record", std::move(text)}};
}

Result<std::vector<net::Pair>> place_in(const Value& slug) {
  std::vector<net::Pair> parameters;
  if (slug.is_null()) return parameters;
  parameters.emplace_back("structureId", TRY(text_of(slug, "recordSlug")));
  return parameters;
}

}  // namespace

Result<Value> FunctionHost::create(Arguments arguments) {
  net::Captures slug = TRY(slug_in(arguments[0]));
  Object body{{"data", arguments[1]}};
  TRY(add_options(arguments[2], body));
  return run_action(create_record, {"POST", std::move(slug), body});
}

Result<Value> FunctionHost::update(Arguments arguments) {
  std::vector<net::Pair> place = TRY(place_in(arguments[0]));
  net::Captures record = TRY(record_in(arguments[1]));
  Object data = TRY(object_of(arguments[2], "data"));
  Object body{{"data", std::move(data)}};
  TRY(add_options(arguments[3], body));
  return run_action(patch_record, {"PATCH", std::move(record), body, std::move(place)});
}

Result<Value> FunctionHost::upsert(Arguments arguments) {
  net::Captures slug = TRY(slug_in(arguments[0]));
  Object body{{"match", arguments[1]}, {"data", arguments[2]}};
  TRY(add_options(arguments[3], body));
  return run_action(upsert_record, {"POST", std::move(slug), body});
}

Result<Value> FunctionHost::remove(Arguments arguments) {
  std::vector<net::Pair> parameters = TRY(place_in(arguments[0]));
  net::Captures record = TRY(record_in(arguments[1]));
  if (arguments[2].is_true()) parameters.emplace_back("hard", "true");
  return run_action(remove_record, {"DELETE", std::move(record), {}, std::move(parameters)});
}

Result<Value> FunctionHost::restore(Arguments arguments) {
  std::vector<net::Pair> place = TRY(place_in(arguments[0]));
  net::Captures record = TRY(record_in(arguments[1]));
  return run_action(restore_record, {"POST", std::move(record), {}, std::move(place)});
}

Result<Value> FunctionHost::read(Arguments arguments) {
  std::vector<net::Pair> place = TRY(place_in(arguments[0]));
  net::Captures record = TRY(record_in(arguments[1]));
  return run_action(read_record, {"GET", std::move(record), {}, std::move(place)});
}

// {"items", "meta"}, and the total if it was requested.
Result<Value> FunctionHost::query(Arguments arguments) {
  net::Captures slug = TRY(slug_in(arguments[0]));
  const Object options = TRY(object_of(arguments[1], "options"));
  const Value answered = TRY(run_action(query_records, {"POST", std::move(slug), options}));
  const Value page = answered.member("value");
  if (page.is_missing()) return answered;
  Object told{{"items", page.member("data")}, {"meta", page.member("meta")}};
  const Value total = page.member("meta").member("total");
  if (!total.is_missing()) told.set("total", total);
  return Value(Object{{"value", std::move(told)}});
}

// --- over HTTP ---

Result<Value> FunctionHost::send(Arguments arguments) {
  if (!environment_.options.functions_reach_out) {
    return fail(Code::forbidden,
                "functions make no requests over HTTP: the setting functions.allow_outbound is off",
                "functions.allow_outbound");
  }
  if (++requests_ > limits::function_requests_max) {
    return fail(Code::too_large, fmt::format("a run makes at most {} requests over HTTP",
                                             limits::function_requests_max));
  }
  net::OutgoingCall call =
      TRY(http_call_of(arguments[0], environment_.options, environment_.stop_at));
  const net::Response response = TRY(send_and_wait(environment_.send, std::move(call)));
  return Value(Object{{"value", http_answer_of(response)}});
}

}  // namespace mayfly::centrali
