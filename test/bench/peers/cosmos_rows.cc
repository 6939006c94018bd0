// P13: the Cosmos DB dialect and @vercel/cosmosdb-server with the same requests: raw over HTTP, and
// through the service's own client; and the start of both.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "base/crypto/crypto.h"
#include "base/random.h"
#include "bench/load.h"
#include "bench/peers/peer_process.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int connections = 16;
constexpr std::uint64_t documents_read = 1'000;
constexpr const char* container = "dbs/b/colls/c";
constexpr const char* peer_name = "@vercel/cosmosdb-server";

// Mayfly; the other server as its own command line runs it, which closes the connection after each
// answer; and the same with connections kept open.
enum class Side { ours, shipped, kept_open };

// The well-known key of emulators; the other side requires none.
constexpr const char* key =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

std::string script(const char* name) {
  return std::string(MAYFLY_BENCH_DIR) + "/cosmos/" + name;
}

// One of the two servers on an empty directory, started.
class CosmosServer {
 public:
  CosmosServer(const std::string& directory, Side side)
      : directory_(directory), side_(side), began_(monotonic_now()), process_(how()) {
    Wire wire(port_);
    CHECK(call(wire, request("GET", "", sign("GET", "", ""))).status == 200);
    started_in_ = monotonic_now() - began_;
  }

  struct Signature {
    std::string date;
    std::string token;
  };
  static Signature sign(std::string_view method, std::string_view type, const std::string& link) {
    const std::string date =
        fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT",
                    fmt::gmtime(static_cast<std::time_t>(SystemClock().now().micros / 1'000'000)));
    return {date, token(method, type, link, date)};
  }
  // With the headers that the service's clients send.
  std::string request(std::string_view method, const std::string& path, const Signature& signature,
                      const std::string& id = "", const std::string& body = "") const {
    return fmt::format(
        "{} /{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nauthorization: {}\r\nx-ms-date: {}\r\n"
        "x-ms-version: 2020-07-15\r\nx-ms-documentdb-partitionkey: [\"{}\"]\r\n"
        "content-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
        method, path, port_, signature.token, signature.date, id, body.size(), body);
  }
  // What the client's program prints.
  std::string client(const std::vector<std::string>& arguments) const {
    const std::string out = directory_.path + ".out";
    std::filesystem::remove(out);
    std::vector<std::string> words{"node", script("load.js"),
                                   fmt::format("http://127.0.0.1:{}/", port_)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    run_to_end(words, out);
    std::ifstream in(out);
    std::string last;
    for (std::string line; std::getline(in, line);) last = line;
    return last;
  }
  std::uint16_t port() const { return port_; }
  Side side() const { return side_; }
  double started_in_millis() const { return double(started_in_.micros) / 1e3; }
  double resident_mib() const { return process_.resident_mib(); }

 private:
  std::vector<std::string> words() const {
    const std::string port = std::to_string(port_);
    switch (side_) {
      case Side::ours:
        return {mayfly_binary(), "serve",         "--data",      directory_.path, "--native-port",
                "off",           "--cosmos-port", port,          "--kuzzle-port", "off",
                "--fauna-port",  "off",           "--log-level", "warn"};
      case Side::shipped:
        return {"node",    script("node_modules/@vercel/cosmosdb-server/lib/cli.js"),
                "--port",  port,
                "--host",  "127.0.0.1",
                "--no-ssl"};
      case Side::kept_open: break;
    }
    return {"node", script("server.js"), port};
  }
  PeerProcess::How how() const {
    return {
        .words = words(), .log = directory_.path + ".log", .port = port_, .end_signal = SIGTERM};
  }
  static std::string token(std::string_view method, std::string_view type, const std::string& link,
                           const std::string& date) {
    const auto lower = [](std::string_view text) {
      std::string all(text);
      std::transform(all.begin(), all.end(), all.begin(), ::tolower);
      return all;
    };
    const std::string text =
        fmt::format("{}\n{}\n{}\n{}\n\n", lower(method), lower(type), link, lower(date));
    std::string signature = encode_base64(hmac_sha256(*decode_base64(key), text));
    std::string escaped;
    for (const char c : signature) escaped += std::isalnum(c) ? std::string(1, c) : hex(c);
    return "type%3Dmaster%26ver%3D1.0%26sig%3D" + escaped;
  }
  static std::string hex(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

  OwnDirectory directory_;
  Side side_;
  std::uint16_t port_ = free_port();
  Instant began_;
  PeerProcess process_;
  Span started_in_;
};

double raw_rate(const CosmosServer& server, double seconds, int expected_status,
                std::function<std::string()> next) {
  const LoadResult result = run({.port = server.port(),
                                 .connections = connections,
                                 .span = Span{static_cast<std::int64_t>(seconds * 1e6)},
                                 .next_request = std::move(next),
                                 .expected_status = expected_status,
                                 .reconnects = server.side() == Side::shipped});
  CHECK(result.unexpected == 0);
  return result.requests_per_second;
}

double raw_creates(const CosmosServer& server, double seconds, std::uint64_t& made) {
  const std::string path = std::string(container) + "/docs";
  const auto signature = CosmosServer::sign("POST", "docs", container);
  return raw_rate(server, seconds, 201, [&] {
    const std::string id = "n" + std::to_string(++made);
    const std::string body = R"({"id":")" + id + "\"," + sample_json(300, made).substr(1);
    return server.request("POST", path, signature, id, body);
  });
}

