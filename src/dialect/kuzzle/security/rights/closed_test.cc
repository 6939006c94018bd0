// What rights protect: which rights are checked, when, and on what.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::ids_of;
using testing::Server;

std::string bearer(const std::string& token) {
  return R"("jwt":")" + token + '"';
}

// A user `ann` of a profile of her own, with these policies.
std::string log_in_with(Server& s, const std::string& admin, const std::string& policies) {
  EXPECT_EQ(
      s.of("security:createProfile", "hers", R"({"policies":)" + policies + "}", by(admin)).status,
      200);
  s.make_user("ann", "hers", "ann", by(admin));
  return s.log_in("ann", "pw");
}

TEST(KuzzleClosedTest, ANamedControllerOrActionTakesPrecedenceOverTheStar) {
  struct Case {
    const char* controllers;
    int get;
    int remove;
    int search;
    int now;
  };
  const Case rows[] = {
      {R"({"document":{"actions":{"*":true,"delete":false}},"auth":{"actions":{"login":true}}})",
       200, 403, 200, 403},
      {R"({"*":{"actions":{"*":true}},"document":{"actions":{"get":true}}})", 200, 403, 403, 200},
      {R"({"*":{"actions":{"*":true}},"document":{"actions":{"search":false}}})", 403, 403, 403,
       200},
      {R"({"*":{"actions":{"*":true,"delete":false}}})", 200, 403, 200, 200},
      {R"({"*":{"actions":{"*":false,"get":true}}})", 200, 403, 403, 403},
  };
  const auto s = Server::with_documents({{"d1", "{}"}});
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string admin = s->log_in("boss", "pw");
  std::string ann;
  for (const Case& row : rows) {
    SCOPED_TRACE(row.controllers);
    EXPECT_EQ(s->of("security:createOrReplaceRole", "hers",
                    R"({"controllers":)" + std::string(row.controllers) + "}", by(admin))
                  .status,
              200);
    if (ann.empty()) ann = log_in_with(*s, admin, R"([{"roleId":"hers"}])");
    EXPECT_EQ(s->of("document:get", "d1", "", by(ann)).status, row.get);
    EXPECT_EQ(s->call("document:search", R"("body":{},)" + by(ann)).status, row.search);
    EXPECT_EQ(s->call("server:now", by(ann)).status, row.now);
    EXPECT_EQ(s->of("document:delete", "d1", "", by(ann)).status, row.remove);
  }
}

TEST(KuzzleClosedTest, OfManyFirstAdministratorsThereIsOne) {
  const auto s = Server::with_collection();
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string name = "a" + std::to_string(i);
      const Answer answer =
          s->send_text(R"({"controller":"security","action":"createFirstAdmin","_id":")" + name +
                       R"(","body":{"content":{},)" + Server::credentials_of(name, "pw") + "}}");
      if (answer.status == 200) ++made;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(s->call("security:searchUsers", R"("body":{})").text("result.total"), "1");
}

// Logs in an administrator who has made the role "all", which allows every action.
std::string admin_with_role_for_all(Server& s) {
  EXPECT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string admin = s.log_in("boss", "pw");
  const std::string every_action = R"({"controllers":{"*":{"actions":{"*":true}}}})";
  EXPECT_EQ(s.of("security:createRole", "all", every_action, by(admin)).status, 200);
  return admin;
}

