// The law of lifetime in this dialect: the same on every path, whether the sweeper has run or not.
#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

const std::string lifetime_documents = place + "/documents";

// The paths that show document `id`, as text: one letter for each.
std::string paths_to(Api& api, const std::string& id) {
  std::string shown;
  if (api.status("GET", lifetime_documents + "/" + id) == 200) shown += "g";
  if (api.ids(lifetime_documents).find(id) != std::string::npos) shown += "l";
  if (api.json("GET", place + "/count").member("count").integer() == 1) shown += "c";
  if (api.json("GET", place + "/count?filter=n%3D1").member("count").integer() == 1) shown += "f";
  const Value by_index = api.json("POST", place + "/query", R"({"filter":"n = 1"})");
  if (by_index.member("documents").array().size() == 1) shown += "i";
  const Value sorted = api.json("POST", place + "/query", R"({"sort":"-n"})");
  if (sorted.member("documents").array().size() == 1) shown += "s";
  if (api.status("GET", lifetime_documents + "/" + id + "/history") == 200) shown += "h";
  if (api.status("PATCH", lifetime_documents + "/" + id, "[]") == 200) shown += "?";
  return shown;
}

constexpr const char* indexed = R"({"indexes":[{"name":"by_n","fields":[{"path":"n"}]}]})";

TEST(NativeLifetimeTest, ADocumentIsVisibleUntilItsExpirationOnEveryPath) {
  for (const bool sweeps : {false, true}) {
    auto api = Api::with_collection(indexed);
    api->send("PUT", lifetime_documents + "/a?expires_at=2027-01-15T09:00:00Z", R"({"n":1})");
    const Instant death = *parse_rfc3339("2027-01-15T09:00:00Z");
    api->set_clock({death.micros - 1});
    const auto sweep = [&] {
      return sweeps ? api->ask("POST", "/v1/sweeper/run") : std::string("no sweeping");
    };
    EXPECT_EQ(sweep(), sweeps ? R"(200 {"recorded":0})" : "no sweeping");
    EXPECT_EQ(paths_to(*api, "a"), "glcfish") << sweeps;
    api->set_clock(death);
    EXPECT_EQ(sweep(), sweeps ? R"(200 {"recorded":1})" : "no sweeping");
    EXPECT_EQ(paths_to(*api, "a"), "") << sweeps;
    EXPECT_EQ(api->status("PATCH", lifetime_documents + "/a", "{}"), 404) << sweeps;
    EXPECT_EQ(api->status("DELETE", lifetime_documents + "/a"), 404) << sweeps;
  }
}

// Case 1: which documents expire when the default changes; none comes back.
TEST(NativeLifetimeTest, ChangesOfTheDefaultMoveExpirationsAndReviveNoDocument) {
  struct Step {
    int at;               // seconds after the write
    const char* promise;  // the new default, empty: none
    const char* alive;
  };
  struct Story {
    const char* first;
    std::vector<Step> steps;
  };
  const Story stories[] = {
      {"10",
       {{9, "", "yes"},
        {10, "", "no"},
        {11, "never", "no"},
        {12, "null", "no"},
        {13, "100", "no"}}},
      {"10",
       {{5, "never", "yes"},
        {1000, "", "yes"},
        {1001, "2000", "yes"},
        {1999, "", "yes"},
        {2000, "", "no"}}},
      {"10", {{5, "null", "yes"}, {50, "20", "no"}, {51, "never", "no"}}},
      {"\"never\"", {{50, "20", "no"}, {51, "100", "no"}}},
      {"\"never\"", {{50, "60", "yes"}, {60, "", "no"}}},
      {"null", {{100, "", "yes"}, {101, "200", "yes"}, {200, "", "no"}}},
      {"100", {{50, "10", "no"}, {51, "100", "no"}}},
  };
  for (const Story& story : stories) {
    for (const bool sweeps : {false, true}) {
      auto api = Api::with_collection(std::string(R"({"default_ttl":)") + story.first + "}");
      api->send("PUT", lifetime_documents + "/a", R"({"n":1})");
      const Instant written = api->instant("a", "written_at");
      for (const Step& step : story.steps) {
        api->set_clock(written + Span::seconds(step.at));
        const std::string promise = step.promise;
        const std::string json = promise == "never" ? "\"never\"" : promise;
        if (!promise.empty()) {
          EXPECT_EQ(api->status("PATCH", place, R"({"default_ttl":)" + json + "}"), 200);
        }
        if (sweeps) api->status("POST", "/v1/sweeper/run");
        EXPECT_EQ(api->get("a") == "-" ? "no" : "yes", std::string(step.alive))
            << "default " << story.first << ", after " << step.at << " s, sweeping " << sweeps;
        const auto alive = api->json("GET", place + "/count").member("count").integer();
        EXPECT_EQ(alive == 1 ? "yes" : "no", std::string(step.alive));
      }
    }
  }
}

