// K6: the memory storage of the Kuzzle dialect, over WebSocket and HTTP, beside Redis over its own
// protocol. Both write each command to the disk before they answer.
#include <fmt/format.h>
#include <signal.h>

#include "base/check.h"
#include "bench/contestant.h"
#include "bench/load.h"
#include "bench/peers/peer_process.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/websocket.h"

namespace mayfly::bench {
namespace {

constexpr int connections = 16;
constexpr std::uint64_t keys = 1'000;
constexpr const char* kept_text = "a value of some fifty bytes, as a session may have";

void begin_redis(Wire&) {}

// The status of an integer or a simple text.
int take_redis_status(std::string& in) {
  constexpr int good = 200;
  constexpr int bad = 400;
  const std::size_t end = in.find("\r\n");
  if (end == std::string::npos) return 0;
  const bool is_good = in[0] == ':' || in[0] == '+';
  in.erase(0, end + 2);
  return is_good ? good : bad;
}
const Speech over_redis{begin_redis, take_redis_status};

std::string redis_command(const std::vector<std::string>& words) {
  std::string command = fmt::format("*{}\r\n", words.size());
  for (const std::string& word : words) command += fmt::format("${}\r\n{}\r\n", word.size(), word);
  return command;
}

using Request = std::string (*)(const std::string& key);

// A command in the three forms.
struct MemoryCommand {
  const char* name;
  Request message;
  Request http;
  Request redis;
};
const MemoryCommand commands[] = {
    {"incr",
     [](const std::string& key) {
       return websocket_frame(R"({"controller":"ms","action":"incr","requestId":"1","_id":")" +
                              key + "\"}");
     },
     [](const std::string& key) { return http_request("POST", "/ms/_incr/" + key); },
     [](const std::string& key) { return redis_command({"INCR", key}); }},
    {"setex",
     [](const std::string& key) {
       return websocket_frame(
           fmt::format(R"({{"controller":"ms","action":"setex","requestId":"1","_id":"{}",)"
                       R"("body":{{"seconds":86400,"value":"{}"}}}})",
                       key, kept_text));
     },
     [](const std::string& key) {
       return http_request("POST", "/ms/_setex/" + key,
                           fmt::format(R"({{"seconds":86400,"value":"{}"}})", kept_text));
     },
     [](const std::string& key) { return redis_command({"SETEX", key, "86400", kept_text}); }},
};

double command_rate(std::uint16_t port, const MemoryCommand& command, Request request,
                    const Speech& speech, double seconds) {
  std::uint64_t n = 0;
  const LoadResult result =
      run({.port = port,
           .connections = connections,
           .span = Span{static_cast<std::int64_t>(seconds * 1e6)},
           .next_request = [&] { return request(command.name + std::to_string(++n % keys)); },
           .speech = speech});
  CHECK(result.unexpected == 0);
  return result.requests_per_second;
}

}  // namespace

void add_kuzzle_memory_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("K6")) return;
  const ServerProcess server(options.directory + "/memory", {.speaks_kuzzle = true});
  server.call_kuzzle("POST", "/ms/_incr/first");
  const OwnDirectory directory(options.directory + "/redis");
  const std::uint16_t redis_port = free_port();
  const PeerProcess redis(
      {.words = {"redis-server", "--port", std::to_string(redis_port), "--bind", "127.0.0.1",
                 "--dir", options.directory + "/redis", "--save", "", "--appendonly", "yes",
                 "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"},
       .log = options.directory + "/redis.log",
       .port = redis_port,
       .end_signal = SIGTERM});
  for (const MemoryCommand& command : commands) {
    const auto add = [&](const char* how, Request request, const Speech& speech) {
      ReportRow row{
          .id = "K6",
          .what = fmt::format("Kuzzle ms:{}, synced, {}, 16 connections", command.name, how),
          .unit = "requests/s",
          .against = "Redis, always",
          .goal = "-"};
      alternate(
          options.repetitions, row,
          [&] {
            return command_rate(server.kuzzle_port(), command, request, speech, options.seconds);
          },
          [&] {
            return command_rate(redis_port, command, command.redis, over_redis, options.seconds);
          });
      rows.push_back(std::move(row));
    };
    add("WebSocket", command.message, over_websocket);
    add("HTTP", command.http, over_http);
  }
}

}  // namespace mayfly::bench
