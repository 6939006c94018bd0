// Searches for users, profiles and roles; restricted users, strategies and mappings.
#include <gtest/gtest.h>

#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::ids_of;
using testing::Server;
using testing::v7;

// With users u1 to u4; those with even numbers may only read.
std::unique_ptr<Server> with_users() {
  auto s = Server::with_collection();
  s->client = v7;
  s->of("security:createRole", "reads", R"({"controllers":{"document":{"actions":{"get":true}}}})");
  s->of("security:createProfile", "readers", R"({"policies":[{"roleId":"reads"}]})");
  for (int i = 1; i <= 4; ++i) {
    const Answer made =
        s->of("security:createUser", "u" + std::to_string(i),
              R"({"content":{"age":)" + std::to_string(20 + i) + R"(,"profileIds":[")" +
                  (i % 2 == 0 ? "readers" : "default") + R"("]}})");
    EXPECT_EQ(made.status, 200) << made.error();
  }
  return s;
}

TEST(KuzzleSecuritySearchTest, UsersAreFoundByAQuery) {
  const auto s = with_users();
  const auto found = [&](const std::string& body, const std::string& more = "") {
    return ids_of(s->call("security:searchUsers", R"("body":)" + body + more));
  };
  EXPECT_EQ(found("{}"), "u1 u2 u3 u4");
  EXPECT_EQ(found(R"({"query":{"term":{"profileIds":"readers"}}})"), "u2 u4");
  EXPECT_EQ(found(R"({"query":{"range":{"age":{"gt":22}}},"sort":[{"age":"desc"}]})"), "u4 u3");
  EXPECT_EQ(found(R"({"query":{"match_all":{}}})", R"(,"from":1,"size":2)"), "u2 u3");
  EXPECT_EQ(found(R"({"query":{"range":{"age":{"lte":22}}}})", R"(,"lang":"koncorde")"), "u1 u2");
  EXPECT_EQ(s->call("security:searchUsers", R"("body":{"query":{"nonsense":{}}})").text("error.id"),
            R"("services.storage.invalid_search_query")");
  EXPECT_EQ(s->call("security:searchUsers", R"("body":{},"lang":"sql")").status, 400);
  EXPECT_EQ(s->call("security:searchUsers", R"("body":{},"size":1001)").status, 413);
}

TEST(KuzzleSecuritySearchTest, ProfilesAndRolesAreFoundByShortFiltersToo) {
  const auto s = with_users();
  EXPECT_EQ(ids_of(s->call("security:searchProfiles", R"("body":{})")),
            "admin anonymous default readers");
  EXPECT_EQ(ids_of(s->call("security:searchProfiles", R"("body":{"roles":["reads","admin"]})")),
            "admin readers");
  EXPECT_EQ(ids_of(s->call("security:searchProfiles",
                           R"("body":{"query":{"term":{"policies.roleId":"reads"}}})")),
            "readers");
  EXPECT_EQ(ids_of(s->call("security:searchRoles", R"("body":{"controllers":["document"]})")),
            "admin anonymous default reads");
  EXPECT_EQ(ids_of(s->call("security:searchRoles",
                           R"("body":{"query":{"exists":{"field":"controllers.document"}}})")),
            "reads");
  EXPECT_EQ(s->call("security:searchRoles", R"("body":{"controllers":"x"})").status, 400);
}

TEST(KuzzleSecuritySearchTest, VersionOneReadsOneMemberOfEachSearch) {
  const auto s = with_users();
  s->client.clear();
  const std::string ignored = R"("match_all":{},"sort":[{"nonsense":"x"}],"nonsense":1)";
  const std::string query = R"("query":{"term":{"profileIds":"readers"}})";
  struct Case {
    const char* action;
    std::string body;
    const char* found;
  };
  const Case rows[] = {
      {"security:searchUsers", "{" + ignored + "}", "u1 u2 u3 u4"},
      {"security:searchUsers", "{" + query + "," + ignored + "}", "u2 u4"},
      {"security:searchUsers", R"({"roles":["reads"],"controllers":["document"]})", "u1 u2 u3 u4"},
      {"security:searchProfiles", "{" + ignored + "}", "admin anonymous default readers"},
      {"security:searchProfiles", R"({"query":{"roles":["reads"]}})",
       "admin anonymous default readers"},
      {"security:searchProfiles", R"({"roles":["reads"],)" + query + "}", "readers"},
      {"security:searchRoles", "{" + ignored + "}", "admin anonymous default reads"},
      {"security:searchRoles", "{" + query + "}", "admin anonymous default reads"},
      {"security:searchRoles", R"({"controllers":["index"],)" + ignored + "}",
       "admin anonymous default"},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(ids_of(s->call(row.action, R"("body":)" + row.body)), row.found)
        << row.action << row.body;
  }
}

