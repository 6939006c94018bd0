// Actions of administrators on the whole server.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::v7;

Answer admin(Server& s, const std::string& action, const std::string& more = "") {
  std::string members = R"("controller":"admin","action":")" + action + '"';
  if (!s.client.empty()) members += R"(,"volatile":)" + s.client;
  return s.send(members + (more.empty() ? "" : "," + more));
}
const std::string done = R"({"acknowledge":true})";

const std::string securities =
    R"("body":{"roles":{"reader":{"controllers":{"document":{"actions":{"get":true}}}}},)"
    R"("profiles":{"readers":{"policies":[{"roleId":"reader"}]}},)"
    R"("users":{"ann":{"content":{"profileIds":["readers"]},)"
    R"("credentials":{"local":{"username":"ann","password":"pw"}}}}})";

TEST(KuzzleAdminTest, MappingsMakeIndexesAndCollectionsAndFixturesFillThem) {
  Server s;
  EXPECT_EQ(admin(s, "loadMappings",
                  R"("body":{"idx":{"col":{"properties":{"a":{"type":"keyword"}}},"other":{}}})")
                .result(),
            done);
  EXPECT_EQ(s.call("collection:getMapping").text("result.idx.mappings.col.properties.a.type"),
            R"("keyword")");
  EXPECT_EQ(admin(s, "loadFixtures",
                  R"("body":{"idx":{"col":[{"create":{"_id":"d1"}},{"a":1}],)"
                  R"("other":[{"index":{"_id":"d2"}},{"b":2}]}})")
                .result(),
            done);
  EXPECT_EQ(s.of("document:get", "d1").text("result._source"), R"({"a":1})");
  const Answer again =
      admin(s, "loadFixtures", R"("body":{"idx":{"col":[{"create":{"_id":"d1"}},{"a":1}]}})");
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.text("error.details[0].create._id"), R"("d1")");
  EXPECT_EQ(admin(s, "loadFixtures", R"("body":{"idx":{"none":[]}})").status, 412);
  EXPECT_EQ(admin(s, "loadFixtures", R"("body":{"idx":{"col":{}}})").status, 400);
}

TEST(KuzzleAdminTest, ARefusedLoadOfFixturesWritesNothing) {
  const auto s = Server::with_documents({{"old", "{}"}});
  s->send(R"("controller":"collection","action":"create","index":"idx","collection":"other")");
  const std::string good = R"("col":[{"create":{"_id":"d1"}},{"a":1}])";
  struct Case {
    std::string body;
    int status;
  };
  const Case rows[] = {
      {R"({"idx":{)" + good + R"(},"none":{"col":[]}})", 412},
      {R"({"idx":{)" + good + R"(,"none":[]}})", 412},
      {R"({"idx":{)" + good + R"(,"other":5}})", 400},
      {R"({"idx":{)" + good + R"(,"other":[{"laugh":{}}]}})", 400},
      {R"({"idx":{)" + good + R"(,"other":[{"index":{"_index":"none"}},{}]}})", 400},
      {R"({"idx":{)" + good +
           R"(,"other":[{"create":{"_id":"d2"}},{},{"create":{"_id":"d2"}},{}]}})",
       400},
      {R"({"idx":{)" + good + R"(,"other":[{"update":{"_id":"none"}},{"doc":{}}]}})", 400},
      {R"({"idx":{"other":[{"index":{"_id":"d1"}},{}],"col":[{"create":{"_id":"old"}},{}]}})", 400},
  };
  for (const Case& row : rows) {
    SCOPED_TRACE(row.body);
    EXPECT_EQ(admin(*s, "loadFixtures", R"("body":)" + row.body).status, row.status);
    EXPECT_EQ(s->call("document:count").text("result.count"), "1");
    s->collection = "other";
    EXPECT_EQ(s->call("document:count").text("result.count"), "0");
    s->collection = "col";
  }
  // A document that one line removes does not conflict with the next line.
  EXPECT_EQ(
      admin(*s, "loadFixtures",
            R"("body":{"idx":{"col":[{"delete":{"_id":"old"}},{"create":{"_id":"old"}},{}]}})")
          .result(),
      done);
}

