// K4: notifications of the Kuzzle dialect: their delay, and their cost for the server. The cost
// grows with the subscribers that a notification concerns, not with those of something else.
#include <fmt/format.h>

#include "base/check.h"
#include "bench/listeners.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/websocket.h"

namespace mayfly::bench {
namespace {

constexpr int subscribers = 100;
constexpr int other_subscriptions = 1'000;
constexpr int subscriptions_of_each = 100;  // of each connection of the other subscribers
constexpr int documents_at_once = 100;

// The beginning of a message to the measured collection.
std::string to(const char* action) {
  return fmt::format(
      R"({{"controller":"{}","action":"{}","index":"b","collection":"c","requestId":"1",)",
      std::string_view(action) == "subscribe" ? "realtime" : "document", action);
}

std::unique_ptr<Wire> open_wire(std::uint16_t port) {
  auto wire = std::make_unique<Wire>(port);
  open_websocket(*wire);
  return wire;
}

void subscribe(Wire& wire, const std::string& filter) {
  CHECK(kuzzle_status(ask(wire, to("subscribe") + R"("body":)" + filter + "}")) == 200);
}

// A collection, the subscribers of all its documents, and their writer.
class Audience {
 public:
  Audience(const ServerProcess& server, int matching, int others)
      : server_(server),
        matching_(R"("type":"document")"),
        writer_(open_wire(server.kuzzle_port())) {
    for (int i = 0; i < matching; ++i) {
      auto wire = open_wire(server.kuzzle_port());
      subscribe(*wire, "{}");
      matching_.add(std::move(wire));
    }
    for (int i = 0; i < others; ++i) {
      if (i % subscriptions_of_each == 0) others_.push_back(open_wire(server.kuzzle_port()));
      subscribe(*others_.back(), fmt::format(R"({{"equals":{{"user":"nobody-{}"}}}})", i));
    }
  }

  // Writes one document; gives how long after that each matching subscriber received it.
  void publish(std::uint64_t n, std::vector<std::int64_t>& micros) {
    const std::string written = websocket_frame(
        fmt::format(R"({}"_id":"d{}","body":{}}})", to("create"), n, sample_json(300, n)));
    const Instant sent_at = monotonic_now();
    writer_->send(written);
    matching_.await(1, [&] { micros.push_back((monotonic_now() - sent_at).micros); });
    await_answer();
  }

  // Many documents in one request.
  void publish_many(std::uint64_t& n) {
    std::string message = to("mCreate") + R"("body":{"documents":[)";
    for (int i = 0; i < documents_at_once; ++i) {
      if (i > 0) message += ',';
      ++n;
      message += fmt::format(R"({{"_id":"d{}","body":{}}})", n, sample_json(300, n));
    }
    writer_->send(websocket_frame(message + "]}}"));
    matching_.await(documents_at_once);
    await_answer();
  }

  double cpu_seconds() const { return server_.cpu_seconds(); }

 private:
  void await_answer() {
    std::optional<std::string> answer;
    while (!(answer = take_message(writer_->in))) writer_->receive();
    CHECK(kuzzle_status(*answer) == 200);
  }

  const ServerProcess& server_;
  Listeners matching_;
  std::vector<std::unique_ptr<Wire>> others_;
  std::unique_ptr<Wire> writer_;
};

// Writes one document after the other, each received by all before the next is written.
struct FanoutTimes {
  double p50_micros = 0;
  double p99_micros = 0;
  double cpu_micros = 0;  // of the server, for a document and its notifications
};

FanoutTimes publish(Audience audience, double seconds, std::uint64_t& n) {
  std::vector<std::int64_t> micros;
  const Instant end = monotonic_now() + Span{static_cast<std::int64_t>(seconds * 1e6)};
  const double before = audience.cpu_seconds();
  const std::uint64_t first = n;
  while (monotonic_now() < end) audience.publish(++n, micros);
  return {.p50_micros = quantile(micros, 0.5),
          .p99_micros = quantile(micros, 0.99),
          .cpu_micros = (audience.cpu_seconds() - before) * 1e6 / double(n - first)};
}

double deliveries_per_second(const ServerProcess& server, int count, double seconds,
                             std::uint64_t& n) {
  Audience audience(server, count, 0);
  const std::uint64_t first = n;
  const Instant began = monotonic_now();
  const Instant end = began + Span{static_cast<std::int64_t>(seconds * 1e6)};
  while (monotonic_now() < end) audience.publish_many(n);
  return double(n - first) * count * 1e6 / double((monotonic_now() - began).micros);
}

ReportRow row_of(const std::string& what, const char* unit, const char* against = "1 subscriber") {
  return {.id = "K4", .what = "realtime: " + what, .unit = unit, .against = against, .goal = "-"};
}

void add_deliveries(const Options& options, const ServerProcess& server, std::uint64_t& n,
                    std::vector<ReportRow>& rows) {
  ReportRow row =
      row_of("notifications of documents, created 100 at once, to 100 subscribers", "deliveries/s");
  alternate(
      options.repetitions, row,
      [&] { return deliveries_per_second(server, subscribers, options.seconds, n); },
      [&] { return deliveries_per_second(server, 1, options.seconds, n); });
  rows.push_back(std::move(row));
}

void add_latencies(const Options& options, const ServerProcess& server, std::uint64_t& n,
                   std::vector<ReportRow>& rows) {
  ReportRow p50 = row_of("from the write to 100 subscribers' hands, p50", "us");
  ReportRow p99 = row_of("from the write to 100 subscribers' hands, p99", "us");
  const auto measure = [&](int count, Samples& slowest) {
    const FanoutTimes times = publish(Audience(server, count, 0), options.seconds, n);
    slowest.push_back(times.p99_micros);
    return times.p50_micros;
  };
  alternate(
      options.repetitions, p50, [&] { return measure(subscribers, p99.ours); },
      [&] { return measure(1, p99.theirs); });
  rows.push_back(std::move(p50));
  rows.push_back(std::move(p99));
}

void add_costs(const Options& options, const ServerProcess& server, std::uint64_t& n,
               std::vector<ReportRow>& rows) {
  ReportRow row = row_of(
      "server CPU of a write and its notification, 1 subscriber and 1,000 other subscriptions",
      "us", "1 other subscription");
  const auto cost = [&](int others) {
    return publish(Audience(server, 1, others), options.seconds, n).cpu_micros;
  };
  alternate(
      options.repetitions, row, [&] { return cost(other_subscriptions); }, [&] { return cost(1); });
  rows.push_back(std::move(row));
}

}  // namespace

void add_kuzzle_fanout_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("K4")) return;
  allow_many_files();
  const ServerProcess server(options.directory + "/kuzzle-fanout", {.speaks_kuzzle = true});
  server.call_kuzzle("POST", "/b/_create");
  server.call_kuzzle("PUT", "/b/c");
  std::uint64_t n = 0;
  add_deliveries(options, server, n, rows);
  add_latencies(options, server, n, rows);
  add_costs(options, server, n, rows);
}

}  // namespace mayfly::bench
