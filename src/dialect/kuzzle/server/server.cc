// The actions that describe the server.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/limits.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/server/load.h"
#include "dialect/kuzzle/server/statistics.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::kuzzle {
namespace {

Object reported_limits(const KuzzleOptions& options) {
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  return {{"concurrentRequests", number(options.running_max)},
          {"documentsFetchCount", number(options.fetched_max)},
          {"documentsWriteCount", number(options.written_max)},
          {"loginsPerSecond", number(options.logins_max)},
          {"requestsBufferSize", number(options.buffered_max)},
          {"requestsBufferWarningThreshold", number(options.buffered_warning)},
          {"subscriptionConditionsCount", number(options.conditions_max)},
          {"subscriptionRooms", number(options.rooms_max)}};
}

// An instant in milliseconds or as a date, in an argument or, for older clients, in the body.
Result<std::optional<Instant>> instant_argument(const KuzzleCall& call, const std::string& name) {
  const Value* argument = call.message.arguments.find(name);
  const Value value = argument != nullptr ? *argument : call.message.body.member(name);
  if (value.is_missing() || value.is_null()) return std::nullopt;
  if (value.is(Kind::integer)) return Instant{} + Span::millis(value.integer());
  if (value.is(Kind::text)) {
    if (const auto millis = parse_integer(value.text(), name, INT64_MIN, INT64_MAX)) {
      return Instant{} + Span::millis(*millis);
    }
    if (const auto time = parse_rfc3339(value.text())) return *time;
  }
  return problem("api.assert.invalid_argument",
                 fmt::format("Invalid argument \"{}\". Expected: number", name));
}

std::string render_frames(Array frames) {
  const auto total = static_cast<std::int64_t>(frames.size());
  return render_json(Object{{"hits", std::move(frames)}, {"total", total}});
}

// `/:index/:collection` as OpenAPI writes it, and the parameters in it.
struct OpenApiPath {
  std::string text;
  Array parameters;
};
OpenApiPath open_api_path(std::string_view url) {
  OpenApiPath path;
  while (!url.empty()) {
    const std::string_view segment = url.substr(0, url.find('/', 1));
    url.remove_prefix(segment.size());
    if (!segment.starts_with("/:")) {
      path.text += segment;
      continue;
    }
    const std::string name(segment.substr(2));
    path.text += "/{" + name + '}';
    path.parameters.push_back(Object{{"name", name},
                                     {"in", "path"},
                                     {"required", true},
                                     {"schema", Object{{"type", "string"}}}});
  }
  return path;
}

void add_to_open_api(const std::string& action, const Value& address, Object& paths) {
  OpenApiPath path = open_api_path(address.member("url").text());
  std::string verb = address.member("verb").text();
  std::transform(verb.begin(), verb.end(), verb.begin(),
                 [](char c) { return static_cast<char>(c | 0x20); });
  if (paths.find(path.text) == nullptr) paths.append(path.text, Object());
  const Object done{{"200", Object{{"description", "The action was executed"}}}};
  paths.find(path.text)->mutable_object().set(
      verb, Object{{"summary", action},
                   {"tags", Array{action.substr(0, action.find(':'))}},
                   {"parameters", std::move(path.parameters)},
                   {"responses", done}});
}

}  // namespace

Result<std::string> get_server_time(KuzzleCall& call) {
  return render_json(Object{{"now", to_millis(call.database().now())}});
}

Result<std::string> get_public_api(KuzzleCall&) {
  return render_json(public_api());
}

// All URLs of the API.
Result<std::string> get_open_api(KuzzleCall& call) {
  Object paths;
  for (const auto& [controller, actions] : whole_api()) {
    for (const auto& [action, told] : actions.object()) {
      for (const Value& address : told.member("http").array()) {
        add_to_open_api(fmt::format("{}:{}", controller, action), address, paths);
      }
    }
  }
  const Object info{{"title", "Kuzzle API"}, {"version", call.generation().version}};
  return render_json(Object{{"openapi", "3.0.1"}, {"info", info}, {"paths", std::move(paths)}});
}

