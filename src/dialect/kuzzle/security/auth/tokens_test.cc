// Tokens that a client creates besides its login, and those that its browser keeps as a cookie.
#include <gtest/gtest.h>
#include <zlib.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;

class KuzzleTokensTest : public ::testing::Test {
 protected:
  KuzzleTokensTest() {
    EXPECT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
    boss = by(s->log_in("boss", "pw"));
  }
  std::string header(const std::string& name) const {
    for (const auto& [known, value] : s->response.headers) {
      if (known == name) return value;
    }
    return "";
  }
  // The token in the cookie that the last answer has set.
  std::string cookie() const {
    const std::string set = header("Set-Cookie");
    return set.substr(0, set.find(';'));
  }
  std::string whoami(const std::string& cookie) {
    return s->http("GET", "/users/_me", "", {{"cookie", cookie}}).text("result._id");
  }
  const std::unique_ptr<Server> s = Server::with_collection();
  const std::string login = R"({"username":"boss","password":"pw"})";
  std::string boss;
};

TEST_F(KuzzleTokensTest, ATokenIsMadeForTheCaller) {
  const Answer made = s->call("auth:createToken", boss + R"(,"expiresIn":60000)");
  EXPECT_EQ(made.text("result.singleUse"), "false") << made.error();
  EXPECT_EQ(made.text("result.ttl"), "60000");
  EXPECT_EQ(made.text("result.expiresAt"), testing::at_second(61));
  const std::string token = by(made["result.token"].text());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(s->call("auth:getCurrentUser", token).text("result._id"), R"("boss")");
  }
  s->advance(61'000);
  EXPECT_EQ(s->call("auth:getCurrentUser", token).status, 401);
  EXPECT_EQ(s->call("auth:createToken").status, 403) << "it is for users";
  EXPECT_EQ(s->call("auth:createToken", boss + R"(,"expiresIn":-1)").status, 400)
      << "it would never end";
}

TEST_F(KuzzleTokensTest, ASingleUseTokenIsValidForOneRequest) {
  const auto make = [&] {
    const Answer made = s->call("auth:createToken", boss + R"(,"singleUse":true)");
    EXPECT_EQ(made.text("result.singleUse"), "true") << made.error();
    return made["result.token"].text();
  };
  const std::string token = make();
  const Answer known = s->call("auth:checkToken", R"("body":{"token":")" + token + R"("})");
  EXPECT_EQ(known.text("result.valid"), "true") << "that it is looked at is no use of it";
  EXPECT_EQ(s->call("auth:getCurrentUser", by(token)).text("result._id"), R"("boss")");
  EXPECT_EQ(s->call("auth:getCurrentUser", by(token)).status, 401);
  // It creates nothing that outlives it.
  EXPECT_EQ(s->call("auth:createToken", by(make())).status, 403);
  EXPECT_EQ(s->call("auth:refreshToken", by(make())).status, 403);
  // A failed request uses it up, too.
  const std::string other = make();
  EXPECT_EQ(s->of("document:get", "none", "", by(other)).status, 404);
  EXPECT_EQ(s->call("auth:getCurrentUser", by(other)).status, 401);
  // Over HTTP.
  const std::string third = make();
  const auto ask = [&] {
    return s->http("GET", "/users/_me", "", {{"authorization", "Bearer " + third}}).status;
  };
  EXPECT_EQ(ask(), 200);
  EXPECT_EQ(ask(), 401);
}

// A single-use token of a user with almost no rights.
class KuzzleSingleUseTest : public KuzzleTokensTest {
 protected:
  KuzzleSingleUseTest() {
    EXPECT_EQ(s->of("security:createRole", "own",
                    R"({"controllers":{"auth":{"actions":{)"
                    R"("createToken":true,"createApiKey":true,)"
                    R"("getCurrentUser":true}}}})",
                    boss)
                  .status,
              200);
    EXPECT_EQ(
        s->of("security:createProfile", "own", R"({"policies":[{"roleId":"own"}]})", boss).status,
        200);
    s->make_user("ada", "own", "ada", boss);
    ada = by(s->log_in("ada", "pw"));
  }
  std::string make() {
    return s->call("auth:createToken", ada + R"(,"singleUse":true)")["result.token"].text();
  }
  bool counts(const std::string& token) {
    return s->call("auth:checkToken", R"("body":{"token":")" + token + R"("})")
               .text("result.valid") == "true";
  }
  static net::Pair header_of(const std::string& token) {
    return {"authorization", "Bearer " + token};
  }
  std::string ada;
};

