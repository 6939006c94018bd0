// The server's behaviour on one connection.
#include "net/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(ServerTest, AConnectionServesOneRequestAfterTheOther) {
  start();
  Client client(port);
  EXPECT_EQ(client.ask(get("/a?x=1")), ok("GET /a "));
  EXPECT_EQ(client.ask(post("/b", "body")), ok("POST /b body"));
  EXPECT_EQ(client.ask("PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                       "3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"),
            ok("PUT /c abcdef"));
  EXPECT_EQ(client.ask(get("/d?slow")), ok("GET /d "));
  EXPECT_EQ(client.ask(get("http://h/e")), ok("GET /e "));
  EXPECT_EQ(client.ask("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"), ok("OPTIONS / "));
  const ServerStats stats = server->stats();
  EXPECT_EQ(stats.connections_open, 1U);
  EXPECT_EQ(stats.connections_accepted, 1U);
  EXPECT_EQ(stats.requests, 6U);
  EXPECT_EQ(stats.requests_refused, 0U);
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  start();
  Client client(port);
  std::string requests;
  for (int i = 0; i < 100; ++i) {
    requests += get("/" + std::to_string(i) + (i % 7 == 3 ? "?slow" : ""));
  }
  client.send(requests);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.read(), ok("GET /" + std::to_string(i) + " "));
  }
}

TEST_F(ServerTest, ARequestMayComeByteByByte) {
  start();
  Client client(port);
  for (const char c : post("/a", "body")) client.send({&c, 1});
  EXPECT_EQ(client.read(), ok("POST /a body"));
}

