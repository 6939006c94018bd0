// API keys: their owners, lifetimes and revocation.
#include <gtest/gtest.h>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;
using testing::start_millis;
using testing::v7;

// With an administrator, whose login is `boss`, and the user u1, whose keys allow everything.
struct Guarded {
  std::unique_ptr<Server> server = Server::with_collection();
  std::string boss;

  Guarded() {
    server->client = v7;
    EXPECT_EQ(server->make_admin("admin", "boss", "a secret").status, 200);
    boss = by(server->log_in("boss", "a secret"));
    ask("security:createRole", R"("_id":"keys","body":{"controllers":{"auth":{"actions":{)"
                               R"("*":true}},"document":{"actions":{"get":true}}}})");
    ask("security:createProfile", R"("_id":"users","body":{"policies":[{"roleId":"keys"}]})");
    make_user("u1");
  }
  void make_user(const std::string& id) {
    const Answer made = ask("security:createUser", R"("_id":")" + id +
                                                       R"(","body":{"content":{"profileIds":)"
                                                       R"(["users"]}})");
    EXPECT_EQ(made.status, 200) << made.error();
  }
  Answer ask(const std::string& what, const std::string& more) {
    return server->call(what, more + "," + boss);
  }
  // The token of a new key of u1.
  std::string make_key(const std::string& id, const std::string& more = "") {
    const Answer made =
        ask("security:createApiKey", R"("userId":"u1","_id":")" + id +
                                         R"(","body":{"description":"of )" + id + R"("})" + more);
    EXPECT_EQ(made.status, 200) << made.error();
    return made["result._source.token"].text();
  }
  int get_with(const std::string& token) {
    return server->of("document:get", "none", "", by(token)).status;
  }
};
// Stores the document of a key.
void put_key(Database& database, const std::string& id, const Value& body) {
  const CollectionPtr collection = *security_collection(database, api_keys);
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    TRY(transaction.put(collection, DocumentKey::of(id), TRY(pack(body)), {}));
    return {};
  }));
}
constexpr int let_in = 404;  // accepted, but the document does not exist

TEST(KuzzleApiKeyTest, AKeyIsShownOnceAndStoredAsItsDigest) {
  Guarded g;
  const Answer made =
      g.ask("security:createApiKey", R"("userId":"u1","_id":"k1","body":{"description":"a key"})");
  const std::string token = made["result._source.token"].text();
  EXPECT_TRUE(token.starts_with("kapikey-")) << token;
  EXPECT_EQ(made.text("result._id"), R"("k1")");
  EXPECT_EQ(made.text("result._source.expiresAt"), "-1");
  EXPECT_EQ(made.text("result._source.ttl"), "-1");
  EXPECT_EQ(made["result._source.fingerprint"].text(), encode_hex(sha256(token)));
  EXPECT_EQ(g.get_with(token), let_in);
  const Answer found = g.ask("security:searchApiKeys", R"("userId":"u1","body":{})");
  EXPECT_EQ(found.text("result.total"), "1");
  EXPECT_EQ(found.text("result.hits[0]._source.description"), R"("a key")");
  EXPECT_EQ(found.result().find("kapikey"), std::string::npos);
  const Answer again =
      g.ask("security:createApiKey", R"("userId":"u1","_id":"k1","body":{"description":"a key"})");
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.text("error.id"), R"("services.storage.document_already_exists")");
  EXPECT_EQ(g.ask("security:createApiKey", R"("userId":"no","body":{"description":"x"})").status,
            404);
  EXPECT_EQ(g.ask("security:createApiKey", R"("userId":"u1","body":{})").status, 400);
}

TEST(KuzzleApiKeyTest, KeysAreFoundInOrderOfCreation) {
  Guarded g;
  for (const char* id : {"z", "a", "m"}) {
    g.make_key(id);
    g.server->advance(1);
  }
  const auto found = [&](const std::string& more) {
    return testing::ids_of(g.ask("security:searchApiKeys", R"("userId":"u1","body":{})" + more));
  };
  EXPECT_EQ(found(""), "z a m");
  EXPECT_EQ(found(R"(,"from":1,"size":1)"), "a");
}

TEST(KuzzleApiKeyTest, AClientWithoutALoginHasNone) {
  const auto s = Server::with_collection();
  const Answer none = s->call("auth:searchApiKeys", R"("body":{})");
  EXPECT_EQ(none.result(), R"({"hits":[],"total":0})");
  EXPECT_EQ(s->call("auth:createApiKey", R"("body":{"description":"d"})").status, 403);
}

