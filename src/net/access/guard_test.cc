// What a port refuses: requests of pages of other sites, for host names that are not its own, and
// with body types that a page may send without a preflight.
#include "net/access/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "net/requests/testing.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Headers = std::vector<Pair>;

struct GuardTest : public ::testing::Test {
  std::optional<Guard::Denial> check(const Request& request, bool has_body = false) {
    return guard.check(*PendingRequest(handler, request), listener, has_body);
  }
  int status(const Request& request, bool has_body = false) {
    const auto denied = check(request, has_body);
    return denied ? denied->refusal.status : 0;
  }
  int status_with(Headers headers, const std::string& path = "/", const char* method = "GET",
                  bool has_body = false) {
    return status({.method = method, .path = path, .headers = std::move(headers)}, has_body);
  }
  FakeHandler handler;
  ListenerOptions listener{.name = "test", .host = "127.0.0.1", .handler = &handler};
  Guard guard{Cors({"loopback", "https://app.example"}), {"mayfly.internal"}};
};

TEST_F(GuardTest, OriginsThatAreNotPermittedAreAlwaysRefused) {
  for (const char* origin : {"http://evil.example", "null", "http://localhost.evil.example", ""}) {
    for (const char* method : {"GET", "POST", "OPTIONS", "DELETE"}) {
      EXPECT_EQ(status_with({{"origin", origin}}, "/", method), 403) << origin;
      EXPECT_EQ(status_with({{"origin", origin}, {"sec-fetch-site", "same-origin"}}), 403);
    }
  }
  EXPECT_EQ(status_with({{"origin", "http://localhost"}, {"origin", "http://evil.example"}}), 403);
  const auto denied = check({.headers = {{"origin", "http://evil.example"}}});
  EXPECT_EQ(denied->refusal.error.message,
            "pages of the origin http://evil.example may not call; add the origin to the setting "
            "cors.origins");
  EXPECT_STREQ(denied->setting, "cors.origins");
  EXPECT_EQ(denied->value, "http://evil.example");
}

TEST_F(GuardTest, PermittedOriginsAreAccepted) {
  for (const char* origin : {"http://localhost:3000", "https://127.0.0.1", "http://127.8.9.1:80",
                             "http://[::1]:5173", "https://app.example"}) {
    for (const char* site : {"cross-site", "same-site", "same-origin", "none"}) {
      EXPECT_EQ(status_with({{"origin", origin}, {"sec-fetch-site", site}}), 0) << origin;
    }
  }
}

TEST_F(GuardTest, WithoutAnOriginOnlyThePageItselfAndTheUserMayCall) {
  for (const char* site : {"cross-site", "same-site", "something-new"}) {
    EXPECT_EQ(status_with({{"sec-fetch-site", site}}), 403) << site;
    const Headers navigation = {{"sec-fetch-site", site}, {"sec-fetch-mode", "navigate"}};
    EXPECT_EQ(status_with(navigation), 403);
    EXPECT_EQ(status_with(navigation, "/page"), 0);
    EXPECT_EQ(status_with(navigation, "/page", "POST"), 403);
    EXPECT_EQ(status_with({{"sec-fetch-site", site}, {"sec-fetch-mode", "no-cors"}}, "/page"), 403);
  }
  for (const char* site : {"none", "same-origin"}) {
    EXPECT_EQ(status_with({{"sec-fetch-site", site}}), 0) << site;
  }
  EXPECT_EQ(status_with({{"sec-fetch-mode", "cors"}}), 0);  // the fetch of Node
}

TEST_F(GuardTest, AnOpenPortAnswersOnlyToItsOwnNames) {
  handler.is_open_now = true;
  for (const char* host : {"localhost", "LOCALHOST:7007", "db.localhost:1", "127.0.0.1:7007",
                           "127.1.2.3", "[::1]:7007", "localhost.", "mayfly.internal:7007"}) {
    EXPECT_EQ(status_with({{"host", host}}), 0) << host;
  }
  EXPECT_EQ(status_with({}), 0);  // HTTP/1.0
  EXPECT_EQ(handler.times_open_checked, 0);
  for (const char* host : {"evil.example", "evil.example:7007", "localhost.evil.example", "",
                           "127.0.0.1.evil.example", "127.evil", "10.0.0.1", "localhost:x",
                           "a@localhost", "[::1", "mayfly.internal.evil.example"}) {
    EXPECT_EQ(status_with({{"host", host}}), 421) << host;
  }
  const auto denied = check({.headers = {{"host", "evil.example"}}});
  EXPECT_STREQ(denied->setting, "hosts");
  EXPECT_THAT(denied->refusal.error.message, HasSubstr("add the name to the setting hosts"));
  listener.host = "10.0.0.1";
  EXPECT_EQ(status_with({{"host", "10.0.0.1:7007"}}), 0);
  listener.host = "fd00::1";
  EXPECT_EQ(status_with({{"host", "[fd00::1]:7007"}}), 0);
  handler.is_open_now = false;
  EXPECT_EQ(status_with({{"host", "evil.example"}}), 0);
  handler.is_open_now = true;
  listener.allows_any_host = true;
  EXPECT_EQ(status_with({{"host", "evil.example"}}), 0);
}

