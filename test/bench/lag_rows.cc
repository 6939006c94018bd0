// P6: how long after a document's expiration a client that reads the feed receives its event, at a
// thousand expirations a second by the system's clock.
#include "base/check.h"
#include "bench/dying.h"
#include "bench/load.h"
#include "bench/rows.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t deaths = deaths_of_a_run;
constexpr std::int64_t between_looks = 500;  // microseconds
constexpr const char* collection = "/v1/databases/b/collections/c";

// Reads the feed from `position` on, which is advanced; gives the lags of expirations.
std::vector<std::int64_t> read_lags(Wire& wire, std::string& position) {
  const std::string target =
      std::string(collection) + "/feed?limit=1000" + (position.empty() ? "" : "&after=" + position);
  const HttpAnswer answer = call(wire, http_request("GET", target));
  const Instant now = SystemClock().now();
  CHECK(answer.status == 200);
  const auto page = parse_json(answer.body);
  CHECK(page);
  std::vector<std::int64_t> lags;
  const Value events = page->member("events");
  for (const Value& event : events.array()) {
    if (event.member("kind").text() != "expired") continue;
    lags.push_back((now - *parse_rfc3339(event.member("death").text())).micros);
  }
  if (!events.array().empty()) position = page->member("last").text();
  return lags;
}

std::vector<std::int64_t> lags_of_one_run(const ServerProcess& server, std::string& position,
                                          const std::string& prefix) {
  const Instant last = write_dying(server, prefix) + Span::seconds(deaths / deaths_per_second);
  Wire wire(server.port());
  std::vector<std::int64_t> lags;
  while (lags.size() < deaths && SystemClock().now() < last + Span::seconds(10)) {
    const auto more = read_lags(wire, position);
    lags.insert(lags.end(), more.begin(), more.end());
    rest(between_looks);
  }
  CHECK(lags.size() == deaths);
  return lags;
}

}  // namespace

void add_lag_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P6")) return;
  const ServerProcess server(options.directory + "/lag");
  server.call("PUT", "/v1/databases/b");
  server.call("PUT", collection, R"({"keep_feed_for":86400})");
  ReportRow row{.id = "P6",
                .what = "expiry event in a reader's hands after the death, p99, 1,000 deaths/s",
                .unit = "ms",
                .goal = "<= 10",
                .is_met = [](double ours, double) { return ours <= 10; }};
  std::string position;
  int number = 0;
  repeat(options.repetitions, row, [&] {
    auto lags = lags_of_one_run(server, position, "r" + std::to_string(number++) + "-");
    return quantile(lags, 0.99) / 1e3;
  });
  rows.push_back(std::move(row));
}

}  // namespace mayfly::bench
