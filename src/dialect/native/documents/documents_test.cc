// Single documents: writing, reading, conditions, removal.
#include <cstring>

#include "dialect/common/hint.h"
#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

const std::string documents_path = place + "/documents";

TEST(NativeDocumentsTest, ADocumentIsCreatedReadReplacedPatchedAndRemoved) {
  auto api = Api::with_collection();
  EXPECT_EQ(api->status("PUT", documents_path + "/a", R"({"n": 1, "s": "x"})"), 201);
  EXPECT_EQ(api->get("a"), R"({"n":1,"s":"x"})");
  EXPECT_EQ(api->status("PUT", documents_path + "/a", R"({"n":2,"o":{"p":1,"q":2}})"), 200);
  EXPECT_EQ(api->status("PATCH", documents_path + "/a", R"({"o":{"p":null,"r":3},"m":[]})"), 200);
  EXPECT_EQ(api->get("a"), R"({"n":2,"o":{"q":2,"r":3},"m":[]})");
  EXPECT_EQ(api->get("a", "revision"), "3");
  EXPECT_EQ(api->ask("DELETE", documents_path + "/a"), "204 ");
  EXPECT_EQ(api->get("a"), "-");
  EXPECT_EQ(api->status("DELETE", documents_path + "/a"), 404);
  EXPECT_EQ(api->status("PATCH", documents_path + "/a", "{}"), 404);
}

TEST(NativeDocumentsTest, AMemberOfTheBodyThatIsNoLifetimeIsPointedAt) {
  auto api = Api::with_collection();
  const auto hint = [&](const std::string& target, const std::string& body) {
    for (const auto& [name, value] : api->send("PUT", documents_path + target, body).headers) {
      if (name == hint_header) return value;
    }
    return std::string();
  };
  EXPECT_NE(hint("/a", R"({"ttl":60})").find("?ttl="), std::string::npos);
  EXPECT_EQ(hint("/a?ttl=60", R"({"ttl":60})"), "");
  EXPECT_EQ(hint("/a", R"({"ttl":"soon"})"), "");
  EXPECT_EQ(hint("/a", R"({"n":1})"), "");
}

TEST(NativeDocumentsTest, TheAnswerHoldsTheFactsAndTheBodyAsItWasWritten) {
  auto api = Api::with_collection();
  const net::Response made = api->send("PUT", documents_path + "/a%2Fb",
                                       R"({"x": 1.50, "y": "é\n"})", {{"mayfly-author", "ann"}});
  const std::string etag = made.headers.at(0).second;
  EXPECT_EQ(made.headers.at(0).first, "ETag");
  EXPECT_EQ(made.body,
            R"({"id":"a/b","created_at":"2027-01-15T08:00:00.000003Z",)"
            R"("written_at":"2027-01-15T08:00:00.000003Z","expires_at":null,"revision":1,"etag":)" +
                etag + R"(,"author":"ann","updater":"ann","data":{"x":1.5,"y":"é\n"}})");
  EXPECT_EQ(api->send("GET", documents_path + "/a%2Fb").body, made.body);
  EXPECT_EQ(api->send("HEAD", documents_path + "/a%2Fb").status, 200);
  api->send("PATCH", documents_path + "/a%2Fb", "{}", {{"mayfly-author", "bob"}});
  EXPECT_EQ(api->get("a%2Fb", "author") + api->get("a%2Fb", "updater"), R"("ann""bob")");
}

TEST(NativeDocumentsTest, PostMakesAnIdOrTakesOneThatIsFree) {
  auto api = Api::with_collection();
  const Value made = api->json("POST", documents_path, R"({"n":1})");
  EXPECT_EQ(made.member("id").text().size(), 36u);
  EXPECT_EQ(api->get(made.member("id").text()), R"({"n":1})");
  EXPECT_EQ(api->status("POST", documents_path + "?id=mine", "{}"), 201);
  EXPECT_EQ(Api::error_of(api->send("POST", documents_path + "?id=mine", "{}")), "exists id");
}

