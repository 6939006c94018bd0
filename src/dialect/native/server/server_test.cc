// The server itself and its catalog: databases, collections, indexes, clock, sweeper,
// authentication.
#include "dialect/common/limits.h"
#include "dialect/native/testing.h"
#include "net/requests/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly::native::testing {
namespace {

TEST(NativeServerTest, DatabasesAreCreatedOnceListedAndDropped) {
  Api api;
  EXPECT_EQ(api.ask("POST", "/v1/databases", R"({"name":"d"})").substr(0, 4), "201 ");
  EXPECT_EQ(Api::error_of(api.send("POST", "/v1/databases", R"({"name":"d"})")), "exists name");
  EXPECT_EQ(api.status("PUT", "/v1/databases/d"), 200);
  EXPECT_EQ(api.status("PUT", "/v1/databases/e"), 201);
  EXPECT_EQ(api.status("PUT", place), 201);
  EXPECT_EQ(api.json("GET", "/v1/databases/d").member("collections").integer(), 1);
  EXPECT_EQ(api.json("GET", "/v1/databases").member("databases").array().size(), 2u);
  EXPECT_EQ(api.status("DELETE", "/v1/databases/d"), 204);
  EXPECT_EQ(Api::error_of(api.send("DELETE", "/v1/databases/d")), "not_found database");
  EXPECT_EQ(api.status("GET", place), 404);
}

TEST(NativeServerTest, PrivateCollectionsOfADialectAreNotVisible) {
  auto api = Api::with_collection();
  const auto database = api->database->catalog()->find_database("d")->id;
  const CollectionSpec spec{"#kept", {}, {}, true};
  ASSERT_TRUE(api->database->create_collection(database, spec));
  const std::string kept = "/v1/databases/d/collections/%23kept";
  for (const std::string& path : {kept, kept + "/documents", kept + "/trash"}) {
    EXPECT_EQ(api->status("GET", path), 404) << path;
  }
  EXPECT_EQ(api->status("DELETE", kept), 404);
  EXPECT_EQ(api->status("PUT", kept + "/documents/a", "{}"), 404);
  for (const std::string name : {"%23kept", "%23other"}) {
    EXPECT_EQ(Api::error_of(api->send("PUT", "/v1/databases/d/collections/" + name)),
              "invalid name");
  }
  EXPECT_EQ(api->json("GET", "/v1/databases/d").member("collections").integer(), 1);
  const Value listed = api->json("GET", "/v1/databases/d/collections").member("collections");
  ASSERT_EQ(listed.array().size(), 1U);
  EXPECT_EQ(listed.array()[0].member("name").text(), "c");
  EXPECT_EQ(api->status("DELETE", "/v1/databases/d"), 204);
  EXPECT_TRUE(api->database->catalog()->all_collections().empty());
}

TEST(NativeServerTest, ACollectionShowsItsPolicy) {
  Api api;
  api.status("PUT", "/v1/databases/d");
  const std::string everything =
      R"("default_ttl":60,"stamp_ttl":{"seconds":5,"when":"every_write"},)"
      R"("writers_may_set_ttl":false,"keep_history_for":10,"keep_trash_for":"forever",)"
      R"("keep_feed_for":0,"keep_purges_for":5,"expire_to_trash":true,)"
      R"("indexed":true,"indexes":[{"name":"i","fields":)"
      R"([{"path":"a.b","order":"desc"},{"path":"@written_at","order":"asc"}],"unique":false)";
  const std::string made =
      api.ask("POST", "/v1/databases/d/collections", R"({"name":"c",)" + everything + "}]}");
  EXPECT_EQ(made.substr(0, 4), "201 ");
  EXPECT_NE(made.find(everything + R"(,"ready":true}]})"), std::string::npos) << made;
  const Value plain = api.json("PUT", "/v1/databases/d/collections/plain");
  EXPECT_EQ(render_json(plain).substr(render_json(plain).find("\"default_ttl")),
            R"("default_ttl":null,"stamp_ttl":null,"writers_may_set_ttl":true,)"
            R"("keep_history_for":0,"keep_trash_for":0,"keep_feed_for":86400,)"
            R"("keep_purges_for":0,"expire_to_trash":false,"indexed":true,"indexes":[]})");
  EXPECT_EQ(api.json("GET", "/v1/databases/d/collections").member("collections").array().size(),
            2u);
}

TEST(NativeServerTest, PutIsIdempotentAndPatchChangesOnlyWhatItNames) {
  auto api = Api::with_collection(R"({"default_ttl":60})");
  const std::string before = api->ask("GET", place);
  EXPECT_EQ(api->ask("PUT", place, R"({"default_ttl":60})"), before);
  EXPECT_EQ(api->ask("PUT", place), before);
  EXPECT_EQ(api->ask("PATCH", place, "{}"), before);
  const Value changed = api->json("PATCH", place, R"({"default_ttl":"never","keep_trash_for":9})");
  EXPECT_EQ(changed.member("default_ttl").text(), "never");
  EXPECT_EQ(changed.member("keep_trash_for").integer(), 9);
  EXPECT_EQ(changed.member("keep_feed_for").integer(), 86'400);
  const std::string index = R"({"indexes":[{"name":"i","fields":[{"path":"n"}]}]})";
  EXPECT_EQ(api->status("PUT", place, index), 200);
  EXPECT_EQ(api->status("PUT", place, index), 200);
  EXPECT_EQ(api->status("PUT", place, R"({"indexes":[{"name":"i","fields":[{"path":"m"}]}]})"),
            409);
  EXPECT_EQ(api->status("DELETE", place), 204);
  EXPECT_EQ(Api::error_of(api->send("DELETE", place)), "not_found collection");
}

TEST(NativeServerTest, IndexesAreMadeUsedAndDropped) {
  auto api = Api::with_collection();
  for (int i = 0; i < 5; ++i) {
    api->send("PUT", place + "/documents/" + std::to_string(i),
              R"({"n":)" + std::to_string(i % 3) + "}");
  }
  const std::string unique = R"({"name":"u","fields":[{"path":"n"}],"unique":true})";
  EXPECT_EQ(api->status("POST", place + "/indexes", unique), 409);
  EXPECT_EQ(api->status("POST", place + "/indexes", R"({"name":"i","fields":[{"path":"n"}]})"),
            201);
  EXPECT_EQ(api->json("GET", place + "/indexes").member("indexes").array().size(), 1u);
  const std::string ask = R"({"filter":"n = 1","explain":true})";
  EXPECT_NE(api->ask("POST", place + "/query", ask).find("index"), std::string::npos);
  EXPECT_EQ(api->ids(place + "/documents?filter=n%3D1"), "1 4");
  EXPECT_EQ(api->status("DELETE", place + "/indexes/i"), 204);
  EXPECT_EQ(Api::error_of(api->send("DELETE", place + "/indexes/i")), "not_found index");
  EXPECT_EQ(api->ids(place + "/documents?filter=n%3D1"), "1 4");
}

TEST(NativeServerTest, AnIndexOfItemsFindsAndRefusesByEachOfThem) {
  auto api = Api::with_collection();
  api->send("PUT", place + "/documents/a", R"({"tags":["x","y"]})");
  api->send("PUT", place + "/documents/b", R"({"tags":["y"]})");
  const std::string fields = R"("fields":[{"path":"tags","order":"asc","each":true}])";
  const std::string made = api->ask("POST", place + "/indexes", R"({"name":"i",)" + fields + "}");
  EXPECT_NE(made.find(fields), std::string::npos) << made;
  const std::string filter = R"q({"filter":"array_contains(tags, 'y')","explain":true})q";
  EXPECT_NE(api->ask("POST", place + "/query", filter).find("index i of"), std::string::npos);
  EXPECT_EQ(api->ids(place + "/documents?filter=array_contains(tags,'y')"), "a b");
  const std::string unique = R"({"name":"u",)" + fields + R"(,"unique":true})";
  EXPECT_EQ(api->status("POST", place + "/indexes", unique), 409);
  api->send("DELETE", place + "/documents/b");
  EXPECT_EQ(api->status("POST", place + "/indexes", unique), 201);
  EXPECT_EQ(api->status("PUT", place + "/documents/c", R"({"tags":["z","x"]})"), 409);
  std::string many = R"({"tags":[0)";
  for (int i = 1; i <= 1'000; ++i) many += "," + std::to_string(i);
  EXPECT_EQ(Api::error_of(api->send("PUT", place + "/documents/c", many + "]}")), "too_large tags");
  EXPECT_EQ(api->status("PUT", place + "/documents/c", many + "]}"), 413);
}

TEST(NativeServerTest, IdsThatAreNumbersSortAsNumbers) {
  auto api = Api::with_collection(R"({"indexes":[{"name":"i","fields":[{"path":"@id_number"}]}]})");
  for (const char* id : {"10", "9", "a"}) {
    api->send("PUT", place + "/documents/" + std::string(id), "{}");
  }
  EXPECT_EQ(api->ids(place + "/documents?sort=@id_number"), "9 10 a");
  EXPECT_EQ(api->ids(place + "/documents?sort=-@id_number"), "a 10 9");
  const std::string ask = R"({"sort":"@id_number","explain":true})";
  EXPECT_NE(api->ask("POST", place + "/query", ask).find("index i of"), std::string::npos);
}

// A default that a refused request had set would end documents.
TEST(NativeServerTest, ARefusedPutOfACollectionChangesNothing) {
  auto api = Api::with_collection(R"({"indexes":[{"name":"i","fields":[{"path":"a"}]}]})");
  api->send("PUT", place + "/documents/one", R"({"same":1})");
  api->send("PUT", place + "/documents/two", R"({"same":1})");
  api->advance(60);
  const std::string before = api->ask("GET", place);
  const std::string kept = R"({"name":"j","fields":[{"path":"c"}]},)";
  const std::pair<std::string, int> refused[] = {
      {R"("indexes":[)" + kept + R"({"name":"i","fields":[{"path":"b"}]}])", 409},
      {R"("indexes":[)" + kept + R"({"name":"u","fields":[{"path":"same"}],"unique":true}])", 409},
      {R"("indexes":[)" + kept + R"({"name":"j","fields":[{"path":"d"}]}])", 409},
      {R"("indexes":[)" + kept + R"({"name":"k","fields":[{"path":"@expires_at"}]}])", 400},
      {R"("expire_to_trash":true,"indexes":[{"name":"j","fields":[{"path":"c"}]}])", 400},
  };
  for (const auto& [members, status] : refused) {
    EXPECT_EQ(api->status("PUT", place, R"({"default_ttl":5,)" + members + "}"), status) << members;
    EXPECT_EQ(api->ask("GET", place), before) << members;
    EXPECT_EQ(api->get("one"), R"({"same":1})") << members;
  }
  EXPECT_EQ(api->status("PUT", place, R"({"indexes":[)" + kept.substr(0, kept.size() - 1) + "]}"),
            200);
}

TEST(NativeServerTest, TheSweeperIsPausedResumedAndRun) {
  auto api = Api::with_collection();
  EXPECT_TRUE(api->json("POST", "/v1/sweeper/pause").member("paused").is_true());
  api->send("PUT", place + "/documents/a?ttl=5", "{}");
  api->advance(5);
  const Value state = api->json("GET", "/v1/sweeper");
  EXPECT_TRUE(state.member("paused").is_true());
  EXPECT_EQ(state.member("overdue_collections").integer(), 1);
  EXPECT_EQ(api->ask("POST", "/v1/sweeper/run"), R"(200 {"recorded":1})");
  EXPECT_FALSE(api->json("POST", "/v1/sweeper/resume").member("paused").is_true());
  EXPECT_EQ(api->json("GET", "/v1/sweeper").member("expired").integer(), 1);
}

TEST(NativeServerTest, ASystemClockIsNotMoved) {
  Api api({}, Api::Clock::system);
  const net::Response refused = api.send("POST", "/v1/clock", R"({"advance_seconds":1})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("--clock virtual"), std::string::npos);
  EXPECT_EQ(api.json("GET", "/v1/clock").member("kind").text(), "system");
}

TEST(NativeServerTest, OnlyHealthMetricsAndTheDescriptionNeedNoKey) {
  Api api(Credentials{.keys = {"secret", "other"}});
  for (const char* open : {"/health", "/ready", "/metrics", "/v1/openapi.json"}) {
    EXPECT_EQ(api.status("GET", open), 200) << open;
  }
  for (const char* closed : {"/v1", "/v1/databases", "/v1/nothing", "/nothing"}) {
    const net::Response refused = api.send("GET", closed);
    EXPECT_EQ(refused.status, 401) << closed;
    EXPECT_EQ(refused.headers.at(0).first, "WWW-Authenticate");
  }
  const auto with = [&](const std::string& header) {
    return api.send("GET", "/v1/databases", {}, {{"authorization", header}}).status;
  };
  EXPECT_EQ(with("Bearer secret"), 200);
  EXPECT_EQ(with("bearer other"), 200);
  EXPECT_EQ(with("Bearer secret2"), 401);
  EXPECT_EQ(with("Bearer "), 401);
  EXPECT_EQ(with("Basic secret"), 401);
  EXPECT_EQ(with("secret"), 401);
}

TEST(NativeServerTest, ARequestWithoutABodyIsRefusedByItsHeadAsByItsAction) {
  Api api(Credentials{.keys = {"secret"}});
  const auto refusal = [&](const std::string& path, const std::string& key, std::size_t bytes) {
    net::Request request{.method = "PUT", .path = path};
    request.headers.emplace_back("authorization", "Bearer " + key);
    if (bytes > 0) request.headers.emplace_back("content-length", std::to_string(bytes));
    const auto refused = net::PendingRequest(*api.dialect, request)->refuse_head();
    if (!refused) return 0;
    const net::Response answer = net::PendingRequest(*api.dialect, request)->answer();
    EXPECT_EQ(refused->body, answer.body);
    EXPECT_EQ(refused->headers, answer.headers);
    EXPECT_EQ(refused->status, answer.status);
    return refused->status;
  };
  constexpr std::size_t in_chunks = 0;
  const std::string document = place + "/documents/a";
  EXPECT_EQ(refusal(document, "wrong", 4'000'000), 401);
  EXPECT_EQ(refusal(document, "wrong", in_chunks), 401);
  EXPECT_EQ(refusal(document, "secret", 4'000'000), 0);
  EXPECT_EQ(refusal(document, "secret", in_chunks), 0);
  EXPECT_EQ(refusal(document, "wrong", limits::body_unauthenticated_bytes_max), 0);
  EXPECT_EQ(refusal(document, "wrong", limits::body_unauthenticated_bytes_max + 1), 401);
  EXPECT_EQ(refusal("/v1/nothing", "wrong", 4'000'000), 401);
  EXPECT_EQ(refusal("/v1/nothing", "secret", 4'000'000), 404);
  EXPECT_EQ(refusal(place + "/count", "secret", 4'000'000), 405);
}

TEST(NativeServerTest, PathsItDoesNotKnowAndMethodsTheyDoNotHaveAreRefused) {
  auto api = Api::with_collection();
  const net::Response nowhere = api->send("GET", "/v1/nothing");
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_NE(nowhere.body.find("/v1/nothing"), std::string::npos);
  const net::Response wrong = api->send("DELETE", place + "/documents");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.headers.at(0), net::Pair("Allow", "GET, HEAD, POST"));
  EXPECT_EQ(api->dialect->refuse({Code::throttled, "too much"}).headers.at(0).first, "Retry-After");
  EXPECT_TRUE(api->dialect->claims("/v1/databases"));
  EXPECT_FALSE(api->dialect->claims("/v10"));
}

TEST(NativeServerTest, AServerThatIsNotReadySaysWhyAndIsHealthy) {
  Api api;
  EXPECT_EQ(api.ask("GET", "/ready"), R"(200 {"status":"ok"})");
  api.readiness = fail(Code::no_space, "the disk is nearly full");
  EXPECT_EQ(api.ask("GET", "/ready"),
            R"(503 {"status":"not_ready","reason":"the disk is nearly full"})");
  EXPECT_EQ(api.ask("GET", "/health"), R"(200 {"status":"ok"})");
  api.readiness = {};
  EXPECT_EQ(api.status("GET", "/ready"), 200);
}

// A store in which the ends of documents cannot be read.
class DamagedQueues final : public store::Forward {
 public:
  using Forward::Forward;
  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    for (const store::Range& range : batch.scans) {
      if (range.is_read_once) return fail(Code::corrupt, "000012.sst is damaged");
    }
    return Forward::read(batch, snapshot);
  }
};

TEST(NativeServerTest, WhatCannotBeSweptIsSaidWhereTheServerIsReady) {
  Api api(std::make_unique<DamagedQueues>(store::open_memory()), {});
  api.status("PUT", "/v1/databases/app");
  api.status("PUT", "/v1/databases/app/collections/c");
  api.status("PUT", "/v1/databases/app/collections/c/documents/a?ttl=1", "{}");
  EXPECT_EQ(api.ask("GET", "/ready"), R"(200 {"status":"ok"})");
  api.status("POST", "/v1/clock", R"({"advance_seconds":2})");
  EXPECT_EQ(api.status("POST", "/v1/sweeper/run"), 500);
  EXPECT_EQ(api.ask("GET", "/ready"),
            R"(200 {"status":"ok","warnings":["the ends of 1 collection cannot be recorded: )"
            R"(000012.sst is damaged"]})");
  EXPECT_EQ(api.ask("GET", "/health"), R"(200 {"status":"ok"})");
}