TEST(KuzzleApiKeyTest, AKeyExpiresNoLaterThanTheTokenThatCreatedIt) {
  Guarded g;
  const auto make = [&](const std::string& token, const std::string& more) {
    return g.server->call("auth:createApiKey", R"("body":{"description":"d"},)" + by(token) + more)
        .status;
  };
  const std::string key = g.make_key("k1", R"(,"expiresIn":"2s")");
  EXPECT_EQ(make(key, ""), 403);
  EXPECT_EQ(make(key, R"(,"expiresIn":-1)"), 403);
  EXPECT_EQ(make(key, R"(,"expiresIn":2001)"), 403);
  EXPECT_EQ(make(key, R"(,"expiresIn":2000)"), 200);
  EXPECT_EQ(make(g.make_key("k2"), R"(,"expiresIn":-1)"), 200);
  // A caller that may create keys for others has the same bound for its own.
  const std::string own = R"("userId":"admin","body":{"description":"d"},)";
  const auto make_single = [&] {
    return g.ask("auth:createToken", R"("singleUse":true)")["result.token"].text();
  };
  EXPECT_EQ(g.server->call("security:createApiKey", own + by(make_single())).status, 403);
  EXPECT_EQ(make(make_single(), R"(,"expiresIn":1)"), 403);
  EXPECT_EQ(g.ask("auth:createApiKey", R"("body":{"description":"d"})").status, 200);
}