TEST(NativeDocumentsTest, WhatIsCreatedSaysWhereItIs) {
  auto api = Api::with_collection();
  const auto location = [&](const std::string& method, const std::string& target,
                            const std::string& body) {
    const net::Response made = api->send(method, target, body);
    for (const net::Pair& header : made.headers) {
      if (header.first == "Location") return header.second;
    }
    return "none: " + std::to_string(made.status);
  };
  const auto is_there = [&](const std::string& made) {
    EXPECT_EQ(api->status("GET", made), 200) << made;
    return made;
  };
  EXPECT_EQ(is_there(location("POST", "/v1/databases", R"({"name":"a b"})")),
            "/v1/databases/a%20b");
  EXPECT_EQ(is_there(location("PUT", "/v1/databases/e", "")), "/v1/databases/e");
  EXPECT_EQ(location("PUT", "/v1/databases/e", ""), "none: 200");
  const std::string collection = "/v1/databases/e/collections/c%3F";
  EXPECT_EQ(is_there(location("POST", "/v1/databases/e/collections", R"({"name":"c?"})")),
            collection);
  EXPECT_EQ(is_there(location("PUT", "/v1/databases/e/collections/d", "")),
            "/v1/databases/e/collections/d");
  EXPECT_EQ(is_there(location("PUT", collection + "/documents/x%2Fy", "{}")),
            collection + "/documents/x%2Fy");
  EXPECT_EQ(location("PUT", collection + "/documents/x%2Fy", "{}"), "none: 200");
  EXPECT_EQ(is_there(location("POST", collection + "/documents", "{}")).size(),
            collection.size() + 11 + 36);
}

TEST(NativeDocumentsTest, LifetimesAreParameters) {
  auto api = Api::with_collection(R"({"default_ttl":60})");
  const auto death = [&](const std::string& method, const std::string& query) {
    EXPECT_LT(api->status(method, documents_path + "/a" + query, "{}"), 300);
    return api->get("a", "expires_at");
  };
  const Instant now = api->now();
  const auto follows_default = [&] {
    return api->instant("a", "expires_at") == api->instant("a", "written_at") + Span::seconds(60);
  };
  death("PUT", "");
  EXPECT_TRUE(follows_default());
  EXPECT_EQ(death("PUT", "?expires_at=2027-02-01T00:00:00.5Z"), R"("2027-02-01T00:00:00.500Z")");
  EXPECT_EQ(death("PATCH", ""), R"("2027-02-01T00:00:00.500Z")");
  EXPECT_EQ(death("PUT", "?never=true"), "null");
  EXPECT_EQ(death("PUT", ""), "null");
  death("PATCH", "?inherit=true");
  EXPECT_TRUE(follows_default());
  EXPECT_LT(api->status("PUT", documents_path + "/a?ttl=10", "{}"), 300);
  EXPECT_GE(api->instant("a", "expires_at"), now + Span::seconds(10));
  EXPECT_LE(api->instant("a", "expires_at"), api->now() + Span::seconds(10));
}

struct Condition {
  std::string method;
  std::string header;
  std::string tag;  // CURRENT and OLD stand for the document's tags
  std::string id;   // a exists, x does not, dead has expired
  int status;
};