TEST(NativeLifetimeTest, ADefaultCountsFromTheMicrosecondOfTheWrite) {
  auto api = Api::with_collection(R"({"default_ttl":1})");
  api->set_clock(start + Span{900'000});
  api->send("PUT", place + "/documents/a", "{}");
  const Instant written = api->instant("a", "written_at");
  EXPECT_EQ(api->instant("a", "expires_at"), written + Span::seconds(1));
  api->set_clock(written + Span{999'999});
  EXPECT_NE(api->get("a"), "-");
  api->set_clock(written + Span::seconds(1));
  EXPECT_EQ(api->get("a"), "-");
}

// Case 3: a document that is updated before its expiration lives on; from its expiration on there
// is nothing to update.
TEST(NativeLifetimeTest, AnUpdateRacesTheExpirationByTheMicrosecond) {
  auto api = Api::with_collection();
  const Instant death = *parse_rfc3339("2027-01-15T09:00:00Z");
  for (const char* id : {"a", "b"}) {
    api->send("PUT", lifetime_documents + "/" + id + "?expires_at=2027-01-15T09:00:00Z", "{}");
  }
  api->set_clock({death.micros - 2});
  EXPECT_EQ(api->status("PATCH", lifetime_documents + "/a?never=true", R"({"x":1})"), 200);
  EXPECT_EQ(api->get("b"), "{}");
  api->set_clock(death);
  EXPECT_EQ(api->status("PATCH", lifetime_documents + "/b?never=true", R"({"x":1})"), 404);
  EXPECT_EQ(api->get("a"), R"({"x":1})");
}

// Case 4: the id and the unique values of an expired document are free immediately, and its
// expiration is published all the same.
TEST(NativeLifetimeTest, TheIdAndUniqueValuesOfAnExpiredDocumentAreFree) {
  for (const bool sweeps : {false, true}) {
    auto api = Api::with_collection(
        R"({"indexes":[{"name":"u","fields":[{"path":"mail"}],"unique":true}]})");
    api->send("PUT", lifetime_documents + "/a?ttl=5", R"({"mail":"m"})");
    EXPECT_EQ(api->status("POST", lifetime_documents + "?id=a", "{}"), 409);
    EXPECT_EQ(Api::error_of(api->send("POST", lifetime_documents + "?id=b", R"({"mail":"m"})")),
              "exists mail");
    const Instant born = api->instant("a", "created_at");
    api->advance(5);
    if (sweeps) api->status("POST", "/v1/sweeper/run");
    EXPECT_EQ(api->status("POST", lifetime_documents + "?id=b", R"({"mail":"m"})"), 201);
    EXPECT_EQ(api->status("POST", lifetime_documents + "?id=a", R"({"mail":"n"})"), 201);
    EXPECT_GT(api->instant("a", "created_at"), born);
    EXPECT_EQ(api->get("a", "revision"), "1");
    api->status("POST", "/v1/sweeper/run");
    std::string told;
    const Value feed = api->json("GET", place + "/feed");
    for (const Value& e : feed.member("events").array()) {
      if (e.member("id").text() == "a") told += e.member("kind").text() + " ";
    }
    // The expiration is published when it is recorded; `version_at` says which version has expired.
    EXPECT_EQ(told, sweeps ? "created expired created " : "created created expired ");
  }
}

// Case 6, as far as it is visible: the clock only goes forward.
TEST(NativeLifetimeTest, TheClockGoesForwardOnlyAndToTheMicrosecond) {
  auto api = Api::with_collection();
  const Instant before = api->now();
  EXPECT_EQ(Api::error_of(api->send("POST", "/v1/clock", R"({"set":"2020-01-01T00:00:00Z"})")),
            "invalid set");
  EXPECT_EQ(api->now(), before);
  EXPECT_EQ(api->status("POST", "/v1/clock", R"({"advance_seconds":0})"), 200);
  EXPECT_EQ(api->now(), before);
  EXPECT_EQ(api->status("POST", "/v1/clock", R"({"advance_seconds":0.000001})"), 200);
  EXPECT_EQ(api->now(), Instant{before.micros + 1});
  EXPECT_EQ(api->ask("POST", "/v1/clock", R"({"set":"2028-01-01T00:00:00.000001Z"})"),
            R"(200 {"now":"2028-01-01T00:00:00.000001Z","kind":"virtual"})");
  EXPECT_EQ(api->ask("POST", "/v1/clock", R"({"advance_seconds":1.5})"),
            R"(200 {"now":"2028-01-01T00:00:01.500001Z","kind":"virtual"})");
  EXPECT_EQ(api->ask("GET", "/v1/clock"),
            R"(200 {"now":"2028-01-01T00:00:01.500001Z","kind":"virtual"})");
}

// Case 8: a document that expires between two pages is not on the second one, and no other is lost
// or shown twice.
TEST(NativeLifetimeTest, AnExpirationBetweenTwoPagesOmitsOnlyTheExpiredDocument) {
  for (const char* order : {"", "&sort=n", "&sort=-n", "&sort=-@written_at"}) {
    for (const char* promises : {"{}", indexed}) {
      auto api = Api::with_collection(promises);
      for (int i = 0; i < 9; ++i) {
        const std::string id = "d" + std::to_string(i);
        api->send("PUT", lifetime_documents + "/" + id + (i % 2 ? "?ttl=5" : ""),
                  R"({"n":)" + std::to_string(i) + "}");
      }
      const Value first = api->json("GET", lifetime_documents + "?limit=3" + order);
      api->advance(5);
      std::string rest;
      Value page = first;
      while (!page.member("next").is_null()) {
        page = api->json(
            "GET", lifetime_documents + "?limit=3" + order + "&page=" + page.member("next").text());
        rest += " " + Api::ids_of(page.member("documents"));
      }
      const bool is_up = std::string(order).find('-') == std::string::npos;
      EXPECT_EQ(Api::ids_of(first.member("documents")), is_up ? "d0 d1 d2" : "d8 d7 d6") << order;
      EXPECT_EQ(rest, is_up ? " d4 d6 d8" : " d4 d2 d0") << order << promises;
    }
  }
}

// Case 10: a removed document that has expired cannot be restored.
TEST(NativeLifetimeTest, AnExpiredDocumentCannotBeRestoredFromTheTrash) {
  auto api = Api::with_collection(R"({"keep_trash_for":"forever"})");
  api->send("PUT", lifetime_documents + "/a?ttl=5", "{}");
  api->send("PUT", lifetime_documents + "/b?ttl=5", "{}");
  api->send("DELETE", lifetime_documents + "/a");
  api->send("DELETE", lifetime_documents + "/b");
  EXPECT_EQ(api->ids(place + "/trash"), "a b");
  EXPECT_EQ(api->status("POST", place + "/trash/a/restore"), 200);
  EXPECT_EQ(api->get("a"), "{}");
  EXPECT_EQ(api->ids(place + "/trash"), "b");
  api->advance(5);
  EXPECT_EQ(api->get("a"), "-");
  EXPECT_EQ(api->ids(place + "/trash"), "");
  EXPECT_EQ(api->status("POST", place + "/trash/b/restore"), 404);
}

// Case 11.
TEST(NativeLifetimeTest, ADefaultAndIndexingGoTogether) {
  auto api = Api::with_collection(R"({"indexed":false})");
  EXPECT_EQ(Api::error_of(api->send("PATCH", place, R"({"default_ttl":5})")),
            "invalid default_ttl");
  EXPECT_EQ(api->status("PATCH", place, R"({"default_ttl":5,"indexed":true})"), 200);
  EXPECT_EQ(Api::error_of(api->send("PATCH", place, R"({"indexed":false})")), "invalid indexed");
  EXPECT_EQ(api->status("PATCH", place, R"({"default_ttl":null,"indexed":false})"), 200);
}

TEST(NativeLifetimeTest, ACollectionStampsDocumentsWrittenWithoutALifetime) {
  auto api = Api::with_collection(R"({"stamp_ttl":{"seconds":100}})");
  const auto left = [&](const std::string& query) {
    const Instant now = api->now();
    EXPECT_LT(api->status("PUT", lifetime_documents + "/a" + query, "{}"), 300);
    if (api->get("a", "expires_at") == "null") return std::int64_t{-1};
    const Span left = api->instant("a", "expires_at") - now;
    return Span{left.micros + 1'000}.whole_seconds();  // each commit takes a microsecond
  };
  EXPECT_EQ(left(""), 100);
  api->advance(10);
  EXPECT_EQ(left(""), 90);
  EXPECT_EQ(left("?never=true"), -1);
  api->send("PATCH", place, R"({"stamp_ttl":{"seconds":100,"when":"every_write"}})");
  EXPECT_EQ(left(""), 100);
  api->advance(10);
  EXPECT_EQ(left(""), 100);
  EXPECT_EQ(left("?ttl=7"), 7);
  api->send("PATCH", place, R"({"writers_may_set_ttl":false})");
  EXPECT_EQ(api->status("PUT", lifetime_documents + "/a?ttl=7", "{}"), 403);
  EXPECT_EQ(left(""), 100);
}

// Case 7, small: many expirations in one instant are one step for readers, and each is published
// once.
TEST(NativeLifetimeTest, ManyExpirationsInOneInstantAreOneStep) {
  auto api = Api::with_collection();
  for (int i = 0; i < 1'200; ++i) {
    api->send("PUT",
              lifetime_documents + "/" + std::to_string(i) + "?expires_at=2027-01-15T09:00:00Z",
              "{}");
  }
  api->set_clock({parse_rfc3339("2027-01-15T09:00:00Z")->micros - 1});
  EXPECT_EQ(api->ask("GET", place + "/count"), R"(200 {"count":1200})");
  api->advance(1);
  EXPECT_EQ(api->ask("GET", place + "/count"), R"(200 {"count":0})");
  EXPECT_EQ(api->ask("POST", "/v1/sweeper/run"), R"(200 {"recorded":1200})");
  EXPECT_EQ(api->ask("GET", place + "/count"), R"(200 {"count":0})");
}

}  // namespace
}  // namespace mayfly::native::testing