TEST(KuzzleApiKeyTest, AKeyExpiresAndFreesItsId) {
  Guarded g;
  const std::string token = g.make_key("k1", R"(,"expiresIn":"2s")");
  const Answer found = g.ask("security:searchApiKeys", R"("userId":"u1","body":{})");
  const std::int64_t ends = found["result.hits[0]._source.expiresAt"].integer();
  EXPECT_EQ(found.text("result.hits[0]._source.ttl"), "2000");
  EXPECT_EQ(ends, start_millis + 2'000);
  g.server->advance(1'999);
  EXPECT_EQ(g.get_with(token), let_in);
  g.server->advance(1);
  EXPECT_EQ(g.get_with(token), 401);
  EXPECT_EQ(g.ask("security:searchApiKeys", R"("userId":"u1","body":{})").text("result.total"),
            "0");
  EXPECT_EQ(g.ask("security:deleteApiKey", R"("userId":"u1","_id":"k1")").status, 404);
  EXPECT_EQ(g.get_with(g.make_key("k1")), let_in);
  EXPECT_EQ(g.get_with(token), 401);
}

TEST(KuzzleApiKeyTest, ForEverAndMillisecondsAreTimesAndNothingElseIs) {
  Guarded g;
  const auto made_for = [&](const std::string& time) {
    return g.ask("security:createApiKey",
                 R"("userId":"u1","body":{"description":"x"},"expiresIn":)" + time);
  };
  EXPECT_EQ(made_for("-1").text("result._source.expiresAt"), "-1");
  EXPECT_EQ(made_for(R"("-1")").text("result._source.ttl"), "-1");
  EXPECT_EQ(made_for("1500").text("result._source.ttl"), "1500");
  EXPECT_EQ(made_for(R"("30d")").text("result._source.ttl"), "2592000000");
  for (const char* wrong : {"0", "-2", R"("soon")", R"("99999999999999y")", "{}"}) {
    EXPECT_EQ(made_for(wrong).status, 400) << wrong;
  }
}

TEST(KuzzleApiKeyTest, ADeletedUsersKeysAreDeleted) {
  Guarded g;
  const std::string token = g.make_key("k1");
  EXPECT_EQ(g.ask("security:deleteUser", R"("_id":"u1")").status, 200);
  EXPECT_EQ(g.get_with(token), 401);
  g.make_user("u1");
  EXPECT_EQ(g.get_with(token), 401);
  EXPECT_EQ(g.ask("security:searchApiKeys", R"("userId":"u1","body":{})").text("result.total"),
            "0");
}

// As if it was created while its user was being removed.
TEST(KuzzleApiKeyTest, AKeyThatOutlivesItsUserIsNotTheNextUsers) {
  Guarded g;
  const std::string token = g.make_key("k1");
  const auto keys = find_security_table<ApiKey>(*g.server->database->catalog());
  const auto row = *keys.get(*g.server->database, DocumentKey::of("k1"));
  ASSERT_TRUE(row);
  const Value kept = row->content;
  g.ask("security:deleteUser", R"("_id":"u1")");
  g.make_user("u1");
  put_key(*g.server->database, "k1", kept);
  EXPECT_EQ(g.get_with(token), 401);
  EXPECT_EQ(g.get_with(g.make_key("k2")), let_in);
}

TEST(KuzzleApiKeyTest, ATokenWithoutTheCreationTimeOfItsUserIsValid) {
  Guarded g;
  const Bytes secret = *make_signing_key(*g.server->database);
  const std::string token = "kapikey-" + *sign_jwt(R"({"_id":"u1","key":"old"})", secret);
  EXPECT_EQ(g.get_with(token), 401);
  put_key(*g.server->database, "old",
          Object{{"userId", "u1"}, {"fingerprint", encode_hex(sha256(token))}});
  EXPECT_EQ(g.get_with(token), let_in);
}

TEST(KuzzleApiKeyTest, AUserSeesOnlyItsOwnKeys) {
  Guarded g;
  g.make_user("u2");
  const std::string token = g.make_key("k1");
  const auto as_u1 = [&](const std::string& what, const std::string& more) {
    return g.server->call("auth:" + what, more + "," + by(token));
  };
  const Answer made = as_u1("createApiKey", R"("body":{"description":"mine"})");
  EXPECT_EQ(made.text("result._source.userId"), R"("u1")");
  EXPECT_EQ(as_u1("searchApiKeys", R"("body":{})").text("result.total"), "2");
  EXPECT_EQ(as_u1("searchApiKeys", R"("body":{"match":{"description":"mine"}})")
                .text("result.hits[0]._id"),
            made.text("result._id"));
  EXPECT_EQ(as_u1("searchApiKeys", R"("lang":"koncorde","body":{"equals":{"description":"mine"}})")
                .text("result.total"),
            "1");
  g.ask("security:createApiKey", R"("userId":"u2","_id":"k2","body":{"description":"x"})");
  EXPECT_EQ(as_u1("deleteApiKey", R"("_id":"k2")").status, 404);
  EXPECT_EQ(as_u1("deleteApiKey", R"("_id":"k1")").result(), R"({"_id":"k1"})");
  EXPECT_EQ(as_u1("searchApiKeys", R"("body":{})").status, 401);
  EXPECT_EQ(g.server->call("auth:createApiKey", R"("body":{"description":"x"})").status, 401);
}

TEST(KuzzleApiKeyTest, ATokenWithoutItsPrefixOrWithAnotherSignatureIsNone) {
  Guarded g;
  const std::string token = g.make_key("k1", R"(,"expiresIn":"1h")");
  EXPECT_EQ(g.get_with(token.substr(std::string("kapikey-").size())), 401);
  std::string forged = token;
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(g.get_with(forged), 401);
  EXPECT_EQ(g.get_with("kapikey-"), 401);
  // The token of a login is no key.
  EXPECT_EQ(g.get_with("kapikey-" + g.boss.substr(7, g.boss.size() - 8)), 401);
  const auto check = [&](const std::string& checked) {
    return g.server->call("auth:checkToken", R"("body":{"token":")" + checked + R"("})").result();
  };
  EXPECT_EQ(check(forged), R"({"valid":false,"state":"Json Web Token Error"})");
  EXPECT_EQ(check(g.make_key("k2")), R"({"valid":true,"expiresAt":-1,"kuid":"u1"})");
  EXPECT_EQ(g.server->call("auth:refreshToken", by(token)).status, 403);
  EXPECT_EQ(g.server->call("auth:logout", by(token)).status, 200);
  EXPECT_EQ(g.get_with(token), let_in);
  g.server->restart();
  EXPECT_EQ(g.get_with(token), let_in);
}

TEST(KuzzleApiKeyTest, RightsCanBeCheckedInAdvance) {
  Guarded g;
  const auto may = [&](const std::string& action) {
    return g
        .ask("security:checkRights",
             R"("userId":"u1","body":{"controller":"document","action":")" + action + R"("})")
        .result();
  };
  EXPECT_EQ(may("get"), R"({"allowed":true})");
  EXPECT_EQ(may("delete"), R"({"allowed":false})");
  const std::string token = g.make_key("k1");
  EXPECT_EQ(g.server
                ->call("auth:checkRights",
                       R"("body":{"controller":"index","action":"create"},)" + by(token))
                .result(),
            R"({"allowed":false})");
  EXPECT_EQ(g.ask("security:checkRights", R"("userId":"u1","body":{"action":"get"})").status, 400);
  EXPECT_EQ(g.ask("security:checkRights", R"("userId":"no","body":{"controller":"a","action":"b"})")
                .status,
            404);
}

}  // namespace
}  // namespace mayfly::kuzzle