TEST(NativeDocumentsTest, ConditionsFollowTheRfcAndAnExpiredDocumentIsNotFound) {
  const Condition table[] = {
      {"PUT", "if-match", "CURRENT", "a", 200},
      {"PUT", "if-match", "OLD", "a", 412},
      {"PUT", "if-match", "\"other\", CURRENT", "a", 200},
      {"PUT", "if-match", "*", "a", 200},
      {"PUT", "if-match", "*", "x", 404},
      {"PUT", "if-match", "*", "dead", 404},
      {"PUT", "if-match", "CURRENT", "dead", 404},
      {"PUT", "if-match", "W/CURRENT", "a", 412},
      {"PUT", "if-none-match", "*", "a", 412},
      {"PUT", "if-none-match", "*", "x", 201},
      {"PUT", "if-none-match", "*", "dead", 201},
      {"PUT", "if-none-match", "CURRENT", "a", 412},
      {"PUT", "if-none-match", "OLD", "a", 200},
      {"PUT", "if-match", "a b", "a", 400},
      {"PUT", "if-match", "", "a", 400},
      {"PUT", "if-match", "\"", "a", 400},
      {"PATCH", "if-match", "CURRENT", "a", 200},
      {"PATCH", "if-match", "OLD", "a", 412},
      {"PATCH", "if-match", "OLD", "dead", 404},
      {"PATCH", "if-none-match", "*", "dead", 404},
      {"DELETE", "if-match", "CURRENT", "a", 204},
      {"DELETE", "if-match", "OLD", "a", 412},
      {"DELETE", "if-match", "OLD", "dead", 404},
      {"GET", "if-none-match", "CURRENT", "a", 304},
      {"GET", "if-none-match", "W/CURRENT", "a", 304},
      {"GET", "if-none-match", "OLD", "a", 200},
      {"GET", "if-none-match", "*", "dead", 404},
      {"GET", "if-match", "OLD", "a", 412},
      {"GET", "if-match", "CURRENT", "a", 200},
  };
  for (const Condition& row : table) {
    auto api = Api::with_collection();
    const std::string old = api->send("PUT", documents_path + "/a", "{}").headers.at(0).second;
    const std::string current = api->send("PUT", documents_path + "/a", "{}").headers.at(0).second;
    api->send("PUT", documents_path + "/dead?ttl=5", "{}");
    api->advance(5);
    std::string tag = row.tag;
    for (const auto& [word, by] : {std::pair{"CURRENT", current}, std::pair{"OLD", old}}) {
      if (const auto at = tag.find(word); at != tag.npos) tag.replace(at, strlen(word), by);
    }
    EXPECT_EQ(
        api->send(row.method, documents_path + "/" + row.id, "{}", {{row.header, tag}}).status,
        row.status)
        << row.method << " " << row.header << ": " << row.tag << " on " << row.id;
  }
}

TEST(NativeDocumentsTest, AnETagWithoutQuotesIsAccepted) {
  auto api = Api::with_collection();
  const Value made = api->json("PUT", documents_path + "/a", "{}");
  const std::string etag = made.member("etag").text();
  EXPECT_EQ(api->send("PUT", documents_path + "/a", "{}", {{"if-match", etag}}).status, 200);
  EXPECT_EQ(api->send("PUT", documents_path + "/a", "{}", {{"if-match", etag}}).status, 412);
}

TEST(NativeDocumentsTest, HistoryAndAsOfShowEarlierVersions) {
  auto api = Api::with_collection(R"({"keep_history_for":3600})");
  api->send("PUT", documents_path + "/a", R"({"n":1})");
  const Instant first = api->instant("a", "written_at");
  api->advance(10);
  api->send("PUT", documents_path + "/a?ttl=10", R"({"n":2})");
  const Instant second = api->instant("a", "written_at");
  const Instant death = api->instant("a", "expires_at");
  api->advance(3);
  const auto at = [&](Instant t) {
    const std::string time = render_rfc3339(t, Fraction::micros);
    const net::Response one = api->send("GET", documents_path + "/a?as_of=" + time);
    const Value many = api->json("GET", documents_path + "?as_of=" + time);
    const bool is_there = one.status == 200;
    EXPECT_EQ(many.member("documents").array().size(), is_there ? 1u : 0u);
    EXPECT_EQ(api->json("GET", place + "/count?as_of=" + time).member("count").integer(),
              is_there ? 1 : 0);
    return is_there ? render_json(parse_json(one.body)->member("data").member("n")) : "-";
  };
  EXPECT_EQ(at({first.micros - 1}), "-");
  EXPECT_EQ(at(first), "1");
  EXPECT_EQ(at({second.micros - 1}), "1");
  EXPECT_EQ(at(second), "2");
  api->advance(600);
  for (const bool swept : {false, true}) {
    if (swept) api->status("POST", "/v1/sweeper/run");
    EXPECT_EQ(at({death.micros - 1}), "2") << swept;
    EXPECT_EQ(at(death), "-") << swept;
    const Value history = api->json("GET", documents_path + "/a/history").member("versions");
    ASSERT_EQ(history.array().size(), 2u) << swept;
    EXPECT_EQ(render_json(history.array()[0].member("data")), R"({"n":2})");
    EXPECT_EQ(render_json(history.array()[1].member("superseded_at")),
              '"' + render_rfc3339(second) + '"');
  }
  EXPECT_EQ(api->status("GET", documents_path + "/nobody/history"), 404);
  api->advance(7200);
  EXPECT_EQ(api->status("GET", documents_path + "/a/history"), 404);
  EXPECT_EQ(Api::error_of(api->send("GET", documents_path + "/a?as_of=" + render_rfc3339(second))),
            "invalid as_of");
}

