// The OpenAPI document is correct: it has every route and nothing else, and every kind of answer
// that a route declares occurs here (testing.h checks each answer against its schema).
#include "dialect/native/openapi/schemas.h"
#include "dialect/native/testing.h"
#include "store/open.h"
#include "store/testing.h"

namespace mayfly::native::testing {
namespace {

TEST(NativeOpenApiTest, ItHoldsEachRouteOnceAndNothingElse) {
  const Value openapi = *parse_json(render_openapi());
  std::set<std::string> written;
  for (const auto& [path, methods] : openapi.member("paths").object()) {
    for (const auto& [method, operation] : methods.object()) {
      EXPECT_FALSE(operation.member("summary").text().empty());
      written.insert(operation.member("operationId").text());
    }
  }
  std::set<std::string> offered;
  for (const Route& route : routes()) offered.insert(std::string(route.name));
  EXPECT_EQ(offered.size(), routes().size());
  EXPECT_EQ(written, offered);
}

TEST(NativeOpenApiTest, EachOperationHasATagThatIsDescribedAndSaysHowItIsRefused) {
  const Value openapi = *parse_json(render_openapi());
  std::set<std::string> described;
  for (const Value& tag : openapi.member("tags").array()) {
    EXPECT_FALSE(tag.member("description").text().empty());
    described.insert(tag.member("name").text());
  }
  for (const auto& [path, methods] : openapi.member("paths").object()) {
    for (const auto& [method, operation] : methods.object()) {
      ASSERT_EQ(operation.member("tags").array().size(), 1u) << path;
      EXPECT_TRUE(described.contains(operation.member("tags").array()[0].text())) << path;
      EXPECT_TRUE(operation.member("responses").object().find("4XX") != nullptr) << path;
    }
  }
  EXPECT_EQ(openapi.member("servers").array().size(), 1u);
  EXPECT_EQ(openapi.member("info").member("license").member("identifier").text(), "Apache-2.0");
}

void collect_references(const Value& value, std::set<std::string>& found) {
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) collect_references(item, found);
  }
  if (!value.is(Kind::object)) return;
  for (const auto& [name, member] : value.object()) {
    if (name == "$ref") found.insert(member.text());
    collect_references(member, found);
  }
}

TEST(NativeOpenApiTest, EverySchemaIsUsedAndEveryReferenceLeadsToOne) {
  std::set<std::string> used;
  collect_references(*parse_json(render_openapi()), used);
  std::set<std::string> there;
  for (const Schema& schema : schemas()) {
    EXPECT_TRUE(parse_json(schema.json).has_value()) << schema.name;
    there.insert("#/components/schemas/" + std::string(schema.name));
  }
  EXPECT_EQ(used, there);
}

struct Stop {
  std::string method;
  std::string target;
  std::string body = {};
  std::vector<net::Pair> headers = {};
};

std::vector<Stop> of_documents() {
  const std::string d = "/v1/databases/d";
  const std::string docs = place + "/documents";
  return {
      {"GET", "/health"},
      {"GET", "/ready"},
      {"GET", "/metrics"},
      {"GET", "/v1/openapi.json"},
      {"GET", "/v1"},
      {"GET", "/v1/clock"},
      {"POST", "/v1/backups", R"({"name":"monday"})"},
      {"GET", "/v1/backups"},
      {"DELETE", "/v1/backups/monday"},
      {"GET", "/v1/databases"},
      {"POST", "/v1/databases", R"({"name":"e"})"},
      {"PUT", d},
      {"PUT", d},
      {"GET", d},
      {"GET", "/v1/databases"},
      {"POST", d + "/collections",
       R"({"name":"full","default_ttl":5,"stamp_ttl":{"seconds":9},"keep_history_for":"forever",
           "keep_trash_for":7,"indexes":[{"name":"i","fields":[{"path":"a"}]}]})"},
      {"PUT", place,
       R"({"keep_trash_for":"forever","keep_history_for":60,"keep_purges_for":"forever"})"},
      {"PUT", place},
      {"GET", place},
      {"GET", d + "/collections"},
      {"PATCH", place, R"({"default_ttl":"never"})"},
      {"POST", place + "/indexes", R"({"name":"i","fields":[{"path":"n","order":"desc"}]})"},
      {"GET", place + "/indexes"},
      {"POST", docs, R"({"n":1})", {{"mayfly-author", "ann"}}},
      {"PUT", docs + "/a?ttl=50", R"({"n":2})"},
      {"PUT", docs + "/a", R"({"n":[{"deep":null}]})"},
      {"PATCH", docs + "/a", R"({"m":1.5})"},
      {"GET", docs + "/a"},
      {"GET", docs + "/a", {}, {{"if-none-match", "*"}}},
      {"GET", docs + "/a/history"},
      {"GET", docs + "?limit=1&sort=-n"},
      {"GET", docs + "?select=m&lifetime=true"},
      {"GET", place + "/count"},
      {"POST", place + "/query", R"({"filter":"n = 1"})"},
      {"POST", place + "/query", R"({"filter":"n = 1","explain":true})"},
      {"POST", d + "/transactions",
       R"({"operations":[{"op":"put","collection":"c","id":"t","data":{}},
            {"op":"remove","collection":"c","id":"t"}]})"},
      {"POST", docs + "/a/touch?ttl=90"},
      {"PUT", place + "/holds/a", R"({"reason":"r"})"},
      {"GET", place + "/holds"},
      {"DELETE", place + "/holds/a"},
      {"GET", place + "/forecast?slots=2"},
      {"POST", place + "/preview", R"({"default_ttl":60})"},
      {"DELETE", docs + "/a"},
      {"GET", place + "/trash"},
      {"POST", place + "/trash/a/restore"},
      {"DELETE", docs + "/a"},
      {"DELETE", place + "/trash/a"},
      {"GET", place + "/purges"},
  };
}