TEST(KuzzleAdminTest, WithoutARightOnOneCollectionNoneIsLoaded) {
  Server s;
  EXPECT_EQ(admin(s, "loadMappings", R"("body":{"idx":{"col":{}},"other":5})").status, 400);
  EXPECT_EQ(s.call("index:list").result(), R"({"indexes":[]})");
  ASSERT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = testing::by(s.log_in("boss", "pw"));
  s.of("security:createRole", "loader",
       R"({"controllers":{"admin":{"actions":{"loadMappings":true}}}})", boss);
  s.of("security:createProfile", "loaders",
       R"({"policies":[{"roleId":"loader","restrictedTo":[{"index":"idx"}]}]})", boss);
  s.make_user("ann", "loaders", "ann", boss);
  const auto load = [&](const std::string& body) {
    // The request itself names a collection, too.
    return s.call("admin:loadMappings",
                  R"("body":)" + body + "," + testing::by(s.log_in("ann", "pw")));
  };
  EXPECT_EQ(load(R"({"idx":{"col":{}},"other":{"col":{}}})").status, 403);
  EXPECT_EQ(s.call("index:list", boss).result(), R"({"indexes":[]})");
  EXPECT_EQ(load(R"({"idx":{"col":{}}})").status, 200);
  EXPECT_EQ(s.call("index:list", boss).result(), R"({"indexes":["idx"]})");
}

// As many as permitted, in the index "none", and `more` besides.
std::string listed_places(std::size_t more) {
  std::string places = R"("one":[])";
  for (std::size_t i = 1; i < limits::collections_load_max + more; ++i) {
    places += R"(,")" + std::to_string(i) + R"(":[])";
  }
  return R"("body":{"none":{)" + places + "}}";
}

TEST(KuzzleAdminTest, ALoadHasABoundOfCollections) {
  Server s;
  for (const char* action : {"loadMappings", "loadFixtures"}) {
    const Answer refused = admin(s, action, listed_places(1));
    EXPECT_EQ(refused.status, 413) << action;
    EXPECT_EQ(refused.error(),
              R"w("Number of collections exceeds the server configured value (1000)")w");
  }
  EXPECT_EQ(s.call("index:list").result(), R"({"indexes":[]})");
  EXPECT_EQ(admin(s, "loadFixtures", listed_places(0)).status, 412) << "there is no such index";
}

TEST(KuzzleAdminTest, TheDatabaseIsEmptied) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  EXPECT_EQ(admin(*s, "resetDatabase").result(), done);
  EXPECT_EQ(s->call("index:list").result(), R"({"indexes":[]})");
}

