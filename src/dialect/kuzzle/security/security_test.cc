// Authentication and authorization.
#include <gtest/gtest.h>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::at_second;
using testing::by;
using testing::ids_of;
using testing::meta;
using testing::Server;
using testing::start_millis;
using testing::v7;

const std::string credentials = Server::credentials_of("boss", "a secret");

// With an administrator; other clients have no rights.
std::unique_ptr<Server> with_admin() {
  auto s = Server::with_collection();
  const Answer made = s->make_admin("admin", "boss", "a secret");
  EXPECT_EQ(made.status, 200) << made.error();
  EXPECT_EQ(made.text("result._source"), R"({"name":"b","profileIds":["admin"]})");
  return s;
}

TEST(KuzzleSecurityTest, BeforeThereIsAnAdministratorEveryClientMayDoEverything) {
  const auto s = Server::with_collection();
  EXPECT_EQ(s->call("server:adminExists").result(), R"({"exists":false})");
  EXPECT_EQ(s->call("auth:getCurrentUser").text("result._id"), R"("-1")");
  EXPECT_EQ(s->call("auth:getMyRights").text("result.hits[0].value"), R"("allowed")");
  EXPECT_EQ(s->of("document:create", "d1", "{}").status, 200);
}

TEST(KuzzleSecurityTest, TheFirstAdministratorRestrictsTheOthers) {
  const auto s = with_admin();
  EXPECT_EQ(s->call("server:adminExists").status, 403);
  const Answer refused = s->of("document:get", "d1");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(), R"("Unauthorized action [idx/col/document/get] for anonymous user")");
  const std::string everything = R"("body":{})";
  EXPECT_EQ(s->call("document:search", everything).status, 403);
  EXPECT_EQ(s->call("document:search", everything).error(),
            R"("Unauthorized action [idx/col/document/search] for anonymous user")");
  s->client = v7;
  EXPECT_EQ(s->of("document:get", "d1").status, 401);
  EXPECT_EQ(s->call("document:search", everything).status, 401);
  EXPECT_EQ(s->of("document:get", "d1").text("error.id"), R"("security.rights.unauthorized")");
  s->client.clear();
  const std::string token = s->log_in("boss", "a secret");
  EXPECT_EQ(s->of("document:create", "d1", "{}", by(token)).text("result._meta.author"),
            R"("admin")");
  EXPECT_EQ(ids_of(s->call("document:search", everything + "," + by(token))), "d1");
  EXPECT_EQ(s->call("server:adminExists", by(token)).result(), R"({"exists":true})");
  EXPECT_EQ(s->http("GET", "/idx/col/d1", "", {{"authorization", "Bearer " + token}}).status, 200);
  EXPECT_EQ(
      s->of("security:createFirstAdmin", "x", R"({"content":{},)" + credentials + "}", by(token))
          .status,
      400);
  EXPECT_EQ(s->call("index:list", by(token)).result(), R"({"indexes":["idx"]})");
}