TEST(NativeDocumentsTest, TheTrashIsListedRestoredAndForgotten) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  for (const char* id : {"b", "a", "c", "d"})
    api->send("PUT", documents_path + "/" + id, R"({"n":1})");
  for (const char* id : {"c", "a", "b"}) api->send("DELETE", documents_path + "/" + id);
  EXPECT_EQ(api->status("DELETE", documents_path + "/d?final=true"), 204);
  EXPECT_EQ(api->ids(place + "/trash"), "c a b");
  const Value first = api->json("GET", place + "/trash?limit=2");
  EXPECT_EQ(Api::ids_of(first.member("documents")), "c a");
  EXPECT_EQ(api->ids(place + "/trash?page=" + first.member("next").text()), "b");
  EXPECT_EQ(api->status("POST", place + "/trash/a/restore"), 200);
  EXPECT_EQ(api->get("a"), R"({"n":1})");
  EXPECT_EQ(api->status("POST", place + "/trash/a/restore"), 409);
  EXPECT_EQ(api->status("POST", place + "/trash/d/restore"), 404);
  EXPECT_EQ(api->status("DELETE", place + "/trash/b"), 204);
  EXPECT_EQ(api->status("DELETE", place + "/trash/b"), 404);
  EXPECT_EQ(api->ids(place + "/trash"), "c");
  api->advance(100);
  EXPECT_EQ(api->ids(place + "/trash"), "");
  EXPECT_EQ(api->status("POST", place + "/trash/c/restore"), 404);
}

TEST(NativeDocumentsTest, TheFeedHasEachEndExactlyOnce) {
  auto api = Api::with_collection();
  EXPECT_EQ(api->ask("GET", place + "/feed"),
            R"(200 {"events":[],"last":null,"has_more":false,"gap":false})");
  api->send("PUT", documents_path + "/a?ttl=5", "{}");
  api->send("PUT", documents_path + "/b", "{}");
  api->send("PUT", documents_path + "/b", "{}");
  api->send("DELETE", documents_path + "/b");
  api->advance(5);
  EXPECT_EQ(api->ask("POST", "/v1/sweeper/run"), R"(200 {"recorded":1})");
  EXPECT_EQ(api->ask("POST", "/v1/sweeper/run"), R"(200 {"recorded":0})");
  std::string told;
  std::string after;
  for (bool more = true; more;) {
    const Value page = api->json("GET", place + "/feed?limit=2" + after);
    for (const Value& event : page.member("events").array()) {
      told += event.member("kind").text() + ":" + event.member("id").text() + " ";
    }
    after = "&after=" + page.member("last").text();
    more = page.member("has_more").is_true();
  }
  EXPECT_EQ(told, "created:a created:b replaced:b removed:b expired:a ");
  EXPECT_EQ(api->json("GET", place + "/feed?limit=2" + after).member("events").array().size(), 0u);
  api->send("PATCH", place, R"({"keep_feed_for":0})");
  EXPECT_EQ(api->status("GET", place + "/feed"), 400);
}

}  // namespace
}  // namespace mayfly::native::testing
