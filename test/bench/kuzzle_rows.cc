// K1 to K3: one document created, one read, and a search, through the Kuzzle dialect over WebSocket
// and over HTTP; against the native API's same operation on the same collection.
#include <fmt/format.h>

#include "base/check.h"
#include "base/random.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/websocket.h"

namespace mayfly::bench {
namespace {

constexpr int connections = 16;
constexpr std::uint64_t documents_read = 1'000;
constexpr std::uint64_t documents_found = 10;  // of these, with one age
constexpr const char* native_collections = "/v1/databases/b/collections/";

// One protocol: the port, the format of requests, and the expected status.
struct Way {
  std::uint16_t port = 0;
  std::function<std::string()> next_request;
  int expected_status = 200;
  Speech speech = over_http;
};

// An operation as a request of each of the three protocols.
struct Operation {
  const char* id = "";
  const char* what = "";
  Way native;
  Way over_http;
  Way over_websocket;
};

double rate(const Way& way, double seconds) {
  const LoadResult result = run({.port = way.port,
                                 .connections = connections,
                                 .span = Span{static_cast<std::int64_t>(seconds * 1e6)},
                                 .next_request = way.next_request,
                                 .expected_status = way.expected_status,
                                 .speech = way.speech});
  CHECK(result.unexpected == 0);
  return result.requests_per_second;
}

// A message to an action on documents; `more` are further members, each with a comma before it.
std::string message(const char* action, const char* collection, const std::string& more) {
  return websocket_frame(
      fmt::format(R"({{"controller":"document","action":"{}","index":"b","collection":"{}",)"
                  R"("requestId":"1"{}}})",
                  action, collection, more));
}

// Each creation is of a new document, in all protocols.
Operation creation(const ServerProcess& server, std::uint64_t& n) {
  const auto next_id = [&n] { return "d" + std::to_string(++n); };
  const auto native = [&n, next_id] {
    const std::string target = std::string(native_collections) + "written/documents?id=";
    return http_request("POST", target + next_id(), sample_json(300, n));
  };
  const auto http = [&n, next_id] {
    return http_request("POST", "/b/written/" + next_id() + "/_create", sample_json(300, n));
  };
  const auto websocket = [&n, next_id] {
    const std::string id = next_id();
    return message("create", "written",
                   fmt::format(R"(,"_id":"{}","body":{})", id, sample_json(300, n)));
  };
  return {"K1",
          "create, synced",
          {server.port(), native, 201},
          {server.kuzzle_port(), http},
          {server.kuzzle_port(), websocket, 200, over_websocket}};
}

Operation reading(const ServerProcess& server, Random& random) {
  const auto next_id = [&random] { return "d" + std::to_string(random.below(documents_read)); };
  const auto native = [next_id] {
    return http_request("GET", std::string(native_collections) + "read/documents/" + next_id());
  };
  const auto http = [next_id] { return http_request("GET", "/b/read/" + next_id()); };
  const auto websocket = [next_id] {
    return message("get", "read", fmt::format(R"(,"_id":"{}")", next_id()));
  };
  return {"K2",
          "get",
          {server.port(), native},
          {server.kuzzle_port(), http},
          {server.kuzzle_port(), websocket, 200, over_websocket}};
}

// Each side examines all documents.
Operation search(const ServerProcess& server, Random& random) {
  constexpr std::uint64_t ages = documents_read / documents_found;
  const auto age = [&random] { return std::to_string(random.below(ages)); };
  const auto native = [age] {
    return http_request("POST", std::string(native_collections) + "read/query",
                        fmt::format(R"({{"filter":"age = {}","limit":100}})", age()));
  };
  const auto body = [age] {
    return fmt::format(R"({{"query":{{"term":{{"age":{}}}}},"size":100}})", age());
  };
  const auto http = [body] { return http_request("POST", "/b/read/_search", body()); };
  const auto websocket = [body] { return message("search", "read", R"(,"body":)" + body()); };
  return {"K3",
          "search, 10 of 1,000 documents",
          {server.port(), native},
          {server.kuzzle_port(), http},
          {server.kuzzle_port(), websocket, 200, over_websocket}};
}

// All three find the same ten documents.
void check_search(const Operation& search) {
  const auto count = [](const std::string& answer) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = answer.find("user-", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  for (const Way* way : {&search.native, &search.over_http, &search.over_websocket}) {
    Wire wire(way->port);
    way->speech.begin(wire);
    wire.send(way->next_request());
    std::string whole;
    int status = 0;
    while (status == 0) {
      wire.receive();
      whole = wire.in;
      status = way->speech.take_status(wire.in);
    }
    CHECK(status == way->expected_status && count(whole) == documents_found);
  }
}

void add_rows(const Options& options, const Operation& operation, std::vector<ReportRow>& rows) {
  const auto add = [&](const char* how, const Way& way) {
    ReportRow row{.id = operation.id,
                  .what = fmt::format("Kuzzle {}, {}, 16 connections", operation.what, how),
                  .unit = "requests/s",
                  .against = "native",
                  .goal = "-"};
    alternate(
        options.repetitions, row, [&] { return rate(way, options.seconds); },
        [&] { return rate(operation.native, options.seconds); });
    rows.push_back(std::move(row));
  };
  add("WebSocket", operation.over_websocket);
  add("HTTP", operation.over_http);
}

}  // namespace

void add_kuzzle_rows(const Options& options, std::vector<ReportRow>& rows) {
  const bool is_wanted = options.wants("K1") || options.wants("K2") || options.wants("K3");
  if (!is_wanted) return;
  const ServerProcess server(options.directory + "/kuzzle", {.speaks_kuzzle = true});
  server.call_kuzzle("POST", "/b/_create");
  for (const char* collection : {"read", "written"}) {
    server.call_kuzzle("PUT", std::string("/b/") + collection);
  }
  for (std::uint64_t n = 0; n < documents_read; ++n) {
    server.call_kuzzle("PUT", "/b/read/d" + std::to_string(n), sample_json(300, n));
  }
  std::uint64_t made = 0;
  Random random(1);
  if (options.wants("K1")) add_rows(options, creation(server, made), rows);
  if (options.wants("K2")) add_rows(options, reading(server, random), rows);
  if (!options.wants("K3")) return;
  const Operation searches = search(server, random);
  check_search(searches);
  add_rows(options, searches, rows);
}

}  // namespace mayfly::bench
