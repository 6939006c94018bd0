// A login belongs to the user that it was created for, and is removed with that user.
#include <gtest/gtest.h>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;

class KuzzleUsersTest : public ::testing::Test {
 protected:
  KuzzleUsersTest() : s(Server::with_collection()) {
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    boss = by(s->log_in("boss", "pw"));
  }
  // The status of a request that only users with the profile `admin` and `default` may send.
  int status_with(const std::string& token) {
    return s->call("auth:getCurrentUser", by(token)).status;
  }
  Answer log_in(const std::string& name) {
    return s->call("auth:login",
                   R"("strategy":"local","body":{"username":")" + name + R"(","password":"pw"})");
  }
  int remove(const std::string& what, const std::string& id) {
    return s->of("security:delete" + what, id, "", boss).status;
  }
  Answer remove_many(const std::string& what, const std::string& ids) {
    return s->call("security:mDelete" + what, R"("body":{"ids":)" + ids + "}," + boss);
  }
  int status_of(const std::string& what, const std::string& id) {
    return s->of("security:get" + what, id, "", boss).status;
  }
  // A token from before tokens had the creation time of the user.
  std::string token_without_creation(const std::string& id, std::int64_t issued_at) {
    const Bytes key = *make_signing_key(*s->database);
    const Object claims{{"_id", id}, {"iat", issued_at}, {"exp", issued_at + 3'600}};
    return *sign_jwt(render_json(Value(claims)), key);
  }

  const std::unique_ptr<Server> s;
  std::string boss;
};

TEST_F(KuzzleUsersTest, ATokenIsOfTheUserThatLoggedInAndOfNoLaterOneOfItsId) {
  s->make_user("bob", "default", "bob", boss);
  const std::string token = s->log_in("bob", "pw");
  EXPECT_EQ(status_with(token), 200);
  EXPECT_EQ(remove("User", "bob"), 200);
  EXPECT_EQ(status_with(token), 401);
  s->make_user("bob", "admin", "bob", boss);
  EXPECT_EQ(status_with(token), 401);
  EXPECT_EQ(
      s->call("auth:checkToken", R"("body":{"token":")" + token + R"("})").text("result.valid"),
      "false");
  EXPECT_EQ(status_with(s->log_in("bob", "pw")), 200);
}

TEST_F(KuzzleUsersTest, ATokenOfAnEarlierVersionIsOfAUserThatWasThereBefore) {
  s->advance(5'000);
  s->make_user("bob", "default", "bob", boss);
  const std::int64_t created_at = testing::start_millis / 1'000 + 5;
  EXPECT_EQ(status_with(token_without_creation("bob", created_at - 1)), 401);
  EXPECT_EQ(status_with(token_without_creation("bob", created_at + 1)), 200);
}

TEST_F(KuzzleUsersTest, AChangedUserKeepsItsLogins) {
  s->make_user("bob", "admin", "bob", boss);
  const std::string token = s->log_in("bob", "pw");
  s->advance(1'000);
  EXPECT_EQ(s->of("security:updateUser", "bob", R"({"a":1})", boss).status, 200);
  EXPECT_EQ(status_with(token), 200);
  const Answer replaced =
      s->of("security:replaceUser", "bob", R"({"profileIds":["admin"],"b":1})", boss);
  EXPECT_EQ(replaced.text("result._source"), R"({"profileIds":["admin"],"b":1})");
  EXPECT_EQ(status_with(token), 200);
  const Answer renewed = s->call("auth:refreshToken", by(token));
  EXPECT_EQ(status_with(renewed["result.jwt"].text()), 200);
}

// As after a crash of an earlier version.
TEST_F(KuzzleUsersTest, APasswordThatWasLeftBehindIsNoLoginOfTheNextUser) {
  s->make_user("bob", "default", "bob", boss);
  const CollectionPtr of_users = *security_collection(*s->database, users);
  EXPECT_TRUE(s->database->transact([&](Transaction& transaction) {
    return transaction.remove(of_users, DocumentKey::of("bob"), {});
  }));
  EXPECT_EQ(log_in("bob").status, 401);
  EXPECT_EQ(
      s->of("security:createUser", "bob", R"({"content":{"profileIds":["admin"]}})", boss).status,
      200);
  EXPECT_EQ(log_in("bob").status, 401);
  EXPECT_EQ(s->of("security:hasCredentials", "bob", "", R"("strategy":"local",)" + boss).result(),
            "false");
}

TEST_F(KuzzleUsersTest, AnUpsertChangesAUserOrMakesOne) {
  const auto upsert = [&](const std::string& id, const std::string& body) {
    return s->of("security:upsertUser", id, body, boss);
  };
  const std::string body = R"({"content":{"a":1},"default":{"profileIds":["default"],"a":2},)" +
                           Server::credentials_of("carl", "pw") + "}";
  const Answer made = upsert("carl", body);
  EXPECT_EQ(made.text("result.created"), "true") << made.error();
  EXPECT_EQ(made.text("result._source.profileIds"), R"(["default"])");
  EXPECT_EQ(made.text("result._source.a"), "1");
  EXPECT_NE(s->log_in("carl", "pw"), "");
  const Answer changed = upsert("carl", R"({"content":{"a":3}})");
  EXPECT_EQ(changed.text("result.created"), "false") << changed.error();
  EXPECT_EQ(changed.text("result._source.a"), "3");
  EXPECT_EQ(changed.text("result._source.profileIds"), R"(["default"])");
  EXPECT_EQ(upsert("dora", R"({"content":{"a":1}})").status, 400) << "it has no profiles";
  EXPECT_EQ(upsert("dora", R"({"content":{},"default":5})").status, 400);
  EXPECT_EQ(upsert("dora", R"({"content":{"profileIds":["none"]}})").status, 404);
  EXPECT_EQ(upsert("carl", R"({"content":{"profileIds":["none"]}})").status, 404);
}

TEST_F(KuzzleUsersTest, ARefusedUpsertChangesNothing) {
  s->make_user("carl", "default", "carl", boss);
  const std::string taken =
      R"({"content":{"profileIds":["default"]},)" + Server::credentials_of("carl", "new") + "}";
  EXPECT_EQ(s->of("security:upsertUser", "dora", taken, boss).status, 400);
  EXPECT_EQ(s->of("security:getUser", "dora", "", boss).status, 404);
  EXPECT_NE(s->log_in("carl", "pw"), "") << "whose password stays";
  // Credentials are for a new user only.
  const Answer changed = s->of("security:upsertUser", "carl", taken, boss);
  EXPECT_EQ(changed.text("result.created"), "false") << changed.error();
  EXPECT_NE(s->log_in("carl", "pw"), "");
}

TEST_F(KuzzleUsersTest, TheTokensOfAUserEndTogetherAndLaterOnesCount) {
  s->make_user("carl", "default", "carl", boss);
  const auto is_valid = [&](const std::string& token) {
    return s->call("auth:checkToken", R"("body":{"token":")" + token + R"("})")
        .text("result.valid");
  };
  const std::string first = s->log_in("carl", "pw");
  const std::string second = s->log_in("carl", "pw");
  const std::string key = s->of("security:createApiKey", "k", R"({"description":"d"})",
                                R"("userId":"carl",)" + boss)["result._source.token"]
                              .text();
  EXPECT_EQ(s->of("security:revokeTokens", "carl", "", boss).result(), "null");
  for (const std::string& token : {first, second}) EXPECT_EQ(is_valid(token), "false");
  EXPECT_EQ(is_valid(key), "true") << "an API key is no login";
  EXPECT_EQ(s->call("server:now", boss).status, 200) << "the others stay";
  s->advance(1);
  EXPECT_EQ(is_valid(s->log_in("carl", "pw")), "true");
  EXPECT_EQ(s->of("security:revokeTokens", "none", "", boss).status, 404);
  const std::string carl = testing::by(s->log_in("carl", "pw"));
  EXPECT_EQ(s->of("security:revokeTokens", "boss", "", carl).status, 403);
}

TEST_F(KuzzleUsersTest, TheDefaultRightsAreRestrictedOnceThereIsAnAdministrator) {
  EXPECT_EQ(s->of("security:createOrReplaceRole", "anonymous",
                  R"({"controllers":{"*":{"actions":{"*":true}}}})", boss)
                .status,
            200);
  EXPECT_EQ(s->call("index:list").status, 200);
  EXPECT_EQ(s->call("security:restrictDefaultRights", boss).result(), "null");
  EXPECT_EQ(s->call("index:list").status, 403);
  EXPECT_NE(s->log_in("boss", "pw"), "");
  const auto open = Server::with_collection();
  EXPECT_EQ(open->call("security:restrictDefaultRights").status, 400);
  EXPECT_EQ(open->call("index:list").status, 200);
}

TEST_F(KuzzleUsersTest, OfManyAllGoOrNone) {
  for (const char* id : {"r1", "r2"}) {
    EXPECT_EQ(
        s->of("security:createRole", id, R"({"controllers":{"ms":{"actions":{"*":true}}}})", boss)
            .status,
        200);
    EXPECT_EQ(s->of("security:createProfile", id, R"({"policies":[{"roleId":"r1"}]})", boss).status,
              200);
    s->make_user(id, "default", id, boss);
  }
  for (const char* what : {"Profile", "Role"}) {
    const std::string many = std::string(what) + "s";
    EXPECT_EQ(remove_many(many, R"(["r1","admin","r2"])").status, 400);
    EXPECT_EQ(status_of(what, "r1"), 200);
    EXPECT_EQ(remove_many(many, R"(["r2","none","r1","r2"])").result(), R"(["r2","r1"])");
    EXPECT_EQ(status_of(what, "r1"), 404);
    EXPECT_EQ(status_of(what, "admin"), 200);
  }
  const std::string token = s->log_in("r1", "pw");
  EXPECT_EQ(remove_many("Users", R"(["r1",5])").status, 400);
  EXPECT_EQ(status_with(token), 200);
  EXPECT_EQ(remove_many("Users", R"(["r1","none","r2"])").result(), R"(["r1","r2"])");
  EXPECT_EQ(status_with(token), 401);
  EXPECT_EQ(log_in("r2").status, 401);
  EXPECT_EQ(log_in("boss").status, 200);
}

}  // namespace
}  // namespace mayfly::kuzzle