Result<std::string> get_server_info(KuzzleCall& call) {
  const Object kuzzle{{"version", call.generation().version},
                      {"api", Object{{"routes", whole_api()}}},
                      {"mayfly", MAYFLY_VERSION},
                      {"plugins", Object()}};
  return render_json(Object{{"serverInfo", Object{{"kuzzle", kuzzle}, {"services", Object()}}}});
}

Result<std::string> check_health(KuzzleCall& call) {
  const auto& asks = call.shared.services.readiness;
  const Result<void> ready = asks ? asks() : Result<void>{};
  if (!ready) {
    return fail(Code::throttled, "the server is not ready: " + ready.error().message,
                "api.process.overloaded");
  }
  const Object services{
      {"internalCache", "green"}, {"memoryStorage", "green"}, {"storageEngine", "green"}};
  return render_json(Object{{"status", "green"}, {"services", services}});
}

Result<std::string> get_config(KuzzleCall& call) {
  const KuzzleOptions& options = call.shared.options;
  const TrashCollectorOptions& collector = options.collector;
  const Object garbage{{"cleanInterval", collector.every.micros / 1'000},
                       {"maxDelete", static_cast<std::int64_t>(collector.documents_max)}};
  const Object statistics{{"statsInterval", options.frame_every.whole_seconds()},
                          {"ttl", options.frames_kept_for.whole_seconds()}};
  Object config{{"version", call.generation().version},
                {"services", Object{{"garbageCollector", garbage}}},
                {"limits", reported_limits(options)},
                {"stats", statistics},
                {"server", Object{{"maxRequestSize",
                                   static_cast<std::int64_t>(limits::bulk_body_bytes_max)}}},
                {"dump", Object{{"enabled", false}}}};
  // Clients read them; there is nothing to configure.
  for (const char* name : {"plugins", "repositories", "validation", "internal"}) {
    config.append(name, Object());
  }
  if (call.generation().has_realtime_config) config.append("realtime", Object());
  return render_json(config);
}

Result<std::string> get_capabilities(KuzzleCall& call) {
  return render_json(Object{{"limits", reported_limits(call.shared.options)},
                            {"plugins", Object()},
                            {"routes", public_api()},
                            {"services", Object()},
                            {"version", call.generation().version}});
}

Result<std::string> get_metrics(KuzzleCall& call) {
  const ServerContext& shared = call.shared;
  std::int64_t rooms = 0;
  for (const auto& [index, collections] : shared.realtime.list()) {
    for (const auto& [collection, of] : collections.object()) {
      rooms += static_cast<std::int64_t>(of.object().size());
    }
  }
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  return render_json(Object{
      {"api", Object{{"concurrentRequests", number(shared.load.running())},
                     {"pendingRequests", number(shared.load.buffered())}}},
      {"network", Object{{"connections", shared.statistics.connections()}}},
      {"realtime",
       Object{{"rooms", rooms}, {"subscriptions", number(shared.realtime.subscriptions())}}}});
}

// This server alone. It does not know the addresses at which it is reached.
Result<std::string> cluster_status(KuzzleCall& call) {
  const Object node{{"id", realtime::Options().node},
                    {"birthdate", to_millis(call.shared.started_at)}};
  return render_json(Object{{"activeNodes", 1}, {"nodes", Array{node}}});
}

// Kuzzle opens the debugger of the engine that runs it.
Result<std::string> debug(KuzzleCall&) {
  return fail(Code::unsupported, "there is no JavaScript engine here that could be debugged");
}

Result<std::string> get_stats(KuzzleCall& call) {
  const auto from = TRY(instant_argument(call, "startTime"));
  const auto to = TRY(instant_argument(call, "stopTime"));
  return render_frames(call.shared.statistics.between(from, to, call.database().now()));
}

Result<std::string> get_all_stats(KuzzleCall& call) {
  return render_frames(
      call.shared.statistics.between(std::nullopt, std::nullopt, call.database().now()));
}

Result<std::string> get_last_stats(KuzzleCall& call) {
  return render_json(call.shared.statistics.last(call.database().now()));
}

}  // namespace mayfly::kuzzle
