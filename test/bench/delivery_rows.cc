// P18: the lag of expirations at a NATS consumer and at a webhook; the cost of many subscriptions;
// and a storm of expirations with NATS as a target.
#include <condition_variable>
#include <mutex>

#include "base/check.h"
#include "bench/dying.h"
#include "bench/load.h"
#include "bench/nats.h"
#include "bench/rows.h"
#include "bench/storm.h"
#include "net/server.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::bench {
namespace {

constexpr const char* subscriptions = "/v1/databases/b/subscriptions";
constexpr std::int64_t between_looks = 5'000;  // microseconds
constexpr std::uint64_t documents_at_once = 500;

std::int64_t lag_of(const std::string& payload, Instant now) {
  const auto message = parse_json(payload);
  CHECK(message);
  return (now - *parse_rfc3339(message->member("event").member("death").text())).micros;
}

void make_collection(const ServerProcess& server) {
  server.call("PUT", "/v1/databases/b");
  server.call("PUT", "/v1/databases/b/collections/c", R"({"keep_feed_for":86400})");
}

// --- the lag of a consumer ---

double lag_on_nats(const ServerProcess& server, const NatsBroker& broker,
                   const std::string& prefix) {
  write_dying(server, prefix);
  std::vector<std::int64_t> lags;
  broker.consume("mayfly.b.c.expired", [&](const std::string& payload) {
    lags.push_back(lag_of(payload, SystemClock().now()));
    return lags.size() < deaths_of_a_run;
  });
  return quantile(lags, 0.99) / 1e3;
}

// --- the lag of a webhook ---

class Receiver final : public net::Handler {
 public:
  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    return storage.emplace<One>(request, *this);
  }
  net::Response refuse(const Error&) const override { return {.status = 500}; }
  std::size_t body_bytes_max() const override { return 1 << 20; }

  std::vector<std::int64_t> take(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return lags_.size() >= count; });
    return std::exchange(lags_, {});
  }

 private:
  class One final : public net::AcceptedRequest {
   public:
    One(const net::Request& request, Receiver& receiver)
        : AcceptedRequest(request), receiver_(receiver) {}
    net::Pace pace() const override { return net::Pace::quick; }
    net::Response answer() override {
      receiver_.note(lag_of(std::string(request.body), SystemClock().now()));
      return {.status = 204};
    }
    net::Response refuse(const Error&) const override { return {.status = 500}; }

   private:
    Receiver& receiver_;
  };

  void note(std::int64_t lag) {
    const std::lock_guard lock(mutex_);
    lags_.push_back(lag);
    came_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::int64_t> lags_;
};

void add_webhook_lag(const Options& options, std::vector<ReportRow>& rows) {
  Receiver receiver;
  net::ServerOptions heard;
  heard.listeners.push_back({"webhook", "127.0.0.1", 0, &receiver});
  const auto listener = net::Server::start(heard);
  CHECK(listener.has_value());
  const ServerProcess server(options.directory + "/webhook",
                             {.flags = {"--webhooks-allow-private"}});
  make_collection(server);
  server.call("POST", subscriptions,
              R"({"kinds":["expired"],"target":{"webhook":{"url":"http://127.0.0.1:)" +
                  std::to_string((*listener)->ports()[0]) + R"("}}})");
  ReportRow row{.id = "P18",
                .what = "death in the hands of a webhook's receiver, p99, 1,000 deaths/s",
                .unit = "ms",
                .goal = "<= 20",
                .is_met = [](double ours, double) { return ours <= 20; }};
  int number = 0;
  repeat(options.repetitions, row, [&] {
    write_dying(server, "w" + std::to_string(number++) + "-");
    auto lags = receiver.take(deaths_of_a_run);
    return quantile(lags, 0.99) / 1e3;
  });
  rows.push_back(std::move(row));
}

void add_nats_lag(const Options& options, std::vector<ReportRow>& rows) {
  const NatsBroker broker(options.directory + "/nats-lag");
  const ServerProcess server(options.directory + "/lag-on-nats",
                             {.flags = {"--nats-url", broker.url()}});
  make_collection(server);
  server.call("POST", subscriptions, R"({"kinds":["expired"],"target":{"nats":{}}})");
  ReportRow row{.id = "P18",
                .what = "death in the hands of a consumer of JetStream, p99, 1,000 deaths/s",
                .unit = "ms",
                .goal = "<= 20",
                .is_met = [](double ours, double) { return ours <= 20; }};
  int number = 0;
  repeat(options.repetitions, row,
         [&] { return lag_on_nats(server, broker, "n" + std::to_string(number++) + "-"); });
  rows.push_back(std::move(row));
}