TEST(KuzzleAdminTest, RightsAreLoadedAndReset) {
  Server s;
  EXPECT_EQ(admin(s, "loadSecurities", securities).result(), done);
  const std::string login = R"("controller":"auth","action":"login","strategy":"local",)"
                            R"("body":{"username":"ann","password":"pw"})";
  EXPECT_EQ(s.send(login).text("result._id"), R"("ann")");
  // Version 1 overwrites users, version 2 only on request.
  EXPECT_EQ(admin(s, "loadSecurities", securities).status, 200);
  s.client = v7;
  EXPECT_EQ(admin(s, "loadSecurities", securities).text("error.id"),
            R"("security.user.prevent_overwrite")");
  EXPECT_EQ(admin(s, "loadSecurities", securities + R"(,"onExistingUsers":"skip")").status, 200);
  EXPECT_EQ(admin(s, "loadSecurities", securities + R"(,"onExistingUsers":"overwrite")").status,
            200);
  EXPECT_EQ(admin(s, "loadSecurities", securities + R"(,"onExistingUsers":"laugh")").status, 400);
  const std::string jwt = s.send(login)["result.jwt"].text();
  EXPECT_EQ(admin(s, "resetSecurity").result(),
            R"({"deletedUsers":1,"deletedProfiles":1,"deletedRoles":1})");
  EXPECT_EQ(s.send(login).status, 401);
  EXPECT_EQ(s.send(R"("controller":"server","action":"now","jwt":")" + jwt + '"').status, 401);
  EXPECT_EQ(admin(s, "resetSecurity").result(),
            R"({"deletedUsers":0,"deletedProfiles":0,"deletedRoles":0})");
  // A later user with the same name is another.
  EXPECT_EQ(admin(s, "loadSecurities", securities).status, 200);
  EXPECT_EQ(s.send(login).status, 200);
  EXPECT_EQ(s.send(R"("controller":"server","action":"now","jwt":")" + jwt + '"').status, 401);
}

TEST(KuzzleAdminTest, ARefusedLoadOfRightsChangesNothing) {
  Server s;
  s.client = v7;
  EXPECT_EQ(admin(s, "loadSecurities", securities).result(), done);
  EXPECT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = testing::by(s.log_in("boss", "pw"));
  const std::string ann = s.log_in("ann", "pw");
  const std::string valid = R"("boss":{"content":{"profileIds":["admin"]},)" +
                            Server::credentials_of("boss", "new") +
                            R"(},"ann":{"content":{"profileIds":["admin"]},)" +
                            Server::credentials_of("ann", "new") + "}";
  const std::string role = R"("more":{"controllers":{"ms":{"actions":{"get":true}}}})";
  const std::string profile = R"("more":{"policies":[{"roleId":"more"}]})";
  const auto load = [&](const std::string& roles, const std::string& profiles,
                        const std::string& users) {
    return admin(s, "loadSecurities",
                 R"("onExistingUsers":"overwrite","body":{"roles":{)" + roles +
                     R"(},"profiles":{)" + profiles + R"(},"users":{)" + users + "}}," + boss)
        .status;
  };
  EXPECT_EQ(load(role + R"(,"bad":{"controllers":5})", profile, valid), 400);
  EXPECT_EQ(load(role, profile + R"(,"bad":{"policies":[]})", valid), 400);
  for (const std::string bad :
       {R"("eve":{"content":{}})", R"("eve":{"content":{"profileIds":"admin"}})", R"("eve":5)",
        R"("eve":{"content":{"profileIds":["default"]},"credentials":{"oauth":{}}})",
        R"("eve":{"content":{"profileIds":["default"]},"credentials":{"local":{}}})",
        R"("eve":{"content":{"profileIds":["default"]},"credentials":{"local":{"username":"ann",)"
        R"("password":"pw"}}})"}) {
    EXPECT_EQ(load(role, profile, valid + "," + bad), 400) << bad;
  }
  const std::string long_id(limits::document_id_bytes_max + 1, 'x');
  EXPECT_EQ(
      load(role, profile, valid + R"(,")" + long_id + R"(":{"content":{"profileIds":["a"]}})"),
      400);
  const auto get = [&](const std::string& what, const std::string& id) {
    return s.of("security:get" + what, id, "", boss);
  };
  EXPECT_EQ(get("Role", "more").status, 404);
  EXPECT_EQ(get("Profile", "more").status, 404);
  EXPECT_EQ(get("User", "ann").text("result._source.profileIds"), R"(["readers"])");
  EXPECT_FALSE(s.log_in("boss", "pw").empty());
  EXPECT_NE(s.of("document:get", "d1", "", testing::by(ann)).status, 401);
  // Valid objects are stored, and an overwritten user can log in again.
  EXPECT_EQ(load(role, profile, valid), 200);
  EXPECT_EQ(s.of("document:get", "d1", "", testing::by(ann)).status, 401);
  EXPECT_FALSE(s.log_in("boss", "new").empty());
  EXPECT_FALSE(s.log_in("ann", "new").empty());
}

TEST(KuzzleAdminTest, ALoadOfRightsHasABoundOfObjects) {
  Server s;
  const std::string role = R"(":{"controllers":{"ms":{"actions":{"get":true}}}})";
  std::string roles = R"("first)" + role;
  for (std::size_t i = 1; i < limits::bulk_lines_max; ++i) {
    roles += R"(,"r)" + std::to_string(i) + role;
  }
  const auto load = [&](const std::string& profiles) {
    return admin(s, "loadSecurities",
                 R"("body":{"roles":{)" + roles + R"(},"profiles":{)" + profiles + "}}");
  };
  const Answer refused = load(R"("more":{"policies":[{"roleId":"first"}]})");
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.error(),
            R"w("Number of documents exceeds the server configured value (20000)")w");
  EXPECT_EQ(s.of("security:getRole", "first").status, 404);
  EXPECT_EQ(load("").status, 200);
}