TEST_F(KuzzleSingleUseTest, ARefusedRequestUsesItUp) {
  const auto refuse = [&](const std::string& why, int status, const auto& ask) {
    const std::string token = make();
    ASSERT_TRUE(counts(token));
    EXPECT_EQ(ask(token), status) << why;
    EXPECT_FALSE(counts(token)) << why;
  };
  refuse("forbidden over a WebSocket", 403, [&](const std::string& token) {
    return s->of("document:get", "none", "", by(token)).status;
  });
  refuse("an action that is not there", 400,
         [&](const std::string& token) { return s->call("document:none", by(token)).status; });
  refuse("a body of the wrong type", 400, [&](const std::string& token) {
    return s->call("auth:getCurrentUser", R"("body":5,)" + by(token)).status;
  });
  refuse("forbidden over HTTP", 403, [&](const std::string& token) {
    return s->http("GET", "/idx/col/none", "", {header_of(token)}).status;
  });
  refuse("an address that is not there", 404, [&](const std::string& token) {
    return s->http("GET", "/no/such/address/at/all/here", "", {header_of(token)}).status;
  });
  refuse("no JSON", 400, [&](const std::string& token) {
    return s->http("POST", "/api-keys/_create", "{", {header_of(token)}).status;
  });
  refuse("forbidden by its cookie", 403, [&](const std::string& token) {
    return s->http("GET", "/idx/col/none", "", {{"cookie", "authToken=" + token}}).status;
  });
  refuse("forbidden by its head", 403, [&](const std::string& token) {
    const auto request =
        mayfly::testing::read_request("POST", "/idx/col/_create", {header_of(token)}, "{}");
    const auto refused = net::PendingRequest(*s->dialect, request)->refuse_head();
    return refused ? refused->status : 0;
  });
  const std::string get = R"({"controller":"document","action":"get","index":"idx",)"
                          R"("collection":"col","_id":"none")";
  refuse("forbidden by _query", 403, [&](const std::string& token) {
    return s->http("POST", "/_query", get + "}", {header_of(token)}).status;
  });
  refuse("forbidden by _query with the token in its body", 403, [&](const std::string& token) {
    return s->http("POST", "/_query", get + "," + by(token) + "}").status;
  });
  refuse("nothing that _query can read", 400, [&](const std::string& token) {
    return s->http("POST", "/_query", "x", {header_of(token)}).status;
  });
}

