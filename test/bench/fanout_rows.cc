// P16: what a thousand readers of feeds cost a writer, as server-sent events. The cost of an event
// does not depend on the readers of other feeds.
#include <memory>

#include "base/check.h"
#include "bench/listeners.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int subscriptions = 1'000;
constexpr const char* written = "/v1/databases/b/collections/written";
constexpr const char* quiet = "/v1/databases/b/collections/quiet";

// Readers of one feed, each on a connection of its own.
Listeners readers_of(std::uint16_t port, const std::string& collection, int count) {
  const std::string request = "GET " + collection +
                              "/feed HTTP/1.1\r\nHost: localhost\r\n"
                              "Accept: text/event-stream\r\n\r\n";
  Listeners readers("\nevent: created\n");
  for (int i = 0; i < count; ++i) {
    auto wire = std::make_unique<Wire>(port);
    wire->send(request);
    // The stream begins with its first position.
    while (wire->in.find("\nid: ") == std::string::npos) wire->receive();
    CHECK(wire->in.starts_with("HTTP/1.1 200"));
    readers.add(std::move(wire));
  }
  return readers;
}

struct Audience {
  int matching = 1;
  int elsewhere = 0;
};

// Server CPU of one written document and its event, in microseconds: each event is received by all
// readers before the next document is written.
double cost_of_event(const ServerProcess& server, const Audience& audience, double seconds,
                     std::uint64_t& n) {
  const Listeners elsewhere = readers_of(server.port(), quiet, audience.elsewhere);
  Listeners matching = readers_of(server.port(), written, audience.matching);
  Wire writer(server.port());
  const Instant end = monotonic_now() + Span{static_cast<std::int64_t>(seconds * 1e6)};
  const double before = server.cpu_seconds();
  std::uint64_t events = 0;
  for (; monotonic_now() < end; ++events) {
    const std::string target = std::string(written) + "/documents/d" + std::to_string(++n);
    CHECK(call(writer, http_request("PUT", target, sample_json(300, n))).status == 201);
    matching.await(1);
  }
  return (server.cpu_seconds() - before) * 1e6 / double(events);
}

}  // namespace

void add_fanout_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P16")) return;
  allow_many_files();
  const ServerProcess server(options.directory + "/fanout");
  server.call("PUT", "/v1/databases/b");
  for (const char* collection : {written, quiet}) {
    server.call("PUT", collection, R"({"keep_feed_for":86400})");
  }
  std::uint64_t n = 0;
  const auto cost = [&](const Audience& audience) {
    return cost_of_event(server, audience, options.seconds, n);
  };
  ReportRow listening{
      .id = "P16",
      .what = "server CPU of a write and its event, 1 reader and 999 of another feed",
      .unit = "us",
      .against = "1 reader",
      .goal = "<= 1.2",
      .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
  alternate(
      options.repetitions, listening, [&] { return cost({1, subscriptions - 1}); },
      [&] { return cost({1, 0}); });
  rows.push_back(std::move(listening));
  ReportRow told{.id = "P16",
                 .what = "server CPU of one delivery of an event to 1,000 readers",
                 .unit = "us",
                 .against = "the write and its event, 1 reader",
                 .goal = "<= 1.0",
                 .is_met = [](double ours, double theirs) { return ours <= theirs; }};
  alternate(
      options.repetitions, told, [&] { return cost({subscriptions, 0}) / subscriptions; },
      [&] { return cost({1, 0}); });
  rows.push_back(std::move(told));
}

}  // namespace mayfly::bench
