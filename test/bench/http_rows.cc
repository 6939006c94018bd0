// P1 and P2: the throughput for a client on the same machine, against HTTP alone and RocksDB alone.
#include <filesystem>

#include "base/check.h"
#include "base/random.h"
#include "bench/bare_server.h"
#include "bench/epoll_server.h"
#include "bench/load.h"
#include "bench/process.h"
#include "bench/raw_rocks.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

constexpr const char* documents = "/v1/databases/b/collections/c/documents/";

Span span_of(const Options& options) {
  return Span{static_cast<std::int64_t>(options.seconds * 1e6)};
}

void add_read_rows(const Options& options, std::vector<ReportRow>& rows) {
  const ServerProcess server(options.directory + "/read", {.flags = {"--threads", "1"}});
  server.call("PUT", "/v1/databases/b");
  server.call("PUT", "/v1/databases/b/collections/c");
  for (std::uint64_t n = 0; n < 1'000; ++n) {
    server.call("PUT", documents + ("d" + std::to_string(n)), sample_json(300, n));
  }
  BareServer bare;
  Random random(1);
  ReportRow rate{.id = "P1",
                 .what = "HTTP point read, 300 B, 64 connections",
                 .unit = "requests/s",
                 .against = "bare Beast",
                 .goal = ">= 0.85",
                 .is_met = [](double ours, double theirs) { return ours >= 0.85 * theirs; }};
  ReportRow cpu{.id = "P1",
                .what = "server CPU of one such read",
                .unit = "us",
                .against = "bare Beast",
                .goal = "<= 1.3",
                .is_met = [](double ours, double theirs) { return ours <= 1.3 * theirs; }};
  const auto ours = [&] {
    const double before = server.cpu_seconds();
    const auto next = [&] {
      return http_request("GET", documents + ("d" + std::to_string(random.below(1'000))));
    };
    const LoadResult result = run(
        {.port = server.port(), .connections = 64, .span = span_of(options), .next_request = next});
    CHECK(result.unexpected == 0);
    cpu.ours.push_back((server.cpu_seconds() - before) * 1e6 / double(result.requests));
    return result.requests_per_second;
  };
  const auto read_from = [&](std::uint16_t port) {
    const auto next = [&] { return http_request("GET", documents + std::string("d500")); };
    return run({.port = port, .connections = 64, .span = span_of(options), .next_request = next});
  };
  const auto theirs = [&] {
    const double before = bare.cpu_seconds();
    const LoadResult result = read_from(bare.port());
    cpu.theirs.push_back((bare.cpu_seconds() - before) * 1e6 / double(result.requests));
    return result.requests_per_second;
  };
  alternate(options.repetitions, rate, ours, theirs);
  rows.push_back(rate);
  rows.push_back(std::move(cpu));
  rate.against = "bare epoll";
  rate.goal = ">= 0.60";
  rate.is_met = [](double our, double their) { return our >= 0.6 * their; };
  rate.theirs.clear();
  const EpollServer epoll;
  for (int i = 0; i < options.repetitions; ++i) {
    rate.theirs.push_back(read_from(epoll.port()).requests_per_second);
  }
  rows.push_back(std::move(rate));
}

void add_write_row(const Options& options, std::vector<ReportRow>& rows, int connections,
                   int threads, double goal) {
  const std::string count = std::to_string(connections);
  const ServerProcess server(options.directory + "/write" + count);
  server.call("PUT", "/v1/databases/b");
  // No feed: the other side writes no events either.
  server.call("PUT", "/v1/databases/b/collections/c", R"({"keep_feed_for":0})");
  RawRocks raw(options.directory + "/raw-write" + count);
  ReportRow row{.id = "P2",
                .what = "HTTP document write, synced, " + count + " connections",
                .unit = "documents/s",
                .against = "raw RocksDB, " + std::to_string(threads) + " threads",
                .goal = ">= " + std::to_string(goal).substr(0, 3),
                .is_met = [goal](double ours, double theirs) { return ours >= goal * theirs; }};
  std::uint64_t n = 0;
  const auto next = [&n] {
    ++n;
    const std::string id = std::to_string(n);
    return http_request("PUT", documents + ("d" + id) + "?ttl=86400", sample_json(300, n));
  };
  const auto ours = [&] {
    const LoadResult result = run({.port = server.port(),
                                   .connections = connections,
                                   .span = span_of(options),
                                   .next_request = next,
                                   .expected_status = 201});
    CHECK(result.unexpected == 0);
    return result.requests_per_second;
  };
  const std::string value = sample_json(300, 1);
  alternate(options.repetitions, row, ours,
            [&] { return raw.synced_writes(threads, options.seconds, value); });
  rows.push_back(std::move(row));
}

}  // namespace

void add_http_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (options.wants("P1")) add_read_rows(options, rows);
  if (!options.wants("P2")) return;
  add_write_row(options, rows, 1, 1, 0.7);
  add_write_row(options, rows, 16, 8, 0.8);
  add_write_row(options, rows, 64, 64, 1.0);
}

}  // namespace mayfly::bench