TEST(KuzzleSecuritySearchTest, ScrollsContinueInTheirSnapshot) {
  const auto s = with_users();
  const Answer first = s->call("security:searchUsers", R"("body":{},"size":3,"scroll":"30s")");
  EXPECT_EQ(ids_of(first), "u1 u2 u3");
  const std::string id = R"("scrollId":)" + first.text("result.scrollId");
  // Neither as documents nor as profiles.
  EXPECT_EQ(s->call("document:scroll", id).status, 404);
  const Answer again = s->call("security:searchUsers", R"("body":{},"size":3,"scroll":"30s")");
  const std::string next = R"("scrollId":)" + again.text("result.scrollId");
  const Answer second = s->call("security:scrollUsers", next + R"(,"scroll":"30s")");
  EXPECT_EQ(ids_of(second), "u4");
  EXPECT_EQ(second.text("result.total"), "4");
  EXPECT_EQ(s->call("security:scrollProfiles", next).status, 404);
  EXPECT_EQ(s->call("security:scrollUsers", R"("scrollId":"none")").text("error.id"),
            R"("services.storage.unknown_scroll_id")");
}

TEST(KuzzleSecuritySearchTest, BuiltInObjectsAreListedAndStay) {
  const auto s = with_users();
  EXPECT_EQ(
      ids_of(s->call("security:mGetProfiles", R"("body":{"ids":["default","readers","no"]})")),
      "default readers");
  EXPECT_EQ(ids_of(s->call("security:mGetRoles", R"("body":{"ids":["anonymous"]})")), "anonymous");
  EXPECT_EQ(ids_of(s->call("security:mGetUsers", R"("body":{"ids":["u1","no","u2"]})")), "u1 u2");
  EXPECT_EQ(s->of("security:deleteRole", "anonymous").status, 400);
  EXPECT_EQ(s->call("security:mDeleteRoles", R"("body":{"ids":["default"]})").status, 400);
  EXPECT_EQ(s->of("security:deleteProfile", "admin").status, 400);
  EXPECT_EQ(
      s->of("security:deleteProfile", "readers", "", R"("onAssignedUsers":"remove")").result(),
      R"({"_id":"readers"})");
  EXPECT_EQ(s->call("security:mDeleteUsers", R"("body":{"ids":["u1","no","u2"]})").result(),
            R"(["u1","u2"])");
}

TEST(KuzzleSecuritySearchTest, ARestrictedUserGetsTheProfileThatTheServerChooses) {
  const auto s = with_users();
  const Answer made = s->of(
      "security:createRestrictedUser", "u5",
      R"({"content":{"name":"e"},"credentials":{"local":{"username":"eve","password":"pw"}}})");
  EXPECT_EQ(made.text("result._source.profileIds"), R"(["default"])") << made.error();
  EXPECT_EQ(s->call("security:createRestrictedUser", R"("body":{"content":{}})").status, 200);
  EXPECT_EQ(s->of("security:createRestrictedUser", "u6", R"({"content":{"profileIds":["admin"]}})")
                .status,
            400);
  EXPECT_EQ(s->of("security:getUserStrategies", "u5").result(),
            R"({"strategies":["local"],"total":1})");
  EXPECT_EQ(s->of("security:getUserStrategies", "u1").result(), R"({"strategies":[],"total":0})");
  EXPECT_EQ(s->of("security:getUserStrategies", "no").status, 404);
  EXPECT_EQ(s->of("security:getUserRights", "u2").text("result.hits[0].action"), R"("get")");
  EXPECT_EQ(s->of("security:getProfileRights", "readers").text("result.total"), "1");
}

TEST(KuzzleSecuritySearchTest, CredentialsAreReadByEveryAction) {
  const auto s = with_users();
  const std::string local = R"("strategy":"local")";
  EXPECT_EQ(s->call("security:getAllCredentialFields").result(),
            R"({"local":["username","password"]})");
  EXPECT_EQ(s->call("security:getCredentialFields", local).result(), R"(["username","password"])");
  EXPECT_EQ(s->call("security:getCredentialFields", R"("strategy":"x")").status, 400);
  s->of("security:createCredentials", "u1", R"({"username":"one","password":"pw"})", local);
  EXPECT_EQ(s->of("security:getCredentialsById", "one", "", local).result(),
            R"({"username":"one","kuid":"u1"})");
  EXPECT_EQ(s->of("security:getCredentialsById", "two", "", local).status, 404);
  const auto valid = [&](const std::string& id, const std::string& body) {
    return s->of("security:validateCredentials", id, body, local);
  };
  EXPECT_EQ(valid("u1", R"({"username":"one","password":"pw"})").result(), "true");
  EXPECT_EQ(valid("u2", R"({"username":"one","password":"pw"})").status, 400);
  EXPECT_EQ(valid("u2", R"({"username":"two","password":""})").status, 400);
  EXPECT_EQ(valid("u2", R"({"username":"two"})").status, 400);
}