TEST_F(ServerTest, LargeBodiesAreSentInBothDirections) {
  start();
  Client client(port);
  const std::string body(200'000, 'b');
  EXPECT_EQ(client.ask(post("/a", body)), ok("POST /a " + body));
  EXPECT_EQ(client.ask(get("/?bytes=20000000")).size(), ok("").size() + 7 + 20'000'000);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(ServerTest, TheClientAndTheHandlerMayEndTheConnection) {
  start();
  const std::string closing_requests[] = {get("/", "Connection: close\r\n"),
                                          "GET / HTTP/1.0\r\n\r\n"};
  for (const std::string& request : closing_requests) {
    Client client(port);
    EXPECT_EQ(client.ask(request), last("200 OK", "GET / "));
    EXPECT_TRUE(client.is_closed());
  }
  Client client(port);
  EXPECT_EQ(client.ask(get("/close")), last("200 OK", "GET /close "));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AnHttp10ClientGetsKeepAlive) {
  start();
  Client client(port);
  const std::string request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  EXPECT_THAT(client.ask(request), HasSubstr("\r\nConnection: keep-alive\r\n"));
  EXPECT_THAT(client.ask(request), HasSubstr("\r\nConnection: keep-alive\r\n"));
}

TEST_F(ServerTest, HeadHasTheLengthButNotTheBody) {
  start();
  Client client(port);
  const std::string request = "HEAD /?bytes=20000 HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_THAT(client.ask(request, false), HasSubstr("Content-Length: 20000\r\n\r\n"));
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  EXPECT_EQ(client.ask(get("/none")), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(ServerTest, NoHeaderValueCanEndItsLineAndFramingIsTheServers) {
  start();
  Client client(port);
  EXPECT_EQ(client.ask(get("/evil")),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n"
            "X-Evil: aX-Made-Up: b\r\n\r\nGET /evil ");
}

TEST_F(ServerTest, AnExceptionIsAnAnswer) {
  start();
  Client client(port);
  for (const char* target : {"/throw", "/throw?slow"}) {
    EXPECT_THAT(client.ask(get(target)), StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
  }
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(ServerTest, AClientThatExpectsContinueGetsIt) {
  start();
  Client client(port);
  const std::string head =
      "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: ";
  EXPECT_EQ(client.ask(head + "4\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(client.ask("body"), ok("POST /a body"));
  EXPECT_EQ(client.ask(head + "4\r\n\r\nbody"), ok("POST /a body"));  // it did not wait
  EXPECT_EQ(client.ask(head + "200001\r\n\r\n"), last("413 Payload Too Large", "too_large"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AHandlerMayRefuseAHeadBeforeItsBodyIsRead) {
  start();
  const std::string asks = "POST /closed?a=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n";
  Client client(port);
  EXPECT_EQ(client.ask(asks + "Expect: 100-continue\r\n\r\n"),
            last("403 Forbidden", "closed /closed"));
  EXPECT_TRUE(client.is_closed());
  Client hasty(port);
  EXPECT_EQ(hasty.ask(get("/")), ok("GET / "));
  EXPECT_EQ(hasty.ask(asks + "\r\n" + std::string(50'000, 'x')),
            last("403 Forbidden", "closed /closed"));
  EXPECT_EQ(handler.heads, 2);
  // A request that has arrived whole is refused by answer().
  EXPECT_EQ(Client(port).ask(post("/closed", "body")), ok("POST /closed body"));
  Client slow(port);
  EXPECT_EQ(slow.ask("POST /open HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n"
                     "Expect: 100-continue\r\n\r\n"),
            "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(slow.ask("body"), ok("POST /open body"));
  EXPECT_EQ(handler.heads, 3);
  EXPECT_EQ(server->stats().requests_refused, 2U);
}

TEST_F(ServerTest, AnAnswerHasTheDateAndTheRequestId) {
  ManualClock clock(Instant::from_seconds(1'772'186'400));
  options.clock = &clock;
  start();
  Client client(port);
  client.ask(get("/a"));
  EXPECT_EQ(client.date, "Fri, 27 Feb 2026 10:00:00 GMT");
  EXPECT_THAT(client.id, testing::MatchesRegex("[0-9a-f]{16}"));
  const std::string first = client.id;
  clock.advance(Span::seconds(61));
  client.ask(get("/a?slow"));
  EXPECT_EQ(client.date, "Fri, 27 Feb 2026 10:01:01 GMT");
  EXPECT_NE(client.id, first);
  client.ask(get("/a", "X-Request-Id: mine-1\r\n"));
  EXPECT_EQ(client.id, "mine-1");
  for (const std::string& bad : {std::string(129, 'x'), std::string("a b"), std::string("\xC3")}) {
    client.ask(get("/a", "X-Request-Id: " + bad + "\r\n"));
    EXPECT_EQ(client.id.size(), 16U);
  }
  client.ask("NOISE\r\n\r\n");
  EXPECT_EQ(client.id.size(), 16U);
}

TEST_F(ServerTest, AHandlersOwnDateAndRequestIdAreKept) {
  handler.own_headers = {{"date", "today"}, {"X-Request-Id", "own"}};
  start();
  Client client(port);
  const std::string answer = client.ask(get("/a"));
  EXPECT_EQ(client.id, "own");
  EXPECT_EQ(client.date, "");
  EXPECT_THAT(answer, HasSubstr("date: today\r\n"));
}

TEST_F(ServerTest, LargeBodiesGoToWorkers) {
  start();
  Client client(port);
  client.ask(get("/a"));
  const std::thread::id loop = handler.answered_on;
  client.ask(post("/a", std::string(limits::quick_body_bytes_max, 'b')));
  EXPECT_EQ(handler.answered_on, loop);
  client.ask(post("/a", std::string(limits::quick_body_bytes_max + 1, 'b')));
  EXPECT_NE(handler.answered_on, loop);
}

TEST_F(ServerTest, AFramingErrorIsRefusedAndEndsTheConnection) {
  start();
  const std::string chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const struct {
    std::string request;
    std::string status;
    std::string code;
  } rows[] = {
      {"NOISE\r\n\r\n", "400 Bad Request", "invalid"},
      {"GET / HTTP/1.1\r\n\r\n", "400 Bad Request", "invalid"},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       "400 Bad Request", "invalid"},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
       "400 Bad Request", "invalid"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400 Bad Request", "invalid"},
      {"GET / HTTP/3.0\r\n\r\n", "505 HTTP Version Not Supported", "unsupported"},
      {get("/", "A: " + std::string(17'000, 'x')), "431 Request Header Fields Too Large",
       "too_large"},
      {"GET /" + std::string(300'000, 'x'), "431 Request Header Fields Too Large", "too_large"},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200001\r\n\r\n", "413 Payload Too Large",
       "too_large"},
      {chunked + "1\r\na\r\n30d40\r\n", "413 Payload Too Large", "too_large"},
      {chunked + "x", "400 Bad Request", "invalid"},
  };
  for (const auto& row : rows) {
    Client client(port);
    if (row.code == "invalid") client.send(row.request + "\r\n\r\n");
    if (row.code != "invalid") client.send(row.request);
    EXPECT_EQ(client.read(), last(row.status, row.code)) << row.request.substr(0, 200);
  }
  EXPECT_EQ(server->stats().requests_refused, std::size(rows));
}

TEST_F(ServerTest, ARefusalWithIntactFramingKeepsTheConnection) {
  start();
  Client client(port);
  EXPECT_EQ(
      client.ask(get("/?a=%zz")),
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\ninvalid");
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(ServerTest, AClientThatIsStillSendingSeesWhyItWasRefused) {
  start();
  const std::string body(20'000'000, 'x');
  const std::string too_large = last("413 Payload Too Large", "too_large");
  const std::pair<std::string, std::string> rows[] = {
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\n\r\n", too_large},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1312d00\r\n", too_large},
      {"NOISE\r\n\r\n", last("400 Bad Request", "invalid")},
      {"GET /", last("431 Request Header Fields Too Large", "too_large")},
  };
  for (const auto& [head, answer] : rows) {
    Client client(port);
    EXPECT_TRUE(client.send(head + body)) << head;
    EXPECT_EQ(client.read(), answer);
    EXPECT_TRUE(client.is_closed()) << head;
    EXPECT_EQ(server->stats().exchange_bytes, 0U);
  }
}

TEST_F(ServerTest, AClientThatSendsAfterARefusalIsDisconnectedInTime) {
  options.body_time_max = Span::millis(40);
  start();
  Client client(port);
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200001\r\n\r\n");
  EXPECT_EQ(client.read(), last("413 Payload Too Large", "too_large"));
  EXPECT_TRUE(becomes_true([&] { return !client.send("x"); }));
  EXPECT_TRUE(becomes_true([this] { return server->stats().connections_open == 0; }));
}

TEST_F(ServerTest, ASlowRequestIsEnded) {
  options.head_time_max = options.body_time_max = options.idle_time_max = Span::millis(40);
  start();
  Client head(port);
  EXPECT_EQ(head.ask("GET / HT"), last("408 Request Timeout", "timed_out"));
  EXPECT_TRUE(head.is_closed());
  Client body(port);
  EXPECT_EQ(body.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc"),
            last("408 Request Timeout", "timed_out"));
  EXPECT_TRUE(body.is_closed());
  Client idle(port);
  EXPECT_EQ(idle.ask(get("/")), ok("GET / "));
  EXPECT_TRUE(idle.is_closed());
  Client silent(port);
  EXPECT_TRUE(silent.is_closed());
}

TEST_F(ServerTest, TheRestOfASlowBodyIsReadAndDiscarded) {
  options.body_time_max = Span::millis(40);
  start();
  Client client(port);
  const std::string piece(64 << 10, 'x');
  EXPECT_EQ(client.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n" + piece),
            last("408 Request Timeout", "timed_out"));
  client.send(piece);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(Client(port).ask(post("/a", "body")), ok("POST /a body"));
}

TEST_F(ServerTest, AByteNowAndThenGivesAHeadNoMoreTime) {
  options.head_time_max = Span::millis(40);
  start();
  Client client(port);
  client.send("GET /");
  while (!client.has_something(1) && client.send("x")) {
  }
  EXPECT_EQ(client.read(), last("408 Request Timeout", "timed_out"));
}

TEST_F(ServerTest, AClientThatDoesNotReadIsDisconnected) {
  options.send_time_max = Span::millis(40);
  start();
  Client client(port);
  Client greedy(port);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  std::string requests;
  for (int i = 0; i < 2'000; ++i) requests += get("/?bytes=10000");
  greedy.send(requests);
  EXPECT_TRUE(greedy.has_something(20'000));
  EXPECT_TRUE(becomes_true([this] { return server->stats().connections_open == 1; }));
  EXPECT_LT(server->stats().requests, 2'000U);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

std::string preflight(const std::string& origin) {
  return "OPTIONS /a HTTP/1.1\r\nHost: h\r\nOrigin: " + origin +
         "\r\nAccess-Control-Request-Method: PUT\r\n"
         "Access-Control-Request-Headers: authorization,x-b\r\n\r\n";
}

TEST_F(ServerTest, BrowsersOnThisMachineMayCall) {
  start();
  Client client(port);
  const std::string origin = "http://localhost:3000";
  EXPECT_EQ(client.ask(preflight(origin)),
            "HTTP/1.1 204 No Content\r\n"
            "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE\r\n"
            "Access-Control-Max-Age: 7200\r\n"
            "Access-Control-Allow-Headers: authorization,x-b\r\n"
            "Access-Control-Allow-Origin: http://localhost:3000\r\n"
            "Access-Control-Expose-Headers: *\r\n"
            "Vary: Origin\r\n\r\n");
  const std::string allowed = "Access-Control-Allow-Origin: " + origin + "\r\n";
  EXPECT_THAT(client.ask(get("/", "Origin: " + origin + "\r\n")), HasSubstr(allowed));
  EXPECT_THAT(client.ask(get("/?%", "Origin: " + origin + "\r\n")), HasSubstr(allowed));
  EXPECT_THAT(client.ask(get("/")), Not(HasSubstr("Access-Control")));
  EXPECT_THAT(client.ask(preflight("http://example.org")), StartsWith("HTTP/1.1 403 "));
}

TEST_F(ServerTest, AHandlerMayAnswerThePreflightsOfPermittedOrigins) {
  handler.own_headers = {{"access-control-allow-methods", "WEAVE"}, {"X-Kind", "own"}};
  start({.preflights = Preflights::by_handler});
  Client client(port);
  const std::string own = "Content-Type: text/plain\r\nContent-Length: 11\r\n";
  EXPECT_EQ(client.ask(preflight("http://localhost:3000")),
            "HTTP/1.1 200 OK\r\n" + own +
                "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE\r\n"
                "Access-Control-Max-Age: 7200\r\n"
                "Access-Control-Allow-Headers: authorization,x-b\r\n"
                "X-Kind: own\r\n"
                "Access-Control-Allow-Origin: http://localhost:3000\r\n"
                "Access-Control-Expose-Headers: *\r\n"
                "Vary: Origin\r\n\r\n"
                "OPTIONS /a ");
  EXPECT_THAT(client.ask(preflight("http://example.org")),
              Not(HasSubstr("Access-Control-Allow-Origin")));
}

}  // namespace
}  // namespace mayfly::net