TEST(KuzzleClosedTest, EachPageOfAScrollChecksTheRightToRead) {
  const auto s = Server::with_documents({{"a", "{}"}, {"b", "{}"}, {"c", "{}"}});
  EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string admin = s->log_in("boss", "pw");
  EXPECT_EQ(s->of("security:createOrReplaceRole", "reads",
                  R"({"controllers":{"document":{"actions":{"*":true}}}})", by(admin))
                .status,
            200);
  const std::string ann =
      log_in_with(*s, admin, R"([{"roleId":"reads","restrictedTo":[{"index":"elsewhere"}]}])");
  const Answer page =
      s->call("document:search", R"("body":{},"scroll":"1m","size":1,)" + by(admin));
  const std::string scroll = R"("scrollId":")" + page["result._scroll_id"].text() + "\",";
  EXPECT_EQ(s->call("document:search", R"("body":{},)" + by(ann)).status, 403);
  EXPECT_EQ(s->send(R"("controller":"document","action":"scroll",)" + scroll + by(ann)).status,
            403);
  // A refused request takes nothing from others.
  EXPECT_EQ(ids_of(s->send(R"("controller":"document","action":"scroll",)" + scroll + by(admin))),
            "b");
  // The right may be lost between two pages.
  EXPECT_EQ(
      s->of("security:updateProfile", "hers",
            R"({"policies":[{"roleId":"reads","restrictedTo":[{"index":"idx"}]}]})", by(admin))
          .status,
      200);
  EXPECT_EQ(ids_of(s->send(R"("controller":"document","action":"scroll",)" + scroll + by(ann))),
            "c");
  EXPECT_EQ(s->of("security:updateProfile", "hers",
                  R"({"policies":[{"roleId":"reads","restrictedTo":[{"index":"elsewhere"}]}]})",
                  by(admin))
                .status,
            200);
  EXPECT_EQ(s->send(R"("controller":"document","action":"scroll",)" + scroll + by(ann)).status,
            403);
}

TEST(KuzzleClosedTest, ARightOnOneCollectionIsNoneOnItsIndex) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const std::string admin = admin_with_role_for_all(*s);
  const std::string ann = by(log_in_with(
      *s, admin, R"([{"roleId":"all","restrictedTo":[{"index":"idx","collections":["col"]}]}])"));
  EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 200);
  const std::string here = R"("index":"idx","collection":"col",)";
  EXPECT_EQ(s->send(R"("controller":"index","action":"delete",)" + here + ann).status, 403);
  EXPECT_EQ(
      s->send(R"("controller":"index","action":"mDelete","body":{"indexes":["idx"]},)" + here + ann)
          .status,
      403);
  EXPECT_EQ(s->of("document:get", "d1", "", ann).status, 200);
}

// What an action without a collection shows of collections that the caller may not read.
TEST(KuzzleClosedTest, AListOfManyPlacesShowsThoseAloneThatARestrictionCovers) {
  const auto s = Server::with_collection();
  const auto make = [&](const std::string& index, const std::string& collection) {
    const std::string place = R"("index":")" + index + R"(","collection":")" + collection + '"';
    s->send(R"("controller":"index","action":"create",)" + place);
    EXPECT_EQ(s->send(R"("controller":"collection","action":"create",)" + place).status, 200);
  };
  make("idx", "hidden");
  make("other", "col");
  s->send(R"("controller":"index","action":"create","index":"empty")");
  EXPECT_EQ(s->send(R"("controller":"collection","action":"updateSpecifications","body":{"idx":{)"
                    R"("col":{},"hidden":{}},"other":{"col":{}}})")
                .status,
            200);
  const std::string admin = admin_with_role_for_all(*s);
  const std::string ann =
      log_in_with(*s, admin,
                  R"([{"roleId":"all","restrictedTo":[{"index":"idx","collections":["col"]},)"
                  R"({"index":"empty"}]}])");
  const auto recorder = std::make_shared<testing::RecordingClient>();
  const auto conversation = s->open_conversation(recorder);
  for (const char* place :
       {R"("index":"idx","collection":"col")", R"("index":"idx","collection":"hidden")",
        R"("index":"other","collection":"col")"}) {
    conversation->receive(R"({"controller":"realtime","action":"subscribe","body":{},)" +
                          std::string(place) + "," + by(admin) + "}");
    conversation->answer(Instant::never());
  }
  const auto send = [&](const std::string& what, const std::string& token) {
    return s->send(what + "," + by(token));
  };
  const auto names = [](const Value& members) {
    std::string all;
    for (const auto& [name, value] : members.object()) {
      all += name + ":";
      for (const auto& [inner, rest] : value.object()) all += inner + " ";
    }
    return all;
  };
  const std::string specifications =
      R"("controller":"collection","action":"searchSpecifications","body":{})";
  EXPECT_EQ(ids_of(send(specifications, ann)), "idx#col");
  EXPECT_EQ(send(specifications, ann).text("result.total"), "1");
  EXPECT_EQ(ids_of(send(specifications, admin)), "idx#col idx#hidden other#col");
  const std::string rooms = R"("controller":"realtime","action":"list")";
  EXPECT_EQ(names(send(rooms, ann)["result"]), "idx:col ");
  EXPECT_EQ(names(send(rooms, admin)["result"]), "idx:col hidden other:col ");
  const std::string statistics = R"("controller":"index","action":"stats")";
  const auto counted = [&](const std::string& token) {
    std::string all;
    const Answer answer = send(statistics, token);
    for (const Value& index : answer["result.indexes"].array()) {
      all += index.member("name").text() + ":";
      for (const Value& collection : index.member("collections").array()) {
        all += collection.member("name").text() + " ";
      }
    }
    return all;
  };
  EXPECT_EQ(counted(ann), "idx:col empty:");
  EXPECT_EQ(counted(admin), "idx:col hidden other:col empty:");
}

