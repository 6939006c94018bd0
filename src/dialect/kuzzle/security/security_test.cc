// Who asks, and what he may.
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::Server;
using testing::start_millis;
using testing::v7;

const std::string credentials =
    R"("credentials":{"local":{"username":"boss","password":"a secret"}})";

std::string log_in(Server& s, const std::string& name, const std::string& password,
                   const std::string& more = "") {
  const Answer answer = s.call("auth:login", R"("strategy":"local","body":{"username":")" + name +
                                                 R"(","password":")" + password + R"("})" + more);
  EXPECT_EQ(answer.status, 200) << answer.error();
  const Value token = answer["result.jwt"];
  return token.is(Kind::text) ? token.text() : "";
}
std::string by(const std::string& token) {
  return R"("jwt":")" + token + '"';
}

// With an administrator, who leaves nothing to the others.
std::unique_ptr<Server> with_admin() {
  auto s = Server::with_collection();
  const Answer made = s->of("security:createFirstAdmin", "admin",
                            R"({"content":{"name":"b"},)" + credentials + "}", R"("reset":true)");
  EXPECT_EQ(made.status, 200) << made.error();
  EXPECT_EQ(made.text("result._source"), R"({"name":"b","profileIds":["admin"]})");
  return s;
}

TEST(KuzzleSecurityTest, BeforeThereIsAnAdministratorEverybodyMayDoEverything) {
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
  s->client = v7;
  EXPECT_EQ(s->of("document:get", "d1").status, 401);
  EXPECT_EQ(s->of("document:get", "d1").text("error.id"), R"("security.rights.unauthorized")");
  s->client.clear();
  const std::string token = log_in(*s, "boss", "a secret");
  EXPECT_EQ(s->of("document:create", "d1", "{}", by(token)).text("result._meta.author"),
            R"("admin")");
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
  const std::string token = log_in(*s, "boss", "a secret", R"(,"expiresIn":"2s")");
  const auto first = token.find('.');
  const auto claims =
      *parse_json(*decode_base64url(token.substr(first + 1, token.rfind('.') - first - 1)));
  EXPECT_EQ(claims.member("_id").text(), "admin");
  const std::int64_t ends = claims.member("exp").integer();
  EXPECT_GE(ends, start_millis / 1'000 + 2);
  EXPECT_LE(ends, start_millis / 1'000 + 3);
  const auto check = [&](const std::string& checked) {
    return s->call("auth:checkToken", R"("body":{"token":")" + checked + R"("})").result();
  };
  EXPECT_EQ(check(token), R"({"valid":true,"expiresAt":)" + std::to_string(ends * 1'000) + "}");
  EXPECT_EQ(check("garbage"), R"({"valid":false,"state":"Json Web Token Error"})");
  s->advance(3'000);
  EXPECT_EQ(check(token), R"({"valid":false,"state":"Token expired"})");
  const Answer late = s->of("document:get", "d1", "", by(token));
  EXPECT_EQ(late.status, 401);
  EXPECT_EQ(late.error(), R"("Token expired")");
  s->client = v7;
  EXPECT_EQ(s->call("auth:checkToken", R"("body":{})").result(),
            R"({"valid":true,"kuid":"-1","expiresAt":-1})");
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
  EXPECT_EQ(attempt(R"("body":{})").error(),
            R"("The request must specify an attribute \"strategy\".")");
  EXPECT_EQ(attempt(R"("strategy":"oauth","body":{})").error(),
            R"("Unknown authentication strategy \"oauth\"")");
}

TEST(KuzzleSecurityTest, ATokenThatIsGivenBackCountsNoMore) {
  const auto s = with_admin();
  const std::string first = log_in(*s, "boss", "a secret");
  const Answer renewed = s->call("auth:refreshToken", by(first));
  ASSERT_EQ(renewed.status, 200);
  const std::string second = renewed["result.jwt"].text();
  EXPECT_EQ(s->call("auth:getCurrentUser", by(first)).status, 401);
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).text("result._id"), R"("admin")");
  EXPECT_EQ(s->call("auth:logout", by(second)).result(), R"({"acknowledged":true})");
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).error(), R"("Invalid token")");
  // A restart forgets neither the key nor what was given back.
  const std::string third = log_in(*s, "boss", "a secret");
  s->restart();
  EXPECT_EQ(s->call("auth:getCurrentUser", by(third)).status, 200);
  EXPECT_EQ(s->call("auth:getCurrentUser", by(second)).status, 401);
}

TEST(KuzzleSecurityTest, UsersMayWhatTheRolesOfTheirProfilesSay) {
  const auto s = with_admin();
  const std::string admin = by(log_in(*s, "boss", "a secret"));
  const std::string reads = R"({"controllers":{"document":{"actions":{"get":true,"search":true}},)"
                            R"("auth":{"actions":{"*":true}}}})";
  EXPECT_EQ(s->of("security:createRole", "reads", reads, admin).status, 200);
  const std::string here =
      R"({"policies":[{"roleId":"reads","restrictedTo":[{"index":"idx","collections":["col"]}]}]})";
  EXPECT_EQ(s->of("security:createProfile", "readers", here, admin).status, 200);
  const Answer made = s->of("security:createUser", "u1",
                            R"({"content":{"profileIds":["readers"]},)"
                            R"("credentials":{"local":{"username":"eve","password":"pw"}}})",
                            admin);
  EXPECT_EQ(made.status, 200) << made.error();
  s->of("document:create", "d1", "{}", admin);
  const std::string eve = by(log_in(*s, "eve", "pw"));
  EXPECT_EQ(s->of("document:get", "d1", "", eve).status, 200);
  const Answer refused = s->of("document:delete", "d1", "", eve);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error(), R"("Forbidden action [idx/col/document/delete] for user u1")");
  const Answer elsewhere = s->say(
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
  const std::string boss = by(log_in(*s, "boss", "a secret"));
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
  const std::string two = by(log_in(*s, "two", "pw"));
  EXPECT_EQ(credentials_of("updateCredentials", R"({"username":"zwei"})").result(),
            R"({"username":"zwei","kuid":"u2"})");
  EXPECT_FALSE(log_in(*s, "zwei", "pw").empty());
  EXPECT_EQ(credentials_of("deleteCredentials").result(), R"({"acknowledged":true})");
  EXPECT_EQ(credentials_of("hasCredentials").result(), "false");
  EXPECT_EQ(
      s->call("auth:login", R"("strategy":"local","body":{"username":"zwei","password":"pw"})")
          .status,
      401);
}

TEST(KuzzleSecurityTest, NoActionLeadsAroundARestriction) {
  const auto s = with_admin();
  const std::string boss = by(log_in(*s, "boss", "a secret"));
  s->say(R"("controller":"index","action":"create","index":"other",)" + boss);
  s->of("security:createRole", "all", R"({"controllers":{"*":{"actions":{"*":true}}}})", boss);
  s->of("security:createProfile", "here",
        R"({"policies":[{"roleId":"all","restrictedTo":[{"index":"idx"}]}]})", boss);
  s->of("security:createUser", "u2",
        R"({"content":{"profileIds":["here"]},)"
        R"("credentials":{"local":{"username":"two","password":"pw"}}})",
        boss);
  const std::string two = by(log_in(*s, "two", "pw"));
  EXPECT_EQ(s->call("bulk:import", R"("body":{"bulkData":[{"index":{}},{}]},)" + two).status, 200);
  const Answer bulk =
      s->call("bulk:import",
              R"("body":{"bulkData":[{"index":{"_index":"other","_type":"col"}},{}]},)" + two);
  EXPECT_EQ(bulk.status, 403);
  const Answer dropped =
      s->say(R"("controller":"index","action":"mDelete","body":{"indexes":["other"]},)" + two);
  EXPECT_EQ(dropped.status, 403);
  const Answer inside =
      s->say(R"("controller":"document","action":"get","index":"%kuzzle","collection":"users",)"
             R"("_id":"admin",)" +
             boss);
  EXPECT_EQ(inside.status, 400);
}

// Two clients that stay connected, each asking on behalf of a token.
class Listener {
 public:
  explicit Listener(Server& server) : ear_(std::make_shared<testing::Ear>()) {
    net::Request upgrade{.method = "GET", .target = "/", .path = "/"};
    upgrade.headers = {{"upgrade", "websocket"}};
    talk_ = server.dialect->answer(upgrade).conversation(ear_);
  }
  Answer say(const std::string& members) {
    talk_->receive("{" + members + "}");
    talk_->answer(Instant::never());
    Answer answer{.body = *parse_json(ear_->heard.back())};
    answer.status = static_cast<int>(answer.body.member("status").integer());
    return answer;
  }

 private:
  const std::shared_ptr<testing::Ear> ear_;
  std::unique_ptr<net::Conversation> talk_;
};

TEST(KuzzleSecurityTest, ARoomIsJoinedByThoseAloneWhoMayListenThere) {
  const auto s = with_admin();
  const std::string boss = by(log_in(*s, "boss", "a secret"));
  s->of("security:createRole", "listens", R"({"controllers":{"realtime":{"actions":{"*":true}}}})",
        boss);
  s->of(
      "security:createProfile", "here",
      R"({"policies":[{"roleId":"listens","restrictedTo":[{"index":"idx","collections":["col"]}]}]})",
      boss);
  s->of("security:createUser", "u2",
        R"({"content":{"profileIds":["here"]},)"
        R"("credentials":{"local":{"username":"two","password":"pw"}}})",
        boss);
  const std::string two = by(log_in(*s, "two", "pw"));
  Listener admin(*s);
  Listener user(*s);
  const auto room_of = [&](const std::string& collection) {
    return admin
        .say(R"("controller":"realtime","action":"subscribe","index":"idx","collection":")" +
             collection + R"(","body":{},)" + boss)
        .text("result.roomId");
  };
  const auto ask = [&](const std::string& action, const std::string& room) {
    return user.say(R"("controller":"realtime","action":")" + action + R"(","body":{"roomId":)" +
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

TEST(KuzzleSecurityTest, MetadataTellWhoWroteWhat) {
  const auto s = with_admin();
  const std::string boss = by(log_in(*s, "boss", "a secret"));
  const auto made = s->of("security:createUser", "u2",
                          R"({"content":{"profileIds":["admin"]},)"
                          R"("credentials":{"local":{"username":"two","password":"pw"}}})",
                          boss);
  EXPECT_EQ(made.status, 200) << made.error();
  const std::string two = by(log_in(*s, "two", "pw"));
  s->of("document:create", "d1", R"({"a":1})", boss);
  EXPECT_EQ(s->of("document:update", "d1", R"({"b":2})", two).status, 200);
  const auto meta = [&](const std::string& name) {
    return s->of("document:get", "d1", "", boss + R"(,"includeTrash":true)")
        .text("result._meta." + name);
  };
  EXPECT_EQ(meta("author"), R"("admin")");
  EXPECT_EQ(meta("updater"), R"("u2")");
  EXPECT_EQ(s->of("document:replace", "d1", "{}", two).text("result._meta.author"), R"("u2")");
  s->of("document:delete", "d1", "", boss);
  EXPECT_EQ(meta("author"), R"("u2")");
  EXPECT_EQ(meta("updater"), R"("admin")");
  EXPECT_EQ(
      s->call("document:search",
              R"("includeTrash":true,"body":{"query":{"term":{"_meta.author":"u2"}}},)" + boss)
          .text("result.total"),
      "1");
  s->of("document:create", "d1", "{}", boss);
  EXPECT_EQ(meta("author"), R"("admin")");
}

TEST(KuzzleSecurityTest, ANameThatIsTakenMakesNoUser) {
  const auto s = with_admin();
  const std::string admin = by(log_in(*s, "boss", "a secret"));
  const Answer made = s->of("security:createUser", "u2",
                            R"({"content":{"profileIds":["default"]},)" + credentials + "}", admin);
  EXPECT_EQ(made.status, 400);
  EXPECT_EQ(s->of("security:getUser", "u2", "", admin).status, 404);
  EXPECT_FALSE(log_in(*s, "boss", "a secret").empty());
}

}  // namespace
}  // namespace mayfly::kuzzle