TEST(KuzzleSecurityTest, ATokenIsWhatClientsReadItAs) {
  const auto s = with_admin();
  const std::string token = s->log_in("boss", "a secret", R"(,"expiresIn":"2s")");
  const auto first = token.find('.');
  const auto claims =
      *parse_json(*decode_base64url(token.substr(first + 1, token.rfind('.') - first - 1)));
  EXPECT_EQ(claims.member("_id").text(), "admin");
  const std::int64_t ends = claims.member("exp").integer();
  EXPECT_GE(ends, start_millis / 1'000 + 2);
  EXPECT_LE(ends, start_millis / 1'000 + 3);
  const auto check = [&](const std::string& checked) {
    const Answer reply = s->call("auth:checkToken", R"("body":{"token":")" + checked + R"("})");
    EXPECT_EQ(reply.status, 200) << checked;
    return reply.result();
  };
  EXPECT_EQ(check(token), R"({"valid":true,"expiresAt":)" + std::to_string(ends * 1'000) + "}");
  EXPECT_EQ(check("garbage"), R"({"valid":false,"state":"Json Web Token Error"})");
  s->advance(3'000);
  EXPECT_EQ(check(token), R"({"valid":false,"state":"Token expired"})");
  const Answer late = s->of("document:get", "d1", "", by(token));
  EXPECT_EQ(late.status, 401);
  EXPECT_EQ(late.error(), R"("Token expired")");
  s->client = v7;
  EXPECT_EQ(check(token), R"({"valid":false,"state":"Token expired"})");
  EXPECT_EQ(s->call("auth:checkToken", R"("body":{})").result(),
            R"({"valid":true,"kuid":"-1","expiresAt":-1})");
}

TEST(KuzzleSecurityTest, ATokenOfAnImpossibleUserIsLikeOneOfAMissingUser) {
  const auto s = with_admin();
  const Bytes key = *make_signing_key(*s->database);
  const std::string long_id(limits::document_id_bytes_max + 1, 'x');
  for (const std::string& id :
       {std::string("nobody"), std::string(), long_id, std::string(1, '\0')}) {
    const Object claims{{"_id", id}, {"exp", start_millis / 1'000 + 60}};
    const std::string token = *sign_jwt(render_json(Value(claims)), key);
    const Answer refused = s->call("auth:getCurrentUser", by(token));
    EXPECT_EQ(refused.status, 401) << id.size();
    EXPECT_EQ(refused.error(), R"("Invalid token")");
    const Answer reply = s->call("auth:checkToken", R"("body":{"token":")" + token + R"("})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.result(), R"({"valid":false,"state":"Invalid token"})");
    s->client = v7;
    EXPECT_EQ(s->call("auth:getCurrentUser", by(token)).text("error.id"),
              R"("security.token.invalid")");
    s->client.clear();
  }
}

TEST(KuzzleSecurityTest, NothingIsSignedWithAKeyThatCannotBeRead) {
  const auto s = with_admin();
  const std::string token = s->log_in("boss", "a secret");
  const CollectionPtr kept = *security_collection(*s->database, secrets);
  const auto login = R"("strategy":"local","body":{"username":"boss","password":"a secret"})";
  for (const Value& damaged :
       {Value(1), Value(""), Value("AA"), Value("no base64url: !"), Value()}) {
    const Bytes row = *pack(damaged.is_missing() ? Object{} : Object{{"key", damaged}});
    EXPECT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(kept, DocumentKey::of("jwt"), row, {}));
      return {};
    }));
    EXPECT_EQ(s->call("auth:login", login).status, 500);
    EXPECT_EQ(s->call("auth:getCurrentUser", by(token)).status, 401);
    EXPECT_EQ(make_signing_key(*s->database).error().code, Code::corrupt);
  }
}

TEST(KuzzleSecurityTest, AnUnreadablePasswordCanBeReplaced) {
  const auto s = with_admin();
  const std::string token = s->log_in("boss", "a secret");
  const CollectionPtr kept = *security_collection(*s->database, passwords);
  EXPECT_TRUE(s->database->transact([&](Transaction& transaction) -> Result<void> {
    const Bytes row = TRY(pack(Object{{"kuid", "admin"}, {"hash", 7}}));
    TRY(transaction.put(kept, DocumentKey::of("boss"), row, {}));
    return {};
  }));
  const auto login = [&](const std::string& password) {
    return s
        ->call("auth:login",
               R"("strategy":"local","body":{"username":"boss","password":")" + password + R"("})")
        .status;
  };
  EXPECT_EQ(login("a secret"), 401);
  EXPECT_EQ(login(""), 401);
  const Answer changed =
      s->call("security:updateCredentials", by(token) + R"(,"strategy":"local","_id":"admin",)"
                                                        R"("body":{"password":"another"})");
  EXPECT_EQ(changed.status, 200) << changed.error();
  EXPECT_EQ(login("another"), 200);
}

TEST(KuzzleSecurityTest, OnlyTheRightPasswordLogsIn) {
  const auto s = with_admin();
  const auto attempt = [&](const std::string& more) { return s->call("auth:login", more); };
  const Answer wrong =
      attempt(R"("strategy":"local","body":{"username":"boss","password":"guess"})");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(wrong.error(), R"("wrong username or password")");
  EXPECT_EQ(
      attempt(R"("strategy":"local","body":{"username":"nobody","password":"a secret"})").status,
      401);
  const std::string impossible(limits::document_id_bytes_max + 1, 'x');
  EXPECT_EQ(attempt(R"("strategy":"local","body":{"username":")" + impossible +
                    R"(","password":"a secret"})")
                .status,
            401);
  EXPECT_EQ(attempt(R"("body":{})").error(),
            R"("The request must specify an attribute \"strategy\".")");
  EXPECT_EQ(attempt(R"("strategy":"oauth","body":{})").error(),
            R"("Unknown authentication strategy \"oauth\"")");
}

TEST(KuzzleSecurityTest, ARevokedTokenIsNotValid) {
  const auto s = with_admin();
  const std::string first = s->log_in("boss", "a secret");
  const Answer renewed = s->call("auth:refreshToken", by(first));
  ASSERT_EQ(renewed.status, 200);
  const std::string second = renewed["result.jwt"].text();
  EXPECT_EQ(s->call("auth:getCurrentUser", by(first)).status, 401);
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).text("result._id"), R"("admin")");
  EXPECT_EQ(s->call("auth:logout", by(second)).result(), R"({"acknowledged":true})");
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).error(), R"("Invalid token")");
  // A restart forgets neither the signing key nor revoked tokens.
  const std::string third = s->log_in("boss", "a secret");
  s->restart();
  EXPECT_EQ(s->call("auth:getCurrentUser", by(third)).status, 200);
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).status, 401);
}