// --- many subscriptions ---

void write_many(const ServerProcess& server, const std::string& prefix, std::uint64_t count,
                std::uint64_t groups) {
  for (std::uint64_t n = 0; n < count;) {
    std::string body = R"({"operations":[)";
    for (std::uint64_t i = 0; i < documents_at_once; ++i, ++n) {
      if (i > 0) body += ',';
      body += R"({"op":"put","collection":"c","id":")" + prefix + std::to_string(n) +
              R"(","data":{"group":)" + std::to_string(n % groups) + "}}";
    }
    server.call("POST", "/v1/databases/b/transactions", body + "]}");
  }
}

// All events of many new documents to many subscriptions, each of which matches its share; and also
// to the server's standing subscription.
double deliveries_per_second(const ServerProcess& server, const NatsBroker& broker,
                             std::uint64_t count, std::uint64_t groups, std::uint64_t subscribers) {
  static int number = 0;
  std::vector<std::string> made;
  for (std::uint64_t n = 0; n < subscribers; ++n) {
    const std::string filter =
        subscribers == 1 ? "" : R"("filter":"group = )" + std::to_string(n) + R"(",)";
    const auto answer = parse_json(server.call(
        "POST", subscriptions, R"({)" + filter + R"("kinds":["created"],"target":{"nats":{}}})"));
    made.push_back(answer->member("id").text());
  }
  const std::uint64_t expected = broker.messages() + 2 * count;
  const Instant began = monotonic_now();
  write_many(server, std::to_string(number++) + "-", count, groups);
  while (broker.messages() < expected) rest(between_looks);
  const double seconds = static_cast<double>((monotonic_now() - began).micros) / 1e6;
  for (const std::string& id : made) {
    server.call("DELETE", std::string(subscriptions) + "/" + id);
  }
  return static_cast<double>(2 * count) / seconds;
}

void add_fan_in(const Options& options, std::vector<ReportRow>& rows) {
  constexpr std::uint64_t groups = 100;
  const std::uint64_t count = options.documents_or(50'000);
  const NatsBroker broker(options.directory + "/nats-many");
  const ServerProcess server(options.directory + "/many", {.flags = {"--nats-url", broker.url()}});
  make_collection(server);
  ReportRow row{.id = "P18",
                .what = "events as they are written, on NATS to 100 subscriptions by a filter",
                .unit = "messages/s",
                .against = "to one",
                .goal = ">= 0.8",
                .is_met = [](double ours, double theirs) { return ours >= 0.8 * theirs; }};
  alternate(
      options.repetitions, row,
      [&] { return deliveries_per_second(server, broker, count, groups, groups); },
      [&] { return deliveries_per_second(server, broker, count, groups, 1); });
  rows.push_back(std::move(row));
}

// --- a storm ---

void add_storm(const Options& options, std::vector<ReportRow>& rows) {
  ReportRow reads{.id = "P18",
                  .what = "storm of deaths, NATS listening: p99 of reads during it",
                  .unit = "us",
                  .against = "before it",
                  .goal = "<= 1.2",
                  .is_met = [](double ours, double theirs) { return ours <= 1.2 * theirs; }};
  ReportRow last{.id = "P18",
                 .what = "storm of deaths, NATS listening: acknowledged",
                 .unit = "messages/s",
                 .goal = "-",
                 .is_met = [](double, double) { return true; }};
  const std::uint64_t deaths = options.deaths_or(1'000'000);
  for (int i = 0; i < options.storms(); ++i) {
    const std::string number = std::to_string(i);
    const NatsBroker broker(options.directory + "/nats-storm" + number);
    const auto mayfly = make_mayfly(options.directory + "/storm-on-nats" + number, true,
                                    {"--nats-url", broker.url()});
    double seconds = 0;
    const auto wait_for_last = [&](Instant death) {
      while (broker.messages() < deaths) rest(between_looks);
      seconds = static_cast<double>((SystemClock().now() - death).micros) / 1e6;
    };
    const StormResult result = run_storm(*mayfly, {.deaths = deaths, .heard = wait_for_last});
    reads.ours.push_back(result.during_p99_micros);
    reads.theirs.push_back(result.before_p99_micros);
    last.ours.push_back(static_cast<double>(deaths) / seconds);
  }
  for (ReportRow* row : {&reads, &last}) rows.push_back(std::move(*row));
}

}  // namespace

void add_delivery_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P18")) return;
  add_webhook_lag(options, rows);
  add_nats_lag(options, rows);
  add_fan_in(options, rows);
  add_storm(options, rows);
}

}  // namespace mayfly::bench