TEST_F(GuardTest, ABodyHasTheTypeThatItsRouteAccepts) {
  for (const char* type : {"application/json", "application/json; charset=utf-8",
                           "Application/JSON ;a=b", "application/merge-patch+json"}) {
    EXPECT_EQ(status_with({{"content-type", type}}, "/json", "POST", true), 0) << type;
  }
  for (const char* type : {"text/plain", "", "application/jsonp", "multipart/form-data",
                           "application/x-www-form-urlencoded", "text/plain; a=application/json"}) {
    EXPECT_EQ(status_with({{"content-type", type}}, "/json", "POST", true), 415) << type;
    EXPECT_EQ(status_with({{"content-type", type}}, "/json", "POST", false), 0) << type;
  }
  const auto denied = check({.method = "POST", .path = "/json"}, true);
  EXPECT_EQ(denied->refusal.error.message,
            "a body needs the header Content-Type: application/json");
}

TEST_F(GuardTest, APageMustStateTheTypeOfItsBody) {
  const Pair origin{"origin", "http://localhost:3000"};
  EXPECT_EQ(status_with({origin}, "/", "POST", true), 415);
  EXPECT_EQ(status_with({origin, {"content-type", "text/plain;charset=UTF-8"}}, "/", "POST", true),
            415);
  EXPECT_EQ(status_with({{"sec-fetch-site", "same-origin"}}, "/", "POST", true), 415);
  EXPECT_EQ(status_with({origin, {"content-type", "application/query+json"}}, "/", "POST", true),
            0);
  EXPECT_EQ(status_with({origin}, "/", "POST", false), 0);
  EXPECT_EQ(status_with({{"content-type", "text/plain"}}, "/", "POST", true), 0);
}

TEST_F(GuardTest, WithoutPlainHttpOnlyTlsIsAccepted) {
  listener.allows_plain = false;
  EXPECT_EQ(status_with({}), 403);
  EXPECT_EQ(status({.is_secure = true}), 0);
}

class GuardedServerTest : public ServerTest {};

TEST_F(GuardedServerTest, ARefusedRequestIsNeitherReadNorAnsweredByTheHandler) {
  start();
  const std::string evil = "Origin: http://evil.example\r\n";
  Client client(port);
  EXPECT_THAT(client.ask(get("/a", evil)), StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_EQ(client.ask(get("/a")), ok("GET /a "));  // the connection stays open
  EXPECT_THAT(client.ask(get("/health", evil)), StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\n" + evil;
  EXPECT_THAT(client.ask(head + "Content-Length: 4\r\n\r\nbody"),
              StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_EQ(client.ask(get("/a")), ok("GET /a "));
  const std::string refused = client.ask(head + "Content-Length: 100000\r\n\r\n");
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_THAT(refused, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(handler.heads, 0);
  EXPECT_THAT(Client(port).ask("OPTIONS /a HTTP/1.1\r\nHost: h\r\n" + evil +
                               "Access-Control-Request-Method: PUT\r\n\r\n"),
              StartsWith("HTTP/1.1 403 Forbidden\r\n"));
}

TEST_F(GuardedServerTest, APortThatBecomesOpenChecksItsName) {
  start();
  Client client(port);
  EXPECT_EQ(client.ask(get("/a")), ok("GET /a "));
  handler.is_open_now = true;
  EXPECT_THAT(client.ask(get("/a")), StartsWith("HTTP/1.1 421 Misdirected Request\r\n"));
  handler.is_open_now = false;
  EXPECT_EQ(client.ask(get("/a")), ok("GET /a "));
}

}  // namespace
}  // namespace mayfly::net