TEST(KuzzleSecurityTest, UsersHaveTheRightsOfTheirProfilesRoles) {
  const auto s = with_admin();
  const std::string admin = by(s->log_in("boss", "a secret"));
  const std::string reads = R"({"controllers":{"document":{"actions":{"get":true,"search":true}},)"
                            R"("auth":{"actions":{"*":true}}}})";
  EXPECT_EQ(s->of("security:createRole", "reads", reads, admin).status, 200);
  const std::string here =
      R"({"policies":[{"roleId":"reads","restrictedTo":[{"index":"idx","collections":["col"]}]}]})";
  EXPECT_EQ(s->of("security:createProfile", "readers", here, admin).status, 200);
  s->make_user("u1", "readers", "eve", admin);
  s->of("document:create", "d1", "{}", admin);
  const std::string eve = by(s->log_in("eve", "pw"));
  EXPECT_EQ(s->of("document:get", "d1", "", eve).status, 200);
  const Answer refused = s->of("document:delete", "d1", "", eve);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(), R"("Forbidden action [idx/col/document/delete] for user u1")");
  const Answer elsewhere = s->send(
      R"("controller":"document","action":"get","index":"idx","collection":"x","_id":"d1",)" + eve);
  EXPECT_EQ(elsewhere.status, 403);
  EXPECT_EQ(s->call("auth:getMyRights", eve).text("result.total"), "3");
  EXPECT_EQ(s->call("auth:updateSelf", R"("body":{"name":"Eve"},)" + eve).text("result._source"),
            R"({"profileIds":["readers"],"name":"Eve"})");
  EXPECT_EQ(s->call("auth:updateSelf", R"("body":{"profileIds":["admin"]},)" + eve).status, 400);
  EXPECT_EQ(s->call("auth:getMyCredentials", R"("strategy":"local",)" + eve).result(),
            R"({"username":"eve","kuid":"u1"})");
  EXPECT_EQ(s->call("security:searchUsers", R"("body":{},)" + admin).text("result.total"), "2");
  EXPECT_EQ(s->call("security:searchProfiles", R"("body":{"roles":["reads"]},)" + admin)
                .text("result.hits[0]._id"),
            R"("readers")");
  EXPECT_EQ(s->of("security:deleteUser", "u1", "", admin).result(), R"({"_id":"u1"})");
  EXPECT_EQ(s->of("document:get", "d1", "", eve).error(), R"("Invalid token")");
  EXPECT_EQ(s->of("security:getUser", "u1", "", admin).status, 404);
}