// The request is authenticated by its head and then by its body, and may be started again.
TEST_F(KuzzleSingleUseTest, OneRequestUsesItOnce) {
  const auto ask = [&](const char* method, const char* path, const std::string& body) {
    const auto request = mayfly::testing::read_request(method, path, {header_of(make())}, body);
    net::PendingRequest pending(*s->dialect, request);
    EXPECT_FALSE(pending->refuse_head());
    EXPECT_EQ(pending->answer().status, 200);
    return pending->answer().status;
  };
  const std::string me = R"({"controller":"auth","action":"getCurrentUser","more":")";
  EXPECT_EQ(ask("POST", "/_query", me + std::string(100'000, 'x') + R"("})"), 200);
  EXPECT_EQ(ask("GET", "/users/_me", ""), 200);
}

TEST_F(KuzzleTokensTest, ALoginByCookieShowsPagesNoToken) {
  const Answer done = s->http("POST", "/_login/local?cookieAuth", login);
  EXPECT_EQ(done.status, 200) << done.error();
  EXPECT_EQ(done.text("result.jwt"), "");
  EXPECT_EQ(done.text("result._id"), R"("boss")");
  const std::string set = header("Set-Cookie");
  EXPECT_TRUE(set.starts_with("authToken=ey")) << set;
  EXPECT_TRUE(set.ends_with("; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict")) << set;
  EXPECT_EQ(header("Access-Control-Allow-Credentials"), "true");
  const std::string kept = "other=1; " + cookie() + "; more=2";
  EXPECT_EQ(whoami(kept), R"("boss")");
  EXPECT_EQ(whoami("authTokens=x"), R"("-1")");
  EXPECT_EQ(whoami("authToken=x"), R"("-1")");
  // A header takes precedence.
  EXPECT_EQ(
      s->http("GET", "/users/_me", "", {{"cookie", kept}, {"authorization", "Bearer x"}}).status,
      401);

  const Answer refreshed = s->http("POST", "/_refreshToken?cookieAuth", "", {{"cookie", kept}});
  EXPECT_EQ(refreshed.text("result.jwt"), "") << refreshed.error();
  const std::string next = cookie();
  EXPECT_EQ(whoami(kept), R"("-1")") << "it has been exchanged";
  EXPECT_EQ(whoami(next), R"("boss")");

  EXPECT_EQ(s->http("POST", "/_logout?cookieAuth", "", {{"cookie", next}}).status, 200);
  EXPECT_TRUE(header("Set-Cookie").starts_with("authToken=; Path=/; Max-Age=0;"));
  EXPECT_EQ(whoami(next), R"("-1")");
}

TEST_F(KuzzleTokensTest, AnInvalidCookieIsRemovedAndDoesNotFailTheRequest) {
  const std::pair<std::string, std::string> old{"cookie", "authToken=of-another-server"};
  EXPECT_EQ(s->http("POST", "/_login/local?cookieAuth", login, {old}).status, 200);
  EXPECT_TRUE(cookie() != "authToken=");
  EXPECT_EQ(whoami(old.second), R"("-1")");
  EXPECT_TRUE(header("Set-Cookie").starts_with("authToken=; Path=/; Max-Age=0;"));
  EXPECT_EQ(
      s->http("GET", "/users/_me", "", {{"authorization", "Bearer of-another-server"}}).status,
      401);
}

TEST_F(KuzzleTokensTest, NoCookieIsSetUnlessRequested) {
  EXPECT_NE(s->http("POST", "/_login/local", login).text("result.jwt"), "");
  EXPECT_EQ(header("Set-Cookie"), "");
  const std::string wrong = R"({"username":"boss","password":"no"})";
  EXPECT_EQ(s->http("POST", "/_login/local?cookieAuth", wrong).status, 401);
  EXPECT_EQ(header("Set-Cookie"), "");
  const Answer over_websocket =
      s->call("auth:login", R"("strategy":"local","cookieAuth":true,"body":)" + login);
  EXPECT_EQ(over_websocket.text("error.id"), "") << "of version 2 only";
  EXPECT_EQ(over_websocket.status, 400);
}

TEST_F(KuzzleTokensTest, AWebSocketHasTheCookieThatItBeganWith) {
  s->http("POST", "/_login/local?cookieAuth", login);
  net::Request request{.method = "GET", .target = "/", .path = "/"};
  request.headers = {{"upgrade", "websocket"}, {"cookie", cookie()}};
  const auto recorder = std::make_shared<testing::RecordingClient>();
  const auto conversation =
      net::PendingRequest(*s->dialect, request)->answer().conversation(recorder);
  conversation->receive(R"({"controller":"auth","action":"getCurrentUser"})");
  conversation->answer(Instant::never());
  EXPECT_EQ(Server::answer_in(recorder->received.at(0)).text("result._id"), R"("boss")");
}

TEST_F(KuzzleTokensTest, ABodyMayNameTheAction) {
  const auto ask = [&](const std::string& body, std::vector<net::Pair> headers = {}) {
    return s->http("POST", "/_query", body, std::move(headers));
  };
  const std::string me = R"({"controller":"auth","action":"getCurrentUser","requestId":"r1")";
  const Answer anonymous = ask(me + "}");
  EXPECT_EQ(anonymous.text("result._id"), R"("-1")") << anonymous.error();
  EXPECT_EQ(anonymous.text("requestId"), R"("r1")");
  EXPECT_EQ(anonymous.text("action"), R"("getCurrentUser")");
  const std::string token = s->log_in("boss", "pw");
  const std::vector<net::Pair> with_token{{"authorization", "Bearer " + token}};
  EXPECT_EQ(ask(me + "}", with_token).text("result._id"), R"("boss")");
  EXPECT_EQ(ask(me + "," + by(token) + "}").text("result._id"), R"("boss")");
  // A token in the body takes precedence over those of the headers.
  const std::vector<net::Pair> with_cookie{{"cookie", "authToken=" + token}};
  EXPECT_EQ(ask(me + "}", with_cookie).text("result._id"), R"("boss")");
  EXPECT_EQ(ask(me + "," + by(token) + "}", {{"authorization", "Bearer x.y.z"}}).text("result._id"),
            R"("boss")");
  EXPECT_EQ(ask(me + "," + by("x.y.z") + "}", with_token).status, 401);
  EXPECT_EQ(ask(me + "," + by("x.y.z") + "}", with_cookie).status, 401);
  // Its rights are those of the action.
  const std::string create = R"({"controller":"document","action":"create","index":"idx",)"
                             R"("collection":"col","_id":"d1","body":{"a":1}})";
  EXPECT_EQ(ask(create).status, 403);
  EXPECT_EQ(ask(create, with_token).status, 200);
  EXPECT_EQ(s->of("document:get", "d1", "", boss).text("result._source.a"), "1");

  EXPECT_EQ(ask(R"({"controller":"none","action":"x"})").status, 400);
  EXPECT_EQ(ask("{}").status, 400);
  EXPECT_EQ(ask("x").status, 400);
  EXPECT_EQ(ask(R"({"controller":"auth","action":"login","strategy":"local","body":)" + login + "}")
                .status,
            400)
      << "a password is hashed at its own address";
  EXPECT_EQ(ask(R"({"controller":"realtime","action":"subscribe","index":"idx",)"
                R"("collection":"col","body":{}})",
                with_token)
                .status,
            501);
  // Without a login it is bounded.
  const std::string filler(100'000, 'x');
  EXPECT_EQ(ask(me + R"(,"more":")" + filler + R"("})").status, 413);
  EXPECT_EQ(ask(me + R"(,"more":")" + filler + R"("})", with_token).status, 200);
}

// In the format of `deflate`.
std::string packed(const std::string& text) {
  uLongf bytes = compressBound(text.size());
  std::string out(bytes, '\0');
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(out.data()), &bytes,
                     reinterpret_cast<const Bytef*>(text.data()), text.size()),
            Z_OK);
  out.resize(bytes);
  return out;
}

TEST_F(KuzzleTokensTest, ABodyIsDecompressedOnlyAfterAuthentication) {
  const auto ask = [&](const std::string& body, std::vector<net::Pair> headers = {}) {
    headers.emplace_back("content-encoding", "deflate");
    return s->http("POST", "/_query", body, std::move(headers));
  };
  const std::vector<net::Pair> wrong{{"authorization", "Bearer x.y.z"}};
  EXPECT_EQ(ask("not packed", wrong).status, 401);
  EXPECT_EQ(ask("not packed").status, 400);
  const std::vector<net::Pair> with_token{{"authorization", "Bearer " + s->log_in("boss", "pw")}};
  const std::string me = R"({"controller":"auth","action":"getCurrentUser")";
  EXPECT_EQ(ask(packed(me + "}")).text("result._id"), R"("-1")");
  const std::vector<net::Pair> old_cookie{{"cookie", "authToken=x.y.z"}};
  EXPECT_EQ(ask(packed(me + "}"), old_cookie).text("result._id"), R"("-1")");
  const std::string large = packed(me + R"(,"more":")" + std::string(1'000'000, 'x') + R"("})");
  const Answer refused = ask(large);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.error(), R"("a body has at most 65536 bytes once it is unpacked")");
  EXPECT_EQ(ask(large, with_token).text("result._id"), R"("boss")");
}

TEST_F(KuzzleTokensTest, ActionsOfOtherServersSaySo) {
  const Answer alone = s->call("cluster:status", boss);
  EXPECT_EQ(alone.text("result.activeNodes"), "1") << alone.error();
  EXPECT_EQ(alone.text("result.nodes[0].birthdate"), testing::at_second(0));
  EXPECT_EQ(s->http("GET", "/cluster/_status").status, 403) << "to those who may";
  EXPECT_EQ(s->call("debug:enable", boss).status, 501);
  EXPECT_EQ(s->http("GET", "/debug/_nodeVersion", "",
                    {{"authorization", "Bearer " + s->log_in("boss", "pw")}})
                .status,
            501);
}

}  // namespace
}  // namespace mayfly::kuzzle