TEST(NativeServerTest, HealthRequestsAreUrgentAndQuick) {
  Api api;
  for (const char* path : {"/health", "/ready", "/metrics"}) {
    EXPECT_TRUE(net::PendingRequest(*api.dialect, {.method = "GET", .path = path})->is_urgent)
        << path;
    EXPECT_TRUE(net::PendingRequest(*api.dialect, {.method = "GET", .path = path})->pace() ==
                net::Pace::quick)
        << path;
  }
  EXPECT_FALSE(net::PendingRequest(*api.dialect, {.method = "GET", .path = "/v1"})->is_urgent);
}

TEST(NativeServerTest, RequestsOnOneDocumentAreQuick) {
  auto api = Api::with_collection();
  const auto quick = [&](const char* method, const std::string& path) {
    return net::PendingRequest(*api->dialect, {.method = method, .path = path})->pace() ==
           net::Pace::quick;
  };
  for (const char* method : {"GET", "HEAD", "PUT", "PATCH", "DELETE"}) {
    EXPECT_TRUE(quick(method, place + "/documents/a")) << method;
  }
  EXPECT_TRUE(quick("POST", place + "/documents"));
  EXPECT_TRUE(quick("GET", "/v1/clock"));
  EXPECT_TRUE(quick("GET", "/health"));
  EXPECT_FALSE(quick("POST", "/v1/clock"));  // waits for the disk
  EXPECT_FALSE(quick("GET", place + "/documents"));
  EXPECT_FALSE(quick("POST", place + "/query"));
  EXPECT_FALSE(quick("PUT", place));
}

}  // namespace
}  // namespace mayfly::native::testing