TEST(KuzzleSecurityTest, CredentialsAreChangedAndTakenAway) {
  const auto s = with_admin();
  const std::string boss = by(s->log_in("boss", "a secret"));
  s->of("security:createUser", "u2", R"({"content":{"profileIds":["default"]}})", boss);
  const auto credentials_of = [&](const std::string& action, const std::string& body = "") {
    return s->of("security:" + action, "u2", body, R"("strategy":"local",)" + boss);
  };
  EXPECT_EQ(credentials_of("hasCredentials").result(), "false");
  EXPECT_EQ(credentials_of("getCredentials").status, 404);
  EXPECT_EQ(credentials_of("updateCredentials", R"({"password":"pw"})").status, 404);
  EXPECT_EQ(credentials_of("createCredentials", R"({"username":"two","password":"pw"})").result(),
            R"({"username":"two","kuid":"u2"})");
  EXPECT_EQ(credentials_of("createCredentials", R"({"username":"b","password":"c"})").status, 400);
  const std::string two = by(s->log_in("two", "pw"));
  EXPECT_EQ(credentials_of("updateCredentials", R"({"username":"zwei"})").result(),
            R"({"username":"zwei","kuid":"u2"})");
  EXPECT_FALSE(s->log_in("zwei", "pw").empty());
  EXPECT_EQ(credentials_of("deleteCredentials").result(), R"({"acknowledged":true})");
  EXPECT_EQ(credentials_of("hasCredentials").result(), "false");
  EXPECT_EQ(
      s->call("auth:login", R"("strategy":"local","body":{"username":"zwei","password":"pw"})")
          .status,
      401);
}

TEST(KuzzleSecurityTest, NoActionLeadsAroundARestriction) {
  const auto s = with_admin();
  const std::string boss = by(s->log_in("boss", "a secret"));
  s->send(R"("controller":"index","action":"create","index":"other",)" + boss);
  s->of("security:createRole", "all", R"({"controllers":{"*":{"actions":{"*":true}}}})", boss);
  s->of("security:createProfile", "here",
        R"({"policies":[{"roleId":"all","restrictedTo":[{"index":"idx"}]}]})", boss);
  s->make_user("u2", "here", "two", boss);
  const std::string two = by(s->log_in("two", "pw"));
  EXPECT_EQ(s->call("bulk:import", R"("body":{"bulkData":[{"index":{}},{}]},)" + two).status, 200);
  const Answer bulk =
      s->call("bulk:import",
              R"("body":{"bulkData":[{"index":{"_index":"other","_type":"col"}},{}]},)" + two);
  EXPECT_EQ(bulk.status, 403);
  const Answer dropped =
      s->send(R"("controller":"index","action":"mDelete","body":{"indexes":["other"]},)" + two);
  EXPECT_EQ(dropped.status, 403);
  const Answer inside =
      s->send(R"("controller":"document","action":"get","index":"%kuzzle","collection":"users",)"
              R"("_id":"admin",)" +
              boss);
  EXPECT_EQ(inside.status, 400);
}

// Two connected clients, each sending requests with a token.
class SecurityListener {
 public:
  explicit SecurityListener(Server& server)
      : recorder_(std::make_shared<testing::RecordingClient>()) {
    conversation_ = server.open_conversation(recorder_);
  }
  Answer send(const std::string& members) {
    conversation_->receive("{" + members + "}");
    conversation_->answer(Instant::never());
    return Server::answer_in(recorder_->received.back());
  }

 private:
  const std::shared_ptr<testing::RecordingClient> recorder_;
  std::unique_ptr<net::Conversation> conversation_;
};

