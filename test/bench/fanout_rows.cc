// P16: what a thousand readers of feeds cost a writer, as server-sent events. An event costs what
// there is to tell, however many listen elsewhere.
#include <poll.h>
#include <sys/resource.h>

#include <memory>

#include "base/check.h"
#include "bench/load.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr int subscriptions = 1'000;
constexpr const char* written = "/v1/databases/b/collections/written";
constexpr const char* quiet = "/v1/databases/b/collections/quiet";

// The default bound of a process is too near to a thousand sockets; the server inherits it.
void allow_many_files() {
  rlimit limit{};
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 16'384);
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 4 * subscriptions);
}

// Readers of one feed, each on a connection of its own.
class Readers {
 public:
  Readers(std::uint16_t port, const std::string& collection, int count) {
    const std::string request = "GET " + collection +
                                "/feed HTTP/1.1\r\nHost: localhost\r\n"
                                "Accept: text/event-stream\r\n\r\n";
    for (int i = 0; i < count; ++i) {
      Wire& wire = *wires_.emplace_back(std::make_unique<Wire>(port));
      wire.send(request);
      // The stream begins with its first position.
      while (wire.in.find("\nid: ") == std::string::npos) wire.receive();
      CHECK(wire.in.starts_with("HTTP/1.1 200"));
      wire.in.clear();
    }
  }

  // Returns once all of them have been told of `events` more.
  void await(int events) {
    std::vector<pollfd> waiting;
    std::vector<int> missing(wires_.size(), events);
    for (const auto& wire : wires_) waiting.push_back({wire->socket(), POLLIN, 0});
    for (std::size_t left = wires_.size(); left > 0;) {
      CHECK(::poll(waiting.data(), waiting.size(), 10'000) > 0);
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].revents == 0) continue;
        missing[i] -= take(*wires_[i]);
        if (missing[i] > 0) continue;
        CHECK(missing[i] == 0);
        waiting[i].fd = -1;  // is passed over
        waiting[i].revents = 0;
        --left;
      }
    }
  }

 private:
  // How many events have come; what is there of the next one stays.
  static int take(Wire& wire) {
    constexpr std::string_view mark = "\nevent: created\n";
    wire.receive();
    int events = 0;
    std::size_t behind = 0;
    for (std::size_t at = 0; (at = wire.in.find(mark, at)) != std::string::npos; ++events) {
      behind = at += mark.size();
    }
    // A mark that is not whole yet is found again with its other part.
    wire.in.erase(0, std::max(behind, wire.in.size() - std::min(wire.in.size(), mark.size() - 1)));
    return events;
  }

  std::vector<std::unique_ptr<Wire>> wires_;
};

struct Audience {
  int matching = 1;
  int elsewhere = 0;
};

// Server CPU of one written document and its event, in microseconds: each is in the hands of all
// who listen before the next is written.
double cost_of_event(const ServerProcess& server, const Audience& audience, double seconds,
                     std::uint64_t& n) {
  Readers elsewhere(server.port(), quiet, audience.elsewhere);
  Readers matching(server.port(), written, audience.matching);
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

void add_fanout_rows(const Options& options, std::vector<Row>& rows) {
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
  Row listening{.id = "P16",
                .what = "server CPU of a write and its event, 1 reader and 999 of another feed",
                .unit = "us",
                .against = "1 reader",
                .goal = "<= 1.2",
                .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
  alternate(
      options.repetitions, listening, [&] { return cost({1, subscriptions - 1}); },
      [&] { return cost({1, 0}); });
  rows.push_back(std::move(listening));
  Row told{.id = "P16",
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
