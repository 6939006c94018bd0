// The messages, codes and lists of each version, and their order.
#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::ids_of;
using testing::Server;
using testing::v6;
using testing::v7;

TEST(KuzzleWordsTest, VersionTwoHasItsOwnErrorMessages) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  struct Case {
    const char* action;
    const char* members;
    const char* v1;
    const char* v2;
  };
  const Case rows[] = {
      {"document:create", R"("_id":"d1","body":{})", "Document already exists",
       "Document already exists."},
      {"document:get", R"("_id":"d2")", "Document not found",
       R"(Document "d2" not found in "idx":"col".)"},
      {"document:update", R"("_id":"d2","body":{})",
       "[document_missing_exception] [d2]: document missing",
       R"(Document "d2" not found in "idx":"col".)"},
      {"document:delete", R"("_id":"{}")", "Document {} does not exist",
       R"(Document "{}" not found in "idx":"col".)"},
      {"document:get", R"("x":1)", "The request must specify an _id.",
       R"(Missing argument "_id".)"},
      {"document:mGet", R"("body":{})", R"(The request must specify a body attribute "ids".)",
       R"(Missing argument "body.ids".)"},
      {"document:get", R"("_id":5)",
       R"(The request must specify the attribute "_id" of type "string".)",
       R"(Wrong type for argument "_id" (expected: string))"},
      {"foo:bar", R"("x":1)", "Unknown controller foo", R"(API controller "foo" not found.)"},
      {"server:bar", R"("x":1)", "No corresponding action bar in controller server",
       R"(API action "server":"bar" not found)"},
      {"security:getUser", R"("_id":"u")", R"(User with id "u" not found)",
       R"(User "u" not found.)"},
      {"security:getRole", R"("_id":"r")", R"(Role with id "r" not found)",
       R"(Role "r" not found.)"},
      {"security:getProfile", R"("_id":"p")", R"(Profile with id "p" not found)",
       R"(Profile "p" not found.)"},
  };
  for (const Case& row : rows) {
    s->client.clear();
    EXPECT_EQ(s->call(row.action, row.members)["error.message"].text(), row.v1);
    s->client = v7;
    EXPECT_EQ(s->call(row.action, row.members)["error.message"].text(), row.v2);
  }
}

TEST(KuzzleWordsTest, TheCodesOfErrorsAreKuzzles) {
  const auto s = Server::with_collection();
  s->client = v7;
  EXPECT_EQ(s->of("security:getRole", "r").text("error.code"), "117768193");
  EXPECT_EQ(s->of("security:getProfile", "p").text("error.code"), "117833729");
  const Answer refused =
      s->call("auth:login", R"("strategy":"local","body":{"username":"a","password":"b"})");
  EXPECT_EQ(refused.text("error.code"), "67305492");
}

TEST(KuzzleWordsTest, ASecondFirstAdministratorIsRefused) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = testing::by(s->log_in("boss", "pw"));
  const std::string body = R"({"content":{},)" + Server::credentials_of("b", "pw") + "}";
  const Answer early = s->of("security:createFirstAdmin", "b", body, boss);
  EXPECT_EQ(early.status, 400);
  EXPECT_EQ(early.error(), R"("admin user is already set")");
  s->client = v7;
  const Answer late = s->of("security:createFirstAdmin", "b", body, boss);
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.text("error.id"), R"("api.process.admin_exists")");
}

TEST(KuzzleWordsTest, IndexesAndTheirCollectionsAreListedInOrderOfCreation) {
  Server s;
  s.client = v7;
  for (const char* index : {"late", "early"}) {
    const std::string name = index;
    EXPECT_EQ(s.send(R"("controller":"index","action":"create","index":")" + name +
                     R"(","volatile":)" + v7)
                  .text("result"),
              "null");
    for (const char* collection : {"z", "a"}) {
      EXPECT_EQ(s.http("PUT", "/" + name + "/" + collection).status, 200);
    }
  }
  EXPECT_EQ(s.http("GET", "/_list").result(), R"({"indexes":["late","early"]})");
  const Answer reply = s.http("GET", "/_storageStats");
  EXPECT_EQ(reply.text("result.indexes[0].name"), R"("late")");
  EXPECT_EQ(reply.text("result.indexes[1].collections[0].name"), R"("z")");
  EXPECT_EQ(reply.text("result.indexes[1].collections[1].name"), R"("a")");
}

TEST(KuzzleWordsTest, ReservedIndexesAreNamedAsEachVersionDoes) {
  const auto s = Server::with_collection();
  const auto exists = [&](const std::string& client) {
    return s->send(R"("controller":"index","action":"exists","index":"%kuzzle")" +
                   (client.empty() ? "" : R"(,"volatile":)" + client));
  };
  EXPECT_EQ(exists("")["error.message"].text(),
            "Indexes starting with a \"%\" are reserved for internal use. "
            "Cannot process index %kuzzle.");
  EXPECT_EQ(exists(v6)["error.message"].text(),
            "Indexes starting with a '%' are reserved for internal use. "
            "Cannot process index %kuzzle.");
  EXPECT_EQ(exists(v7).result(), "false");
}

