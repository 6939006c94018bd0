// Measures the server under overload, against the goals. `./dev overload --help`.
#include <fmt/format.h>
#include <poll.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/load.h"
#include "bench/process.h"
#include "overload/attackers.h"
#include "overload/clients.h"
#include "overload/probe.h"

namespace mayfly::overload {
namespace {

using bench::http_request;

const std::string collection = "/v1/databases/app/collections/c";
constexpr int documents = 5'000;
constexpr int normal_connections = 100;
constexpr double memory_budget_mib = 1'024;

struct Options {
  std::string only;
  double seconds = 5;
  bool hammer = false;

  Span span() const { return Span::millis(static_cast<std::int64_t>(seconds * 1'000)); }
  bool wants(const std::string& part) const {
    return only.empty() || ("," + only + ",").find("," + part + ",") != std::string::npos;
  }
};

struct OverloadRow {
  std::string what;
  std::string measured;
  std::string goal;
  bool is_met = false;
};
using Table = std::vector<OverloadRow>;

std::string document(std::uint64_t n) {
  return fmt::format(R"({{"user":"user-{}","age":{},"note":"{}"}})", n, n % 100,
                     std::string(900, 'x'));
}

// The same numbers in every run.
std::uint64_t next_number() {
  thread_local std::uint64_t state = 88'172'645'463'325'252;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

std::string read_one() {
  return http_request("GET",
                      fmt::format("{}/documents/d{}", collection, next_number() % documents));
}
std::string write_one() {
  const std::uint64_t n = next_number() % documents;
  return http_request("PUT", fmt::format("{}/documents/d{}", collection, n), document(n));
}
std::string list_some() {
  return http_request("POST", collection + "/query",
                      fmt::format(R"({{"filter":"age = {}","limit":20}})", next_number() % 100));
}

// One request whose answer is 2xx.
void must(std::uint16_t port, const std::string& request) {
  const auto result = bench::run(
      {.port = port, .connections = 1, .span = Span{0}, .next_request = [&] { return request; }});
  CHECK(result.requests == 1);
}

void fill(const bench::ServerProcess& server) {
  must(server.port(), http_request("PUT", "/v1/databases/app"));
  must(server.port(), http_request("PUT", collection, R"({"keep_feed_for":60})"));
  int next = 0;
  const auto put_next = [&next] {
    const int n = next++ % documents;
    return http_request("PUT", fmt::format("{}/documents/d{}", collection, n),
                        document(static_cast<std::uint64_t>(n)));
  };
  while (next < documents) {
    run({.port = server.port(),
         .connections = 50,
         .span = Span::millis(200),
         .next_request = put_next});
  }
}

std::string times(double a, double b) {
  return b > 0 ? fmt::format("{:.2f}", a / b) : "-";
}

// --- ten times as many clients as saturate the server ---

void add_ten_times(const Options& options, const bench::ServerProcess& server,
                   const std::string& what, const std::function<std::string()>& request,
                   Table& table) {
  const Clients normal{.port = server.port(),
                       .connections = normal_connections,
                       .span = options.span(),
                       .next_request = request};
  Probe at_peak(server, request);
  const Outcome peak = run(normal);
  const double normal_p99 = at_peak.seen().beside_p99_millis;
  Clients many = normal;
  many.connections = 10 * normal_connections;
  many.heed_retry_after = !options.hammer;
  Probe probe(server, request);
  const Outcome over = run(many);
  const Probe::Seen seen = probe.seen();
  const double ratio = over.accepted_per_second / std::max(peak.accepted_per_second, 1.0);
  table.push_back({fmt::format("{}: accepted/s, {} clients, then {}", what, normal.connections,
                               many.connections),
                   fmt::format("{:.0f}, {:.0f} ({:.0f} %)", peak.accepted_per_second,
                               over.accepted_per_second, 100 * ratio),
                   ">= 80 % of peak", ratio >= 0.8});
  // The clients share one thread, and a thousand of them wait for it too: so the time that counts
  // is that of a client beside them.
  table.push_back({what + ": p99 of a client beside them",
                   fmt::format("{:.1f} ms, {:.1f} ms (x {})", normal_p99, seen.beside_p99_millis,
                               times(seen.beside_p99_millis, normal_p99)),
                   "< 5 x normal", seen.beside_p99_millis < 5 * normal_p99});
  table.push_back({what + ": p99 of all, with what their own thread adds",
                   fmt::format("{:.1f} ms, {:.1f} ms", peak.p99_millis, over.p99_millis), "-",
                   true});
  table.push_back({what + ": refused, without Retry-After, cut off, other",
                   fmt::format("{}, {}, {}, {}", over.refused, over.refused_unclearly,
                               over.disconnected, over.wrong),
                   "any, 0, 0, 0", over.refused_unclearly + over.disconnected + over.wrong == 0});
  table.push_back({what + ": /health meanwhile, p99, longest, unanswered",
                   fmt::format("{:.1f} ms, {:.1f} ms, {} of {}", seen.health_p99_millis,
                               seen.health_max_millis, seen.failures, seen.answers + seen.failures),
                   "p99 < 50 ms, 0", seen.health_p99_millis < 50 && seen.failures == 0});
  table.push_back({what + ": memory at most", fmt::format("{:.0f} MiB", seen.resident_max_mib),
                   "< 1 GiB", seen.resident_max_mib < memory_budget_mib});
}

// --- attackers beside a normal load ---

void add_beside(const Options& options, const bench::ServerProcess& server, const std::string& what,
                std::function<void(const std::atomic<bool>&)> attack, Table& table) {
  const Clients normal{
      .port = server.port(), .connections = 20, .span = options.span(), .next_request = read_one};
  const double before = server.resident_mib();
  const Outcome alone = run(normal);
  Outcome beside;
  Probe::Seen seen;
  {
    const Background attackers(std::move(attack));
    run({.port = server.port(),
         .connections = 1,
         .span = Span::seconds(1),
         .next_request = read_one});  // until the documents exist
    Probe probe(server);
    beside = run(normal);
    seen = probe.seen();
  }
  table.push_back({what + ": p99 of normal reads, without and with",
                   fmt::format("{:.2f} ms, {:.2f} ms (x {})", alone.p99_millis, beside.p99_millis,
                               times(beside.p99_millis, alone.p99_millis)),
                   "< 1.2 x", beside.p99_millis < 1.2 * alone.p99_millis});
  table.push_back(
      {what + ": accepted/s, without and with",
       fmt::format("{:.0f}, {:.0f}", alone.accepted_per_second, beside.accepted_per_second),
       ">= 80 %", beside.accepted_per_second >= 0.8 * alone.accepted_per_second});
  table.push_back({what + ": memory before, at most",
                   fmt::format("{:.0f}, {:.0f} MiB", before, seen.resident_max_mib), "+ 64 MiB",
                   seen.resident_max_mib < before + 64});
  table.push_back({what + ": /health meanwhile, p99, unanswered",
                   fmt::format("{:.1f} ms, {}", seen.health_p99_millis, seen.failures),
                   "p99 < 50 ms, 0", seen.health_p99_millis < 50 && seen.failures == 0});
}

void add_huge_bodies(const bench::ServerProcess& server, Table& table) {
  const double before = server.resident_mib();
  Probe probe(server);
  std::uint64_t most = 0;
  for (int i = 0; i < 8; ++i) {
    most = std::max(most, send_body_without_end(server.port(), std::uint64_t{10} << 30));
  }
  const Probe::Seen seen = probe.seen();
  // Beside what the server reads, the kernel's buffers take some megabytes on either side.
  table.push_back({"body of 10 GiB in chunks: sent before it was refused",
                   fmt::format("{:.1f} MiB", double(most) / double(1 << 20)), "< 16 MiB",
                   most < 16 << 20});
  table.push_back({"body of 10 GiB in chunks: memory before, at most",
                   fmt::format("{:.0f}, {:.0f} MiB", before, seen.resident_max_mib), "+ 16 MiB",
                   seen.resident_max_mib < before + 16});
}

void add_odd_json(const bench::ServerProcess& server, Table& table) {
  std::string wide = "{";
  for (int i = 0; wide.size() < 2'000'000; ++i) wide += fmt::format("\"{}\":1,", i);
  wide.back() = '}';
  const struct {
    const char* what;
    std::string body;
    int status;
  } rows[] = {
      {"a million brackets deep", std::string(1'000'000, '[') + std::string(1'000'000, ']'), 413},
      {"2 MB of members", wide, 413},
      {"a number of a million digits", R"({"a":)" + std::string(1'000'000, '9') + "}", 400},
  };
  for (const auto& [what, body, status] : rows) {
    const std::string request = http_request("PUT", collection + "/documents/odd", body);
    double least = 1e9;
    std::uint64_t wrong = 0;
    for (int i = 0; i < 5; ++i) {
      const auto result = bench::run({.port = server.port(),
                                      .connections = 1,
                                      .span = Span{0},
                                      .next_request = [&] { return request; },
                                      .expected_status = status});
      least = std::min(least, result.p50_micros / 1e3);
      wrong += result.unexpected;
    }
    table.push_back({fmt::format("JSON: {}", what),
                     fmt::format("{:.1f} ms{}", least, wrong == 0 ? "" : ", another status"),
                     fmt::format("{} in < 50 ms", status), least < 50 && wrong == 0});
  }
}

void add_followers(const bench::ServerProcess& server, Table& table) {
  constexpr int followers = 4'000;
  const double before = server.resident_mib();
  const Followed followed = follow_feed(
      server.port(), followers, collection + "/feed", [&] { must(server.port(), write_one()); },
      [&] { return server.resident_mib(); });
  const double kib_each = (followed.resident_mib - before) * 1'024 / followers;
  table.push_back({"4,000 who follow a feed: memory of each", fmt::format("{:.1f} KiB", kib_each),
                   "<= 16 KiB", kib_each <= 16});
  table.push_back({"4,000 who follow a feed: an event has reached them all after",
                   fmt::format("{:.0f} ms", followed.event_millis), "< 1 s",
                   followed.event_millis >= 0 && followed.event_millis < 1'000});
}

// The value in /metrics.
double metric(const bench::ServerProcess& server, const std::string& name) {
  const std::string all = "\n" + server.call("GET", "/metrics");
  const std::size_t at = all.find("\n" + name + " ");
  CHECK(at != std::string::npos);
  return std::strtod(all.c_str() + at + name.size() + 2, nullptr);
}

// More documents with a lifetime of a second than can be written: how far the sweeper falls behind,
// and how long it takes to catch up.
void add_sweeper(const Options& options, const bench::ServerProcess& server, Table& table) {
  std::uint64_t next = 0;
  const auto write_dying = [&next] {
    ++next;
    return http_request("PUT", fmt::format("{}/documents/dying{}?ttl=1", collection, next),
                        document(next));
  };
  const auto expired = [&server] { return metric(server, "mayfly_expired_total"); };
  const auto overdue = [&server] { return metric(server, "mayfly_sweeper_overdue_seconds"); };
  const double before = expired();
  double overdue_max = 0;
  Outcome outcome;
  {
    const Background watch([&](const std::atomic<bool>& is_over) {
      while (!is_over) overdue_max = std::max(overdue_max, overdue());
    });
    outcome = run({.port = server.port(),
                   .connections = 10 * normal_connections,
                   .span = options.span(),
                   .next_request = write_dying,
                   .heed_retry_after = !options.hammer});
  }
  const Instant began = monotonic_now();
  const double meanwhile = expired() - before;
  const auto waited = [&] { return double((monotonic_now() - began).micros) / 1e6; };
  // The last of them expires a second after it was written.
  while (expired() - before < double(outcome.accepted) && waited() < 60) {
    ::poll(nullptr, 0, 20);
  }
  table.push_back(
      {"1,000 write what dies after a second: written/s, ends recorded/s meanwhile",
       fmt::format("{:.0f}, {:.0f}", outcome.accepted_per_second, meanwhile / options.seconds), "-",
       true});
  table.push_back(
      {"the same: the oldest end waits, at most", fmt::format("{:.1f} s", overdue_max), "-", true});
  const double after = waited();
  table.push_back({"the same: then all ends are recorded after", fmt::format("{:.1f} s", after),
                   "as long as the load", after < options.seconds + 1});
}

std::string render(const Table& table) {
  std::string out = "| under attack | measured | goal | met |\n| --- | --- | --- | --- |\n";
  for (const OverloadRow& row : table) {
    out += fmt::format("| {} | {} | {} | {} |\n", row.what, row.measured, row.goal,
                       row.is_met ? "yes" : "**no**");
  }
  return out;
}

void measure(const Options& options, const std::string& directory, Table& table) {
  const bench::ServerProcess server(directory);
  fill(server);
  const double before = server.resident_mib();
  if (options.wants("reads")) add_ten_times(options, server, "reads", read_one, table);
  if (options.wants("writes")) add_ten_times(options, server, "writes", write_one, table);
  if (options.wants("queries")) add_ten_times(options, server, "queries", list_some, table);
  if (options.wants("slow")) {
    add_beside(
        options, server, "2,000 dripping heads",
        [&](const auto& is_over) { drip_heads(server.port(), 2'000, is_over); }, table);
    const std::string much = http_request("GET", collection + "/documents?limit=1000");
    add_beside(
        options, server, "200 that do not read",
        [&](const auto& is_over) { read_nothing(server.port(), 200, much, is_over); }, table);
  }
  if (options.wants("bodies")) add_huge_bodies(server, table);
  if (options.wants("json")) add_odd_json(server, table);
  if (options.wants("followers")) add_followers(server, table);
  if (options.wants("sweeper")) add_sweeper(options, server, table);
  const double after = server.resident_mib();
  table.push_back({"memory before all, and after", fmt::format("{:.0f}, {:.0f} MiB", before, after),
                   "< 1 GiB", after < memory_budget_mib});
}

}  // namespace
}  // namespace mayfly::overload

int main(int argc, char** argv) {
  using namespace mayfly::overload;
  Options options;
  CLI::App app("Measures Mayfly under more than it can do.");
  app.add_option("--seconds", options.seconds, "Of each load.")->capture_default_str();
  app.add_option("--only", options.only,
                 "With commas: reads,writes,queries,slow,bodies,json,followers,sweeper.");
  app.add_flag("--hammer", options.hammer, "Refused clients ask again at once.");
  CLI11_PARSE(app, argc, argv);
  std::string directory =
      (std::filesystem::temp_directory_path() / "mayfly-overload-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) return 1;
  Table table;
  measure(options, directory, table);
  std::filesystem::remove_all(directory);
  std::fputs(render(table).c_str(), stdout);
  return 0;
}
