// P15: the cost of FQL: one document read by its id, one created, and a query that an index serves,
// each over one connection of HTTP/2 with 16 streams and against the native API's same operation on
// the same kind of collection, over the same; and a loop, against JavaScript without machine code.
#include <fmt/format.h>

#include "base/check.h"
#include "base/random.h"
#include "bench/http2.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "script/pool.h"
#include "value/json/json.h"

namespace mayfly::bench {
namespace {

constexpr int streams = 16;
constexpr std::uint64_t documents_read = 1'000;
constexpr std::uint64_t documents_found = 10;  // of these, with one age
constexpr int numbers_added = 100'000;
// The path in the native API of the data of FQL's root database.
constexpr const char* native_collections = "/v1/databases/fauna/collections/";

Http2Request fql(const std::string& query) {
  std::string body = R"({"query":)";
  render_json_text(query, body);
  return {"POST", "/query/1", {{"authorization", "Bearer secret"}}, body + "}"};
}

// One API: the port, the format of requests, and the expected status.
struct Way {
  std::uint16_t port = 0;
  std::function<Http2Request()> next_request;
  int expected_status = 200;
};

double rate(const Way& way, double seconds) {
  const LoadResult result = run(Http2Load{.port = way.port,
                                          .streams = streams,
                                          .span = Span{static_cast<std::int64_t>(seconds * 1e6)},
                                          .next_request = way.next_request,
                                          .expected_status = way.expected_status});
  CHECK(result.unexpected == 0);
  return result.requests_per_second;
}

void add_row(const Options& options, const char* what, const Way& ours, const Way& native,
             std::vector<ReportRow>& rows) {
  ReportRow row{.id = "P15",
                .what = fmt::format("FQL {}, HTTP/2, 16 streams", what),
                .unit = "requests/s",
                .against = "native",
                .goal = ">= 0.5",
                .is_met = [](double our, double their) { return our >= 0.5 * their; }};
  alternate(
      options.repetitions, row, [&] { return rate(ours, options.seconds); },
      [&] { return rate(native, options.seconds); });
  rows.push_back(std::move(row));
}

// Collections as FQL makes them, with 1,000 documents in one of them, whose ids are 1, 2, …
class FaunaServer {
 public:
  explicit FaunaServer(const std::string& data) : process_(data, {.speaks_fauna = true}) {
    tell(R"(Collection.create({ name: "Written" }))");
    tell(
        R"(Collection.create({ name: "Read", indexes: { byAge: { terms: [{ field: ".age" }] } } }))");
    for (std::uint64_t n = 1; n <= documents_read; ++n) {
      std::string document = sample_json(300, n);
      tell(fmt::format(R"(Read.create({{ id: {}, {}))", n, with_age(document, n).substr(1)));
    }
  }
  std::string tell(const std::string& query) const {
    return call_http2(process_.fauna_port(), fql(query));
  }
  std::uint16_t port() const { return process_.fauna_port(); }
  std::uint16_t native_port() const { return process_.port(); }

 private:
  static std::string with_age(const std::string& json, std::uint64_t n) {
    const std::size_t at = json.find("\"age\":") + 6;
    const std::uint64_t age = n % (documents_read / documents_found);
    return json.substr(0, at) + std::to_string(age) + json.substr(json.find(',', at));
  }

  const ServerProcess process_;
};

void add_reading(const Options& options, const FaunaServer& server, std::vector<ReportRow>& rows) {
  Random random(1);
  const auto next_id = [&] { return std::to_string(1 + random.below(documents_read)); };
  const auto ours = [&] { return fql("Read.byId(\"" + next_id() + "\")"); };
  const auto native = [&] {
    return Http2Request{"GET", native_collections + ("Read/documents/" + next_id())};
  };
  add_row(options, "byId", {server.port(), ours}, {server.native_port(), native}, rows);
}

// Each creation is of a new document, on both sides.
void add_creation(const Options& options, const FaunaServer& server, std::vector<ReportRow>& rows) {
  std::uint64_t n = 0;
  const auto ours = [&] { return fql("Written.create(" + sample_json(300, ++n) + ")"); };
  const auto native = [&] {
    const std::string id = std::to_string(++n);
    return Http2Request{"PUT",
                        native_collections + ("Written/documents/" + id),
                        {{"content-type", "application/json"}},
                        sample_json(300, n)};
  };
  add_row(options, "create, synced", {server.port(), ours}, {server.native_port(), native, 201},
          rows);
}

// Both find the same ten documents.
void check_search(const Way& way) {
  const std::string answer = call_http2(way.port, way.next_request(), way.expected_status);
  std::size_t found = 0;
  for (std::size_t at = 0; (at = answer.find("user-", at)) != std::string::npos; ++at) ++found;
  CHECK(found == documents_found);
}

void add_search(const Options& options, const FaunaServer& server, std::vector<ReportRow>& rows) {
  Random random(1);
  const auto age = [&] { return random.below(documents_read / documents_found); };
  const auto fql_query = [&] {
    return fql(fmt::format("Read.where(.age == {}).toArray()", age()));
  };
  const auto native_query = [&] {
    return Http2Request{"POST",
                        std::string(native_collections) + "Read/query",
                        {{"content-type", "application/json"}},
                        fmt::format(R"({{"filter":"age = {}","limit":100}})", age())};
  };
  const Way ours{server.port(), fql_query};
  const Way native{server.native_port(), native_query};
  check_search(ours);
  check_search(native);
  add_row(options, "where, 10 of 1,000 documents by an index", ours, native, rows);
}

double millis_of(const std::function<void()>& act) {
  const Instant began = monotonic_now();
  act();
  return double((monotonic_now() - began).micros) / 1e3;
}

// The same sum by both.
void add_loop(const Options& options, const FaunaServer& server, std::vector<ReportRow>& rows) {
  ReportRow row{.id = "P15",
                .what = fmt::format("FQL, a lambda called {} times", numbers_added),
                .unit = "ms",
                .against = "JavaScript, interpreted",
                .goal = "-"};
  const std::string ours = fmt::format(
      "Set.sequence(0, {}).fold(0, (sum, n) => (sum + n * 3) % 1000003)", numbers_added);
  const std::string theirs = fmt::format(
      "() => {{ const add = (sum, n) => (sum + n * 3) % 1000003; let sum = 0; "
      "for (let n = 0; n < {}; ++n) sum = add(sum, n); return sum; }}",
      numbers_added);
  script::Pool pool;
  const auto sandbox = pool.take("bench", Instant::never());
  CHECK(sandbox && (*sandbox)->begin({}));
  const auto function = (*sandbox)->define("loop", theirs);
  CHECK(function);
  const auto sum = (*sandbox)->call(*function, {});
  CHECK(sum && server.tell(ours).find(render_json(*sum)) != std::string::npos);
  alternate(
      options.repetitions, row, [&] { return millis_of([&] { server.tell(ours); }); },
      [&] { return millis_of([&] { CHECK((*sandbox)->call(*function, {})); }); });
  rows.push_back(std::move(row));
}

}  // namespace

void add_fauna_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P15")) return;
  const FaunaServer server(options.directory + "/fauna");
  add_reading(options, server, rows);
  add_creation(options, server, rows);
  add_search(options, server, rows);
  add_loop(options, server, rows);
}

}  // namespace mayfly::bench