TEST(KuzzleSecuritySearchTest, UsersAreFoundByTheirCredentialsButNotByTheirPasswords) {
  const auto s = with_users();
  const std::string local = R"("strategy":"local")";
  for (const char* id : {"u2", "u1", "u3"}) {
    s->of("security:createCredentials", id,
          R"({"username":"name of )" + std::string(id) + R"(","password":"pw"})", local);
  }
  const auto found = [&](const std::string& body, const std::string& more = "") {
    return s->call("security:searchUsersByCredentials", local + R"(,"body":)" + body + more)
        .result();
  };
  const std::string second = R"({"kuid":"u2","username":"name of u2"})";
  EXPECT_EQ(found(R"({"query":{"term":{"username":"name of u2"}}})"),
            R"({"hits":[)" + second + R"(],"total":1})");
  EXPECT_EQ(found(R"({"query":{"bool":{"must":[{"match":{"kuid":"u2"}}]}}})"),
            R"({"hits":[)" + second + R"(],"total":1})");
  EXPECT_EQ(found("{}", R"(,"from":1,"size":1)"), R"({"hits":[)" + second + R"(],"total":3})");
  for (const char* query : {R"({"exists":{"field":"hash"}})", R"({"prefix":{"hash":"scrypt"}})",
                            R"({"term":{"username":"none"}})"}) {
    EXPECT_EQ(found(R"({"query":)" + std::string(query) + "}"), R"({"hits":[],"total":0})");
  }
  const std::string search = "security:searchUsersByCredentials";
  EXPECT_EQ(s->call(search, local + R"(,"body":{"sort":["kuid"]})").status, 501);
  EXPECT_EQ(s->call(search, local + R"(,"body":{"highlight":{"fields":{"*":{}}}})").status, 501);
  EXPECT_EQ(s->call(search, R"("strategy":"x","body":{})").status, 400);
  EXPECT_EQ(s->call(search, local + R"(,"body":{"query":{"nonsense":{}}})").status, 400);
}

// As after a crash between the two commits.
TEST(KuzzleSecuritySearchTest, BuiltInOnesAreFoundWhereOnlyTheirTablesWereMade) {
  const auto s = Server::with_collection();
  ASSERT_TRUE(PrivateTable<Role>::ensure(*s->database));
  ASSERT_TRUE(PrivateTable<Profile>::ensure(*s->database));
  for (const char* what : {"Roles", "Profiles"}) {
    EXPECT_EQ(ids_of(s->call(std::string("security:search") + what, R"("body":{})")),
              "admin anonymous default");
  }
}

TEST(KuzzleSecuritySearchTest, ABuiltInOneIsUpdatedBeforeAnyIsWritten) {
  const std::string role = R"({"controllers":{"document":{"actions":{"get":true}}}})";
  const std::string profile = R"({"policies":[{"roleId":"default"}]})";
  for (const bool has_tables : {false, true}) {
    SCOPED_TRACE(has_tables);
    const auto s = Server::with_collection();
    EXPECT_EQ(s->of("security:updateRole", "none", role).status, 404);
    EXPECT_EQ(s->of("security:updateProfile", "none", profile).status, 404);
    EXPECT_FALSE(find_security_table<Role>(*s->database->catalog())) << "nothing is made for that";
    if (has_tables) {
      ASSERT_TRUE(PrivateTable<Role>::ensure(*s->database));
      ASSERT_TRUE(PrivateTable<Profile>::ensure(*s->database));
    }
    EXPECT_EQ(s->of("security:updateRole", "anonymous", role).status, 200);
    EXPECT_EQ(s->of("security:getRole", "anonymous").text("result._source.controllers"),
              R"({"*":{"actions":{"*":true}},"document":{"actions":{"get":true}}})");
    EXPECT_EQ(s->of("security:updateProfile", "anonymous", profile).status, 200);
    EXPECT_EQ(s->of("security:getProfile", "anonymous").text("result._source.policies"),
              R"([{"roleId":"default"}])");
  }
}

TEST(KuzzleSecuritySearchTest, MappingsOfSecurityCanBeExtended) {
  const auto s = with_users();
  EXPECT_EQ(s->call("security:getUserMapping").result(),
            R"({"mapping":{"profileIds":{"type":"keyword"}}})");
  EXPECT_EQ(
      s->call("security:updateUserMapping", R"("body":{"properties":{"name":{"type":"keyword"}}})")
          .text("result.properties.name.type"),
      R"("keyword")");
  EXPECT_EQ(s->call("security:getUserMapping").text("result.mapping.name.type"), R"("keyword")");
  EXPECT_EQ(s->call("security:getUserMapping").text("result.mapping.profileIds.type"),
            R"("keyword")");
  EXPECT_EQ(s->call("security:updateRoleMapping", R"("body":{"properties":3})").status, 400);
  EXPECT_EQ(s->send(R"("controller":"security","action":"refresh","collection":"users")").status,
            200);
  EXPECT_EQ(s->send(R"("controller":"security","action":"refresh","collection":"x")").status, 400);
}

}  // namespace
}  // namespace mayfly::kuzzle