// A request may name a collection that the restriction covers, and list all of its index.
TEST(KuzzleClosedTest, ACollectionOfARequestOpensNoListOfOthers) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->send(R"("controller":"collection","action":"create","index":"idx",)"
                    R"("collection":"hidden")")
                .status,
            200);
  const std::string admin = admin_with_role_for_all(*s);
  const std::string ann = log_in_with(
      *s, admin, R"([{"roleId":"all","restrictedTo":[{"index":"idx","collections":["col"]}]}])");
  const std::string list = R"("controller":"collection","action":"list","index":"idx")";
  const auto names = [&](const std::string& token) {
    const auto answer = parse_json(s->send(list + R"(,"collection":"col",)" + by(token)).result());
    std::string all;
    for (const Value& entry : answer->member("collections").array()) {
      all += entry.member("name").text() + " ";
    }
    return all;
  };
  EXPECT_EQ(s->send(list + "," + by(ann)).status, 403);
  EXPECT_EQ(names(ann), "col ");
  EXPECT_EQ(names(admin), "col hidden ");
}

TEST(KuzzleClosedTest, WithKeysNothingIsOpenBeforeThereIsAnAdministrator) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  s->credentials.keys = {"a-server-key"};
  for (const char* closed :
       {"document:get", "document:create", "document:search", "collection:create", "index:list",
        "realtime:publish", "security:searchUsers", "admin:resetDatabase", "admin:shutdown",
        "bulk:import", "security:createUser", "auth:getMyRights"}) {
    EXPECT_EQ(s->of(closed, "d1", "{}").status, 403) << closed;
    EXPECT_EQ(s->of(closed, "d1", "{}", bearer("a-server-key")).status, 403) << closed;
  }
  for (const char* open : {"server:info", "server:publicApi", "server:now", "server:adminExists"}) {
    EXPECT_EQ(s->call(open).status, 200) << open;
  }
  EXPECT_EQ(s->call("auth:checkToken", R"("body":{})").status, 200);
  const std::string body = R"({"content":{"name":"b"},)" + Server::credentials_of("b", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body).status, 403);
  const Answer wrong = s->of("security:createFirstAdmin", "boss", body, bearer("another key"));
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(wrong.error(),
            R"("security:createFirstAdmin asks for one of the server's keys (auth.keys) as its )"
            R"(token")");
  EXPECT_EQ(
      s->http("POST", "/boss/_createFirstAdmin", body, {{"authorization", "Bearer a-server-key"}})
          .status,
      200);
  const Answer again = s->of("security:createFirstAdmin", "boss", body, bearer("a-server-key"));
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.error(), R"("admin user is already set")");
  // Afterwards only what the administrator allows is open.
  EXPECT_EQ(s->of("document:get", "d1").status, 403);
  EXPECT_EQ(s->of("document:get", "d1", "", bearer("a-server-key")).status, 401);
  EXPECT_EQ(s->of("document:get", "d1", "", by(s->log_in("b", "pw"))).status, 200);
}

