// A native dialect on a database in memory under a clock that the test moves, without a socket.
// Every answer is checked against the OpenAPI document.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "base/service/metrics.h"
#include "base/service/settings.h"
#include "db/expiry/sweeper.h"
#include "delivery/deliveries.h"
#include "delivery/webhooks/target.h"
#include "dialect/common/events/fake_stream.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/page_token.h"
#include "dialect/native/native.h"
#include "dialect/native/openapi/openapi.h"
#include "dialect/native/openapi/testing.h"
#include "dialect/native/routes.h"
#include "net/requests/testing.h"
#include "net/router.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/checked.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::native::testing {

constexpr Instant start = Instant::from_seconds(1'800'000'000);  // 2027-01-15T08:00:00Z
inline const std::string place = "/v1/databases/d/collections/c";

class Api {
 public:
  enum class Clock { manual, system };

  explicit Api(Credentials who = {}, Clock kind = Clock::manual)
      : Api(store::open_memory(), {}, std::move(who), kind) {}
  Api(std::unique_ptr<store::Store> store, std::string backups, Credentials who = {},
      Clock kind = Clock::manual)
      : clock(start),
        credentials(std::move(who)),
        settings(*Settings::resolve({{.name = "backup.directory", .initial = ""}},
                                    {.flags = {{"backup.directory", std::move(backups)}}})) {
    database =
        std::move(*Database::open(std::make_unique<store::CheckedStore>(std::move(store)), clock));
    events = std::make_unique<EventHub>(*database);
    const auto call = [this](const net::OutgoingCall& made, const net::Caller::Done& done) {
      const std::lock_guard lock(calls_mutex);
      calls.push_back(made);
      done(answer_of_target);
    };
    std::vector<std::unique_ptr<delivery::Target>> targets;
    targets.push_back(delivery::webhook_target(call, net::AddressPolicy::public_only));
    deliveries = std::make_unique<delivery::Deliveries>(*database, database->jobs(), random,
                                                        std::move(targets));
    database->jobs().start(JobLane::events);
    dialect = make_native({.database = *database,
                           .manual_clock = kind == Clock::manual ? &clock : nullptr,
                           .random = random,
                           .credentials = credentials,
                           .page_tokens = page_tokens,
                           .settings = &settings,
                           .metrics = &metrics,
                           .readiness = [this] { return readiness; },
                           .events = events.get(),
                           .deliveries = deliveries.get()});
    openapi = *parse_json(render_openapi());
    for (const Route& route : routes()) router.add(route.method, route.pattern);
  }
  // With database d and collection c.
  static std::unique_ptr<Api> with_collection(const std::string& promises = "{}") {
    auto api = std::make_unique<Api>();
    EXPECT_EQ(api->send("PUT", "/v1/databases/d").status, 201);
    const net::Response made = api->send("PUT", place, promises);
    EXPECT_EQ(made.status, 201) << made.body;
    return api;
  }

  net::Response send(const std::string& method, const std::string& target,
                     const std::string& body = {}, const std::vector<net::Pair>& headers = {}) {
    net::Request request{.method = method, .target = target, .headers = headers, .body = body};
    const std::size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string::npos) {
      request.parameters = *net::decode_form(std::string_view(target).substr(mark + 1));
    }
    net::Response response = net::PendingRequest(*dialect, request)->answer();
    if (response.stream) go_on(response);
    if (!response.view.bytes.empty()) response.body = response.view.bytes;
    hold_to_description(request, response);
    return response;
  }
  // The answer as "STATUS BODY".
  std::string ask(const std::string& method, const std::string& target,
                  const std::string& body = {}) {
    const net::Response response = send(method, target, body);
    return std::to_string(response.status) + " " + response.body;
  }
  Value json(const std::string& method, const std::string& target, const std::string& body = {}) {
    return *parse_json(send(method, target, body).body);
  }
  int status(const std::string& method, const std::string& target, const std::string& body = {}) {
    return send(method, target, body).status;
  }
  // A member of the answer as JSON: by default "data"; "-" if there is no such document.
  std::string get(const std::string& id, const std::string& member = "data") {
    const net::Response response = send("GET", place + "/documents/" + id);
    if (response.status == 404) return "-";
    EXPECT_EQ(response.status, 200) << response.body;
    return render_json(parse_json(response.body)->member(member));
  }
  // The ids in a list, separated by spaces.
  std::string ids(const std::string& target, const std::string& member = "documents") {
    const Value answer = json("GET", target);
    if (!answer.member(member).is(Kind::array)) return render_json(answer);
    return ids_of(answer.member(member));
  }
  static std::string ids_of(const Value& documents) {
    std::string all;
    for (const Value& document : documents.array()) {
      all += (all.empty() ? "" : " ") + document.member("id").text();
    }
    return all;
  }
  // "CODE field" of an error.
  static std::string error_of(const net::Response& response) {
    const Value error = parse_json(response.body)->member("error");
    const Value field = error.member("field");
    return error.member("code").text() + (field.is_missing() ? "" : " " + field.text());
  }
  void set_clock(Instant t) {
    const auto body = R"({"set":")" + render_rfc3339(t, Fraction::micros) + R"("})";
    const net::Response moved = send("POST", "/v1/clock", body);
    ASSERT_EQ(moved.status, 200) << moved.body;
  }
  // Moves the clock past the commits so far, so that expected whole seconds are easy to compute.
  void advance(std::int64_t seconds) {
    ASSERT_EQ(status("POST", "/v1/clock", R"({"advance_seconds":)" + std::to_string(seconds) + "}"),
              200);
  }
  Instant now() { return database->now(); }
  Instant instant(const std::string& id, const std::string& member) {
    const Value answer = json("GET", place + "/documents/" + id);
    return *parse_rfc3339(answer.member(member).text());
  }

  ManualClock clock;
  Random random{7};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  Settings settings;
  Metrics metrics{{{"mayfly_things_total", MetricKind::counter, "Things."}}};
  Result<void> readiness;  // the server's readiness
  std::unique_ptr<Database> database;
  std::unique_ptr<EventHub> events;
  std::mutex calls_mutex;                // guards the two members below
  std::vector<net::OutgoingCall> calls;  // calls to targets of subscriptions
  Result<net::Response> answer_of_target = net::Response{};
  std::unique_ptr<delivery::Deliveries> deliveries;
  std::unique_ptr<Dialect> dialect;
  std::shared_ptr<mayfly::testing::FakeStream> stream;  // the stream of the last streamed answer
  Value openapi;
  net::Router router;
  std::set<std::string> described;  // "METHOD pattern STATUS" of all answers so far

 private:
  // Waits for the end of a long poll; leaves a stream of events to the test.
  void go_on(net::Response& response) {
    stream = std::make_shared<mayfly::testing::FakeStream>();
    std::exchange(response.stream, nullptr)(stream);
    if (response.content_type == "text/event-stream") return;
    EXPECT_TRUE(stream->is_ended());
    response.body += stream->text();
  }
  static bool promises(const net::Match& match, int status) {
    if (match.route == net::Match::none) return false;
    const auto& answers = routes()[match.route].answers;
    return std::any_of(answers.begin(), answers.end(),
                       [status](const Answer& answer) { return answer.status == status; });
  }
  void hold_to_description(const net::Request& request, const net::Response& response) {
    const net::Match match = router.match(request.method, request.path);
    Value schema;
    if (response.status >= 400 && !promises(match, response.status)) {
      schema = Object{{"$ref", Value("#/components/schemas/Error")}};
    } else {
      ASSERT_NE(match.route, net::Match::none);
      const Route& route = routes()[match.route];
      std::string method(route.method);
      for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
      const Value operation = openapi.member("paths").member(route.pattern).member(method);
      const Value answer = operation.member("responses").member(std::to_string(response.status));
      ASSERT_TRUE(answer.is(Kind::object))
          << route.name << " does not describe status " << response.status;
      described.insert(std::string(route.name) + " " + std::to_string(response.status));
      if (response.content_type == "text/event-stream") {
        EXPECT_TRUE(answer.member("content").member("text/event-stream").is(Kind::object));
        return;
      }
      schema = answer.member("content").member(route.content_type).member("schema");
      if (schema.is_missing()) {
        EXPECT_EQ(response.body, "") << route.name;
      }
      if (schema.is_missing() || route.content_type != "application/json") return;
    }
    const auto value = parse_json(response.body);
    ASSERT_TRUE(value.has_value()) << response.body;
    EXPECT_EQ(SchemaCheck(openapi).check(*value, schema, request.method + " " + request.path), "");
  }
};

}  // namespace mayfly::native::testing