// ID stands for the id that the first request has created.
std::vector<Stop> of_subscriptions() {
  const std::string all = "/v1/databases/d/subscriptions";
  return {
      {"POST", all, R"({"target":{"webhook":{"url":"https://hooks.example.com/"}}})"},
      {"GET", all},
      {"GET", all + "/ID"},
      {"POST", all + "/ID/pause"},
      {"POST", all + "/ID/resume"},
      {"POST", all + "/ID/replay", R"({"from":"now"})"},
      {"GET", all + "/ID/dead_letters"},
      {"POST", all + "/ID/dead_letters/send"},
      {"DELETE", all + "/ID"},
  };
}

std::vector<Stop> of_housekeeping() {
  const std::string d = "/v1/databases/d";
  const std::string docs = place + "/documents";
  return {
      {"PUT", docs + "/b?ttl=5", "{}"},
      {"GET", "/v1/jobs"},
      {"GET", "/v1/sweeper"},
      {"POST", "/v1/clock", R"({"advance_seconds":5})"},
      {"POST", "/v1/sweeper/pause"},
      {"POST", "/v1/sweeper/run"},
      {"POST", "/v1/sweeper/resume"},
      {"GET", place + "/feed"},
      {"DELETE", place + "/indexes/i"},
      {"DELETE", place},
      {"DELETE", d},
  };
}

TEST(NativeOpenApiTest, EveryDeclaredAnswerOccursAsDescribed) {
  std::vector<Stop> tour = of_documents();
  for (Stop& stop : of_subscriptions()) tour.push_back(std::move(stop));
  for (Stop& stop : of_housekeeping()) tour.push_back(std::move(stop));
  const store::testing::Directory data;
  const store::testing::Directory backups("backups");
  Api api(std::move(*store::open({.data = data.text(), .free_disk_bytes_min = 0})), backups.text());
  std::string id;
  for (Stop& stop : tour) {
    if (const std::size_t at = stop.target.find("/ID"); at != std::string::npos) {
      stop.target.replace(at + 1, 2, id);
    }
    const net::Response answer = api.send(stop.method, stop.target, stop.body, stop.headers);
    EXPECT_LT(answer.status, 400) << stop.method << " " << stop.target << " " << answer.body;
    if (stop.target.ends_with("/subscriptions") && answer.status == 201) {
      id = parse_json(answer.body)->member("id").text();
    }
  }
  api.readiness = fail(Code::no_space, "the disk is nearly full");
  EXPECT_EQ(api.status("GET", "/ready"), 503);
  std::set<std::string> promised;
  for (const Route& route : routes()) {
    for (const Answer& answer : route.answers) {
      promised.insert(std::string(route.name) + " " + std::to_string(answer.status));
    }
  }
  EXPECT_EQ(api.described, promised);
}

// So the column `effect` of the routes is true for them.
TEST(NativeOpenApiTest, RoutesThatReadChangeNothing) {
  const store::testing::Directory data;
  const store::testing::Directory backups("backups");
  Api api(std::move(*store::open({.data = data.text(), .free_disk_bytes_min = 0})), backups.text());
  RouteFinder<Route> finder;
  for (const Route& route : routes()) finder.add(route.method, route.pattern, route);
  int reading = 0;
  for (const Stop& stop : of_documents()) {
    const store::Version before = api.database->store().applied();
    api.send(stop.method, stop.target, stop.body, stop.headers);
    const std::string path = stop.target.substr(0, stop.target.find('?'));
    const Route& route = *finder.find(stop.method, path).route;
    if (route.effect > RouteEffect::read) continue;
    ++reading;
    EXPECT_EQ(api.database->store().applied(), before) << stop.method << " " << stop.target;
  }
  EXPECT_GT(reading, 20);
}

TEST(NativeOpenApiTest, TheValidatorFindsWhatIsWrong) {
  const SchemaCheck check(*parse_json(render_openapi()));
  const auto wrong = [&](const char* json, const char* schema) {
    return !check.check(*parse_json(json), Object{{"$ref", Value(schema)}}, "x").empty();
  };
  const char* clock = "#/components/schemas/Clock";
  EXPECT_FALSE(wrong(R"({"now":"t","kind":"system"})", clock));
  EXPECT_TRUE(wrong(R"({"now":"t"})", clock));
  EXPECT_TRUE(wrong(R"({"now":1,"kind":"system"})", clock));
  EXPECT_TRUE(wrong(R"({"now":"t","kind":"other"})", clock));
  EXPECT_TRUE(wrong(R"({"now":"t","kind":"system","more":1})", clock));
  EXPECT_TRUE(wrong(R"(5)", "#/components/schemas/TimeOrNull"));
  EXPECT_TRUE(wrong(R"(0)", "#/components/schemas/DefaultTtl"));
}

}  // namespace
}  // namespace mayfly::native::testing