TEST(KuzzleClosedTest, WhatClosesTheServerClosesThisApiToo) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  EXPECT_TRUE(s->dialect->is_open());
  s->credentials.closed_by = "another.clients";
  s->restart();
  EXPECT_FALSE(s->dialect->is_open());
  for (const char* closed : {"document:get", "document:create", "index:list", "realtime:publish"}) {
    EXPECT_EQ(s->of(closed, "d1", "{}").status, 403) << closed;
  }
  EXPECT_EQ(s->call("server:now").status, 200);
  EXPECT_EQ(
      s->of("document:get", "d1").error(),
      R"("Unauthorized: another.clients closes the server and there is no administrator yet; )"
      R"(set auth.keys, and make one with security:createFirstAdmin and one of the keys as )"
      R"(its token")");
  const std::string body = R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body).status, 403);
  s->credentials.keys = {"a-server-key"};
  s->restart();
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body, bearer("a-server-key")).status, 200);
  s->credentials.keys = {};
  s->restart();
  EXPECT_EQ(s->of("document:get", "d1").status, 403);
  EXPECT_EQ(s->of("document:get", "d1", "", by(s->log_in("boss", "pw"))).status, 200);
}

TEST(KuzzleClosedTest, TheStartSaysThatAKeyIsNeededOnlyWithoutAnAdministrator) {
  const auto s = Server::with_collection();
  const auto sentence = [&] { return s->dialect->access("127.0.0.1:7512").sentence; };
  s->credentials.closed_by = "another.clients";
  s->restart();
  EXPECT_EQ(sentence(),
            "asks for a login; a key makes the first administrator, so set auth.keys first");
  s->credentials.keys = {"a-server-key"};
  s->restart();
  EXPECT_EQ(sentence(), "asks for a login; one of auth.keys makes the first administrator");
  const std::string body = R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body, bearer("a-server-key")).status, 200);
  EXPECT_EQ(sentence(), "asks for a login");
  s->credentials.keys = {};
  s->restart();
  EXPECT_EQ(sentence(), "asks for a login");
}

// As after a first administrator without `reset`, and a start with keys later on.
TEST(KuzzleClosedTest, WithKeysARoleAnonymousThatAllowsEverythingAllowsNothing) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const std::string body = R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body).status, 200);
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
  s->credentials.keys = {"a-server-key"};
  s->restart();
  EXPECT_FALSE(s->dialect->is_open());
  for (const char* closed : {"document:get", "document:delete", "index:list", "realtime:publish",
                             "security:searchUsers", "admin:resetDatabase", "auth:getMyRights"}) {
    EXPECT_EQ(s->of(closed, "d1", "{}").status, 403) << closed;
  }
  EXPECT_EQ(s->of("document:get", "d1", "", bearer("a-server-key")).status, 401);
  for (const char* open : {"server:info", "server:now", "server:adminExists"}) {
    EXPECT_EQ(s->call(open).status, 200) << open;
  }
  const std::string boss = by(s->log_in("boss", "pw"));
  EXPECT_EQ(s->of("document:get", "d1", "", boss).status, 200);
  const std::string anonymous_get =
      R"("userId":"-1","body":{"controller":"document","action":"get"},)" + boss;
  EXPECT_EQ(s->call("security:checkRights", anonymous_get).result(), R"({"allowed":false})");
  // What the administrator names applies.
  EXPECT_EQ(s->of("security:createOrReplaceRole", "anonymous",
                  R"({"controllers":{"auth":{"actions":{"login":true}},)"
                  R"("document":{"actions":{"get":true}}}})",
                  boss)
                .status,
            200);
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
  EXPECT_EQ(s->of("document:delete", "d1").status, 403);
  EXPECT_TRUE(s->dialect->is_open());
}