TEST(KuzzleAdminTest, ALoadOfRightsHashesNoPasswordAfterItsDeadline) {
  Server s;
  const auto recorder = std::make_shared<testing::RecordingClient>();
  const auto conversation = s.open_conversation(recorder);
  conversation->receive(R"({"controller":"admin","action":"loadSecurities",)" + securities + "}");
  conversation->answer(Instant{});
  const Answer late = Server::answer_in(recorder->received.at(0));
  EXPECT_EQ(late.status, 504);
  EXPECT_EQ(late.error(),
            R"("there are too many passwords to be hashed in the time of a request")");
  EXPECT_EQ(s.of("security:getUser", "ann").status, 404);
}

TEST(KuzzleAdminTest, ResettingTheDatabaseLeavesACollectionToWhichAMappingWasAdded) {
  const auto s = Server::with_collection();
  const auto idx = s->database->catalog()->find_database("idx")->id;
  EXPECT_TRUE(s->database->create_collection(idx, {.name = "theirs"}));
  const std::string mapping = R"("theirs":{"properties":{"a":{"type":"keyword"}}})";
  EXPECT_EQ(admin(*s, "loadMappings", R"("body":{"idx":{)" + mapping + "}}").result(), done);
  EXPECT_EQ(admin(*s, "resetDatabase").result(), done);
  EXPECT_EQ(s->call("collection:list").text("result.collections"),
            R"([{"name":"theirs","type":"stored"}])");
}

TEST(KuzzleAdminTest, ResettingTheDatabaseLeavesWhatOtherDialectsHaveMade) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const auto idx = s->database->catalog()->find_database("idx");
  EXPECT_TRUE(s->database->create_database("theirs"));
  const auto theirs = s->database->catalog()->find_database("theirs")->id;
  EXPECT_TRUE(s->database->create_collection(theirs, {.name = "kept"}));
  s->send(R"("controller":"index","action":"create","index":"mixed")");
  s->send(R"("controller":"collection","action":"create","index":"mixed","collection":"own")");
  const auto mixed = s->database->catalog()->find_database("mixed")->id;
  EXPECT_TRUE(s->database->create_collection(mixed, {.name = "kept"}));
  s->send(R"("controller":"collection","action":"create","index":"theirs","collection":"own")");
  EXPECT_EQ(admin(*s, "resetDatabase").result(), done);
  std::string left;
  const CatalogPtr catalog = s->database->catalog();
  for (const auto& database : catalog->databases()) {
    left += database->name + ":";
    for (const auto& collection : catalog->collections(database->id)) left += collection->name;
    left += " ";
  }
  EXPECT_EQ(left, "mixed:kept theirs:kept ");
}

// Like the permissions and webhooks of other dialects.
TEST(KuzzleAdminTest, ResettingTheDatabaseLeavesWhatIsKeptBesideCollections) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const auto keep = [&](const std::string& index, const LifetimeChange& lifetime) {
    s->send(R"("controller":"index","action":"create","index":")" + index + '"');
    const auto database = s->database->catalog()->find_database(index);
    const CollectionSpec spec{
        .name = "#theirs", .promises = {}, .indexes = {}, .is_internal = true};
    const auto kept = *s->database->create_collection(database->id, spec);
    EXPECT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(kept, DocumentKey::of("k"), *pack_json("{}"), {.lifetime = lifetime}));
      return {};
    }));
    return kept;
  };
  const auto kept = keep("idx", Keep{});
  keep("left", Lifetime{At{s->database->now() + Span::seconds(5)}});
  s->advance(6'000);
  EXPECT_EQ(admin(*s, "resetDatabase").result(), done);
  EXPECT_EQ(s->call("index:list").result(), R"({"indexes":["idx"]})");
  EXPECT_EQ(s->call("collection:list").text("result.collections"), "[]");
  View view = s->database->view();
  ASSERT_NE(view.catalog().any_collection(kept->id), nullptr);
  EXPECT_TRUE((*view.get(*kept, DocumentKey::of("k"), view.live())).has_value());
}