TEST(KuzzleWordsTest, AutoRefreshOfAMissingIndexIsVersionTwelvesToSet) {
  Server s;
  const auto set = [&](const std::string& client) {
    s.client = client;
    return s.call("index:setAutoRefresh", R"("body":{"autoRefresh":true})").status;
  };
  EXPECT_EQ(set(""), 404);
  EXPECT_EQ(set(v7), 412);
  EXPECT_EQ(set(v6), 200);
  EXPECT_EQ(s.call("index:getAutoRefresh").status, 404);
}

TEST(KuzzleWordsTest, AFailedLineOfABulkImportShowsItsDocument) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  s->client = v7;
  const Answer done =
      s->call("bulk:import", R"("body":{"bulkData":[{"update":{"_id":"none"}},{"doc":{"a":1}},)"
                             R"({"create":{"_id":"d1"}},{"b":2},{"delete":{"_id":"none"}}]})");
  EXPECT_EQ(done.text("result.errors[0].update._source"), R"({"a":1})");
  EXPECT_EQ(done.text("result.errors[1].create._source"), R"({"b":2})");
  EXPECT_EQ(done.text("result.errors[2].delete._source"), "");
}

TEST(KuzzleWordsTest, SecurityNamesTheRefreshedCollectionAndTheUserThatCannotLogIn) {
  const auto s = Server::with_collection();
  s->client = v7;
  s->collection = "col";
  EXPECT_EQ(s->call("security:refresh").text("error.id"), R"("api.assert.unexpected_argument")");
  EXPECT_EQ(s->of("security:getUserStrategies", "-1").result(), R"({"strategies":[],"total":0})");
}

TEST(KuzzleWordsTest, SeveralUsersMayBeNamedInOneText) {
  const auto s = Server::with_collection();
  for (const char* id : {"a", "b", "c"}) {
    s->of("security:createUser", id, R"({"content":{"profileIds":["default"]}})");
  }
  EXPECT_EQ(ids_of(s->call("security:mGetUsers", R"("ids":"c,a,,none")")), "c a");
  EXPECT_EQ(ids_of(s->call("security:mGetUsers", R"("ids":"c","body":{"ids":["b"]})")), "b");
  EXPECT_EQ(s->call("security:mGetUsers").status, 400);
}

TEST(KuzzleWordsTest, SpecificationsOfVersionTwelveComeInBothForms) {
  const auto s = Server::with_collection();
  const std::string one = R"({"strict":true,"fields":{"a":{"type":"integer"}}})";
  s->client = v6;
  for (const std::string& body : {one, R"({"idx":{"col":)" + one + "}}"}) {
    EXPECT_EQ(s->call("collection:validateSpecifications", R"("body":)" + body).result(),
              R"({"valid":true})");
    EXPECT_EQ(s->call("collection:updateSpecifications", R"("body":)" + body).result(), body);
    EXPECT_EQ(s->call("collection:getSpecifications").text("result.validation"), one);
    EXPECT_EQ(s->call("collection:deleteSpecifications").status, 200);
  }
}

TEST(KuzzleWordsTest, TheApiIsDescribedAsOpenApi) {
  Server s;
  const Answer reply = s.http("GET", "/_openapi");
  EXPECT_EQ(reply.text("result.openapi"), R"("3.0.1")");
  EXPECT_EQ(reply.text("result.info.version"), R"("1.2.13")");
  const Value get = reply["result.paths"].member("/{index}/{collection}/{_id}").member("get");
  EXPECT_EQ(get.member("summary").text(), "document:get");
  EXPECT_EQ(get.member("tags").array().front().text(), "document");
  EXPECT_EQ(get.member("parameters").array().size(), 3U);
  EXPECT_EQ(get.member("parameters").array().back().member("name").text(), "_id");
  const Value one = reply["result.paths"].member("/{index}/{collection}");
  for (const char* verb : {"get", "put", "post", "delete"}) {
    EXPECT_TRUE(one.member(verb).is(Kind::object)) << verb;
  }
}

TEST(KuzzleWordsTest, RealtimeValidatesAsDocumentDoes) {
  const auto s = Server::with_collection();
  s->call("collection:updateSpecifications",
          R"("body":{"strict":true,"fields":{"a":{"type":"integer"}}})");
  for (const char* action : {"realtime:validate", "document:validate"}) {
    EXPECT_EQ(s->of(action, "d", R"({"a":1})").text("result.valid"), "true") << action;
    EXPECT_EQ(s->of(action, "d", R"({"a":"x"})").text("result.valid"), "false") << action;
  }
}

TEST(KuzzleWordsTest, TheServerListsItsPartsInKuzzlesOrder) {
  Server s;
  const std::string info = s.http("GET", "/_serverInfo").result();
  EXPECT_TRUE(info.starts_with(R"({"serverInfo":{"kuzzle":{"version":"1.2.13","api":{)")) << info;
  const Answer early = s.http("GET", "/_getConfig");
  EXPECT_EQ(early.text("result.dump"), R"({"enabled":false})");
  for (const char* part : {"plugins", "repositories", "validation", "internal"}) {
    EXPECT_TRUE(early[std::string("result.") + part].is(Kind::object)) << part;
  }
  EXPECT_EQ(early.text("result.realtime"), "");
  EXPECT_EQ(s.http("GET", "/_getConfig?kuzzleVersion=2").text("result.realtime"), "{}");
}

}  // namespace
}  // namespace mayfly::kuzzle