// Also if an administrator has removed the last profile of a user.
TEST(KuzzleClosedTest, WithKeysAUserOfTheProfileAnonymousMayWhatClientsWithoutALoginMay) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  const std::string body = R"({"content":{},)" + Server::credentials_of("boss", "pw") + "}";
  EXPECT_EQ(s->of("security:createFirstAdmin", "boss", body).status, 200);
  s->credentials.keys = {"a-server-key"};
  s->restart();
  const std::string boss = by(s->log_in("boss", "pw"));
  EXPECT_EQ(s->send(R"("controller":"index","action":"create","index":"other",)" + boss).status,
            200);
  EXPECT_EQ(s->of("security:createRole", "counts",
                  R"({"controllers":{"index":{"actions":{"stats":true}}}})", boss)
                .status,
            200);
  for (const char* id : {"hers", "last"}) {
    EXPECT_EQ(s->of("security:createProfile", id,
                    R"({"policies":[{"roleId":"counts","restrictedTo":[{"index":"idx"}]}]})", boss)
                  .status,
              200);
  }
  s->make_user("eve", "last", "eve", boss);
  const std::string eve = by(s->log_in("eve", "pw"));
  const auto rights_of_eve = [&] { return s->of("security:getUserRights", "eve", "", boss); };
  EXPECT_EQ(rights_of_eve().text("result.total"), "1");
  EXPECT_EQ(
      s->of("security:deleteProfile", "last", "", R"("onAssignedUsers":"remove",)" + boss).status,
      200);
  for (const char* closed : {"document:get", "document:delete", "security:searchUsers",
                             "auth:getMyRights", "admin:resetDatabase"}) {
    EXPECT_EQ(s->of(closed, "d1", "{}", eve).status, 403) << closed;
  }
  EXPECT_EQ(s->of("security:updateUser", "eve", R"({"profileIds":["admin"]})", eve).status, 403);
  for (const char* open : {"server:info", "server:now"}) {
    EXPECT_EQ(s->call(open, eve).status, 200) << open;
  }
  EXPECT_EQ(rights_of_eve().text("result.total"), "9");
  EXPECT_EQ(rights_of_eve().result().find(R"("action":"*")"), std::string::npos);
  // Besides another profile it adds nothing, either.
  EXPECT_EQ(
      s->of("security:updateUser", "eve", R"({"profileIds":["hers","anonymous"]})", boss).status,
      200);
  const Answer counted = s->send(R"("controller":"index","action":"stats","index":"idx",)" + eve);
  EXPECT_EQ(counted.status, 200) << counted.error();
  EXPECT_EQ(counted["result.indexes"].array().size(), 1U);
  EXPECT_EQ(s->of("document:get", "d1", "", eve).status, 403);
  // What the administrator names applies to it as to all.
  EXPECT_EQ(s->of("security:createOrReplaceRole", "anonymous",
                  R"({"controllers":{"auth":{"actions":{"login":true}},)"
                  R"("document":{"actions":{"get":true}}}})",
                  boss)
                .status,
            200);
  EXPECT_EQ(s->of("document:get", "d1", "", eve).status, 200);
  EXPECT_EQ(rights_of_eve().text("result.total"), "3");
}

TEST(KuzzleClosedTest, WithoutKeysEverythingIsOpenBeforeThereIsAnAdministrator) {
  const auto s = Server::with_documents({{"d1", "{}"}});
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
  EXPECT_EQ(s->of("document:get", "d1", "", bearer("a-server-key")).status, 401);
}

}  // namespace
}  // namespace mayfly::kuzzle