TEST(KuzzleSecurityTest, ARoomIsJoinedOnlyByUsersWhoMaySubscribeThere) {
  const auto s = with_admin();
  const std::string boss = by(s->log_in("boss", "a secret"));
  s->of("security:createRole", "listens", R"({"controllers":{"realtime":{"actions":{"*":true}}}})",
        boss);
  s->of(
      "security:createProfile", "here",
      R"({"policies":[{"roleId":"listens","restrictedTo":[{"index":"idx","collections":["col"]}]}]})",
      boss);
  s->make_user("u2", "here", "two", boss);
  const std::string two = by(s->log_in("two", "pw"));
  SecurityListener admin(*s);
  SecurityListener user(*s);
  const auto room_of = [&](const std::string& collection) {
    return admin
        .send(R"("controller":"realtime","action":"subscribe","index":"idx","collection":")" +
              collection + R"(","body":{},)" + boss)
        .text("result.roomId");
  };
  const auto ask = [&](const std::string& action, const std::string& room) {
    return user.send(R"("controller":"realtime","action":")" + action + R"(","body":{"roomId":)" +
                     room + "}," + two);
  };
  const std::string here = room_of("col");
  const std::string elsewhere = room_of("other");
  EXPECT_EQ(ask("join", here).status, 200);
  EXPECT_EQ(ask("count", here).result(), R"({"count":2})");
  const Answer refused = ask("join", elsewhere);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(), R"("Forbidden action [idx/other/realtime/join] for user u2")");
  EXPECT_EQ(ask("count", elsewhere).status, 403);
  EXPECT_EQ(ask("join", R"("nowhere")").status, 404);
}

TEST(KuzzleSecurityTest, MetadataNameTheAuthor) {
  const auto s = with_admin();
  const std::string boss = by(s->log_in("boss", "a secret"));
  s->make_user("u2", "admin", "two", boss);
  const std::string two = by(s->log_in("two", "pw"));
  const std::string admin = R"("admin")";
  const std::string u2 = R"("u2")";
  const auto got = [&](const std::string& part) {
    return s->of("document:get", "d1", "", boss + R"(,"includeTrash":true)").text("result." + part);
  };
  s->of("document:create", "d1", R"({"a":1})", boss);
  EXPECT_EQ(got("_meta"), meta(admin, 0, "null", "null"));
  s->advance(1'000);
  const Answer updated = s->of("document:update", "d1", R"({"b":2})", two);
  EXPECT_EQ(updated.status, 200);
  EXPECT_EQ(updated.text("result._version"), "2");
  EXPECT_EQ(got("_meta"), meta(admin, 0, at_second(1), u2));
  s->advance(1'000);
  EXPECT_EQ(s->of("document:replace", "d1", R"({"z":1})", two).status, 200);
  EXPECT_EQ(got("_source"), R"({"z":1})");
  EXPECT_EQ(got("_meta"), meta(u2, 2, at_second(2), u2));
  s->advance(1'000);
  s->of("document:delete", "d1", "", boss);
  EXPECT_EQ(got("_meta"), meta(u2, 2, at_second(2), admin, testing::trashed_at_second(3)));
  s->of("document:createOrReplace", "d1", "{}", boss);
  EXPECT_EQ(got("_meta"), meta(admin, 3, at_second(3), admin));
}

TEST(KuzzleSecurityTest, DocumentsAreFoundByAuthor) {
  const auto s = with_admin();
  const std::string boss = by(s->log_in("boss", "a secret"));
  s->make_user("u2", "admin", "two", boss);
  const std::string two = by(s->log_in("two", "pw"));
  s->of("document:create", "d1", "{}", boss);
  s->of("document:create", "d2", "{}", two);
  s->of("document:create", "d3", "{}", boss);
  s->of("document:update", "d3", "{}", two);
  const auto found = [&](const std::string& fact, const std::string& who) {
    return ids_of(s->call("document:search", R"("body":{"query":{"term":{")" + fact + R"(":")" +
                                                 who + R"("}}},)" + boss));
  };
  for (const std::string root : {"_meta", "_kuzzle_info"}) {
    EXPECT_EQ(found(root + ".author", "u2"), "d2");
    EXPECT_EQ(found(root + ".author", "admin"), "d1 d3");
    EXPECT_EQ(found(root + ".updater", "u2"), "d3");
  }
}

TEST(KuzzleSecurityTest, ANameThatIsTakenMakesNoUser) {
  const auto s = with_admin();
  const std::string admin = by(s->log_in("boss", "a secret"));
  const Answer made = s->of("security:createUser", "u2",
                            R"({"content":{"profileIds":["default"]},)" + credentials + "}", admin);
  EXPECT_EQ(made.status, 400);
  EXPECT_EQ(s->of("security:getUser", "u2", "", admin).status, 404);
  EXPECT_FALSE(s->log_in("boss", "a secret").empty());
}

}  // namespace
}  // namespace mayfly::kuzzle
