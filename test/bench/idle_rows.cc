// P21: what the server keeps in memory for clients that are connected and say nothing.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/check.h"
#include "bench/listeners.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/websocket.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int many = 4'000;
constexpr int subscriptions_of_each = 100;  // connection
constexpr const char* collection = "/v1/databases/b/collections/c";

using Wires = std::vector<std::unique_ptr<Wire>>;

Wires connections(const ServerProcess& server) {
  Wires wires;
  for (int i = 0; i < many; ++i) {
    wires.push_back(std::make_unique<Wire>(server.port()));
    CHECK(call(*wires.back(), http_request("GET", collection)).status == 200);
  }
  return wires;
}

Wires streams(const ServerProcess& server) {
  const std::string request = "GET " + std::string(collection) +
                              "/feed HTTP/1.1\r\nHost: localhost\r\n"
                              "Accept: text/event-stream\r\n\r\n";
  Wires wires;
  for (int i = 0; i < many; ++i) {
    wires.push_back(std::make_unique<Wire>(server.port()));
    wires.back()->send(request);
    while (wires.back()->in.find("\nid: ") == std::string::npos) wires.back()->receive();
  }
  return wires;
}

// Each with a filter of its own; the connections are few.
Wires subscriptions(const ServerProcess& server) {
  Wires wires;
  for (int i = 0; i < many; ++i) {
    if (i % subscriptions_of_each == 0) {
      wires.push_back(std::make_unique<Wire>(server.kuzzle_port()));
      open_websocket(*wires.back());
    }
    const std::string asked = fmt::format(
        R"({{"controller":"realtime","action":"subscribe","index":"b","collection":"c",)"
        R"("requestId":"1","body":{{"equals":{{"user":"absent-{}"}}}}}})",
        i);
    CHECK(kuzzle_status(ask(*wires.back(), asked)) == 200);
  }
  return wires;
}

void add_idle_row(const Options& options, const char* what, double most_kib,
                  const std::function<Wires(const ServerProcess&)>& open,
                  std::vector<ReportRow>& rows) {
  ReportRow row{.id = "P21",
                .what = what,
                .unit = "KiB",
                .goal = fmt::format("<= {}", most_kib),
                .is_met = [most_kib](double ours, double) { return ours <= most_kib; }};
  repeat(options.repetitions, row, [&] {
    const ServerProcess server(options.directory + "/idle", {.speaks_kuzzle = true});
    server.call("PUT", "/v1/databases/b");
    server.call("PUT", collection, R"({"keep_feed_for":86400})");
    const double before = server.resident_mib();
    const Wires wires = open(server);
    return (server.resident_mib() - before) * 1'024 / many;
  });
  rows.push_back(std::move(row));
}

}  // namespace

void add_idle_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P21")) return;
  allow_many_files();
  add_idle_row(options, "memory for an idle connection", 8, connections, rows);
  add_idle_row(options, "memory for an idle reader of a feed, with its connection", 8, streams,
               rows);
  add_idle_row(options, "memory for an idle subscription with a filter of its own", 2,
               subscriptions, rows);
}

}  // namespace mayfly::bench