double raw_reads(const CosmosServer& server, double seconds) {
  std::vector<std::string> requests;
  for (std::uint64_t n = 0; n < documents_read; ++n) {
    const std::string id = "d" + std::to_string(n);
    const std::string path = std::string(container) + "/docs/" + id;
    requests.push_back(server.request("GET", path, CosmosServer::sign("GET", "docs", path), id));
  }
  Random random(1);
  return raw_rate(server, seconds, 200, [&] { return requests[random.below(documents_read)]; });
}

double client_rate(const CosmosServer& server, const Options& options, const std::string& what) {
  return std::stod(
      server.client({what, std::to_string(connections), std::to_string(options.seconds),
                     std::to_string(documents_read)}));
}

struct Rate {
  const char* what;
  double least;  // the goal: this many times the other side
  Side against;  // which runs like this: kept connections, except below an SDK that opens its own
  std::function<double(const CosmosServer&)> measure;
};

void add_rate(const Options& options, const Rate& rate, const CosmosServer& ours,
              const CosmosServer& theirs, std::vector<ReportRow>& rows) {
  ReportRow row{
      .id = "P13", .what = rate.what, .unit = "requests/s", .against = peer_name, .goal = "-"};
  if (theirs.side() == Side::kept_open) row.against += ", kept open";
  if (theirs.side() == rate.against) {
    row.goal = fmt::format(">= {}", rate.least);
    row.is_met = [least = rate.least](double our, double their) { return our >= least * their; };
  }
  alternate(
      options.repetitions, row, [&] { return rate.measure(ours); },
      [&] { return rate.measure(theirs); });
  rows.push_back(std::move(row));
}

void add_rates(const Options& options, std::vector<ReportRow>& rows) {
  const CosmosServer ours(options.directory + "/cosmos", Side::ours);
  const CosmosServer shipped(options.directory + "/cosmos-shipped", Side::shipped);
  const CosmosServer kept_open(options.directory + "/cosmos-kept-open", Side::kept_open);
  for (const CosmosServer* server : {&ours, &shipped, &kept_open}) {
    server->client({"fill", std::to_string(documents_read)});
  }
  std::uint64_t made = 0;
  const Rate rates[] = {
      {"Cosmos create, HTTP, 16 connections; ours is synced", 1.5, Side::kept_open,
       [&](const auto& server) { return raw_creates(server, options.seconds, made); }},
      {"Cosmos read, HTTP, 16 connections", 4, Side::kept_open,
       [&](const auto& server) { return raw_reads(server, options.seconds); }},
      {"Cosmos create, @azure/cosmos, 16 under way; ours is synced", 1.3, Side::shipped,
       [&](const auto& server) { return client_rate(server, options, "create"); }},
      {"Cosmos read, @azure/cosmos, 16 under way", 1.3, Side::shipped,
       [&](const auto& server) { return client_rate(server, options, "read"); }}};
  for (const Rate& rate : rates) {
    add_rate(options, rate, ours, shipped, rows);
    add_rate(options, rate, ours, kept_open, rows);
  }
}

void add_starts(const Options& options, std::vector<ReportRow>& rows) {
  ReportRow start{.id = "P13",
                  .what = "start to first answer, empty",
                  .unit = "ms",
                  .against = peer_name,
                  .goal = "<= 50",
                  .is_met = [](double ours, double) { return ours <= 50; }};
  ReportRow memory{.id = "P13",
                   .what = "memory at rest, empty",
                   .unit = "MiB",
                   .against = peer_name,
                   .goal = "<= 40",
                   .is_met = [](double ours, double) { return ours <= 40; }};
  const auto measure = [&](Side side, Samples& memories) {
    const CosmosServer server(options.directory + "/cosmos-start", side);
    memories.push_back(server.resident_mib());
    return server.started_in_millis();
  };
  alternate(
      options.repetitions, start, [&] { return measure(Side::ours, memory.ours); },
      [&] { return measure(Side::shipped, memory.theirs); });
  rows.push_back(std::move(start));
  rows.push_back(std::move(memory));
}

}  // namespace

void add_cosmos_rows(const Options& options, std::vector<ReportRow>& rows) {
  // It needs packages that `./dev bench` installs only on request.
  const bool is_asked_for = options.with_peers || !options.only.empty();
  if (!is_asked_for || !options.wants("P13")) return;
  add_rates(options, rows);
  add_starts(options, rows);
}

}  // namespace mayfly::bench