TEST(KuzzleAdminTest, ResettingAllThatIsBesideDocumentsLeavesTheDocuments) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  admin(*s, "loadSecurities", securities);
  s->send(R"("controller":"collection","action":"updateSpecifications","body":{"idx":{"col":{}}})");
  EXPECT_EQ(admin(*s, "resetKuzzleData").result(), done);
  EXPECT_EQ(s->call("collection:getSpecifications").status, 404);
  EXPECT_EQ(s->of("document:exists", "d1").result(), "true");
  EXPECT_EQ(s->send(R"("controller":"security","action":"getUser","_id":"ann")").status, 404);
}

TEST(KuzzleAdminTest, TheCacheIsItsScrolls) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const Answer page = s->call("document:search", R"("body":{},"scroll":"1m","size":1)");
  const std::string scroll = R"("scrollId":")" + page["result._scroll_id"].text() + '"';
  EXPECT_EQ(admin(*s, "resetCache", R"("database":"memoryStorage")").result(), done);
  EXPECT_EQ(s->call("document:scroll", scroll).status, 200);
  EXPECT_EQ(admin(*s, "resetCache", R"("database":"internalCache")").result(), done);
  EXPECT_EQ(s->call("document:scroll", scroll).status, 404);
  EXPECT_EQ(admin(*s, "resetCache", R"("database":"attic")").error(),
            R"("Database attic not found")");
  EXPECT_EQ(admin(*s, "resetCache").status, 400);
}

TEST(KuzzleAdminTest, OnlyAdministratorsMay) {
  Server s;
  s.make_admin("boss", "boss", "pw");
  for (const char* action :
       {"resetCache", "resetDatabase", "resetSecurity", "resetKuzzleData", "loadMappings",
        "loadFixtures", "loadSecurities", "dump", "shutdown"}) {
    EXPECT_EQ(admin(s, action, R"("body":{},"database":"internalCache")").status, 403) << action;
  }
  EXPECT_EQ(admin(s, "resetDatabase", testing::by(s.log_in("boss", "pw"))).status, 200);
}

TEST(KuzzleAdminTest, ShuttingDownRequestsTheServersEnd) {
  Server s;
  EXPECT_EQ(admin(s, "shutdown").status, 501);
  int asked = 0;
  s.services->end = [&asked] { ++asked; };
  s.restart();
  EXPECT_EQ(admin(s, "shutdown").result(), done);
  EXPECT_EQ(asked, 1);
}

TEST(KuzzleAdminTest, MappingsAreLoadedWhileTheirIndexIsDroppedAndMadeAgain) {
  constexpr int rounds = 300;
  Server s;
  std::atomic<int> running = 2;
  std::atomic<int> errors = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const int status = admin(s, "loadMappings", R"("body":{"idx":{"col":{}}})").status;
        errors += static_cast<int>(status >= 500);
      }
      --running;
    });
  }
  while (running > 0) s.call("index:delete");
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(errors, 0);
}

TEST(KuzzleAdminTest, DumpsAreNotOffered) {
  Server s;
  EXPECT_EQ(admin(s, "dump").status, 501);
}

TEST(KuzzleAdminTest, IndexesHaveStatistics) {
  const auto s = Server::with_documents({{"d1", R"({"a":1})"}, {"d2", "{}"}});
  s->of("document:delete", "d2");
  const Answer reply = s->call("index:stats");
  EXPECT_EQ(reply.text("result.indexes[0].name"), R"("idx")");
  EXPECT_EQ(reply.text("result.indexes[0].collections[0].name"), R"("col")");
  EXPECT_EQ(reply.text("result.indexes[0].collections[0].documentCount"), "1");
  EXPECT_EQ(reply.text("result.size"), reply.text("result.indexes[0].size"));
  EXPECT_NE(reply.text("result.size"), "0");
  EXPECT_EQ(s->call("index:list", R"("countCollection":true)").text("result.collections"),
            R"({"idx":1})");
  EXPECT_EQ(s->call("index:refreshInternal").result(), R"({"acknowledged":true})");
  EXPECT_EQ(s->call("collection:getSettings").result(), R"({"provided_name":"&idx.col"})");
  s->call("collection:update", R"("body":{"settings":{"number_of_replicas":2}})");
  EXPECT_EQ(s->call("collection:getSettings").text("result.number_of_replicas"), "2");
}

}  // namespace
}  // namespace mayfly::kuzzle
