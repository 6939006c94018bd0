// HTTP/2 on the port of HTTP/1.1: detection of the protocol, requests, overload, durability.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/http2/test_client.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Http2Test : public ServerTest {
 protected:
  void TearDown() override { handler.gate.open(); }
  void start_with_disk() {
    handler.durability = &durability;
    options.durability = &durability;
    start();
  }
};

// --- which protocol ---

TEST_F(Http2Test, ARequestIsAnsweredAsInHttp1) {
  start();
  Http2Client client(port);
  const Http2Answer answer = client.get("/a?b=c");
  EXPECT_EQ(answer.text(), "200 GET /a ");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain");
  EXPECT_EQ(answer.headers.at("content-length"), "7");
  EXPECT_EQ(answer.headers.count("date"), 1U);
  EXPECT_EQ(answer.headers.count("x-request-id"), 1U);
  EXPECT_EQ(answer.headers.count("connection"), 0U);
  EXPECT_EQ(answer.error, 0U);
  EXPECT_EQ(server->stats().requests, 1U);
  EXPECT_EQ(server->stats().connections_open, 1U);
}

TEST_F(Http2Test, BothProtocolsAreSpokenOnOnePort) {
  start();
  Http2Client newer(port);
  Client older(port);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(newer.get("/").text(), "200 GET / ");
    EXPECT_EQ(older.ask(get("/")), ok("GET / "));
  }
  EXPECT_EQ(server->stats().connections_open, 2U);
}

TEST_F(Http2Test, ThePrefaceMayComeInPiecesAndSoMayRequestsThatBeginAsItDoes) {
  start();
  Client newer(port);
  for (const char byte : http2_hello) newer.send(std::string(1, byte));
  newer.send(settings_frame() + request_frame(1, "/"));
  EXPECT_EQ(next_frame(newer, NGHTTP2_DATA).payload, "GET / ");
  Client older(port);
  for (const char byte : post("/a", "body")) older.send(std::string(1, byte));
  EXPECT_EQ(older.read(), ok("POST /a body"));
  Client strange(port);
  strange.send("PRI /");
  strange.send(" HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(strange.read(), ok("PRI / "));
}

TEST_F(Http2Test, RequestsThatComeWithThePrefaceAreAnswered) {
  start();
  Client client(port);
  client.send(std::string(http2_hello) + settings_frame() + request_frame(1, "/a") +
              request_frame(3, "/b"));
  EXPECT_EQ(next_frame(client, NGHTTP2_DATA).payload, "GET /a ");
  EXPECT_EQ(next_frame(client, NGHTTP2_DATA).payload, "GET /b ");
}

TEST_F(Http2Test, AnUpgradeIsIgnored) {
  start();
  Client client(port);
  const std::string asks =
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  EXPECT_EQ(client.ask(get("/", asks)), ok("GET / "));
  EXPECT_EQ(client.ask(get("/b")), ok("GET /b "));
}

TEST_F(Http2Test, AClientThatSpeaksNoHttp2AfterThePrefaceIsClosed) {
  start();
  Client client(port);
  client.send(std::string(http2_hello) + get("/"));
  EXPECT_TRUE(client.gets_closed());
}

// --- requests ---

TEST_F(Http2Test, RequestsOfOneConnectionAreAnsweredAsTheyBecomeReady) {
  start();
  Http2Client client(port);
  const auto slow = client.ask({.path = "/slow"});
  EXPECT_EQ(client.get("/a").text(), "200 GET /a ");
  EXPECT_EQ(client.get("/b").text(), "200 GET /b ");
  EXPECT_FALSE(client.answer(slow).is_closed);
  handler.gate.open();
  EXPECT_EQ(client.read(slow).text(), "200 GET /slow ");
}

TEST_F(Http2Test, AHundredRequestsAreInProgressAtOnce) {
  start();
  Http2Client client(port);
  EXPECT_EQ(client.streams_max(), 100U);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < 100; ++i) {
    streams.push_back(client.ask({.path = "/" + std::to_string(i) + "?slow"}));
  }
  EXPECT_TRUE(becomes_true([this] { return server->stats().requests == 100; }));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.read(streams[i]).text(), "200 GET /" + std::to_string(i) + " ");
  }
}

TEST_F(Http2Test, ManyConnectionsAreServedAtOnce) {
  options.threads = 3;
  start();
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int c = 0; c < 16; ++c) {
    clients.emplace_back([this, c, &right] {
      Http2Client client(port);
      for (int i = 0; i < 50; ++i) {
        const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        const auto slow = client.ask({.path = path + "?slow"});
        right += client.get(path).body == "GET " + path + " ";
        right += client.read(slow).body == "GET " + path + " ";
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 16 * 100);
}

TEST_F(Http2Test, LargeBodiesAreSentInBothDirections) {
  start();
  Http2Client client(port);
  const std::string body(190'000, 'b');
  const auto posted = client.ask({.method = "POST", .path = "/a", .body = body});
  EXPECT_EQ(client.read(posted).body, "POST /a " + body);
  EXPECT_EQ(client.get("/?bytes=3000000").body, std::string(3'000'000, 'x'));
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

TEST_F(Http2Test, ManyLargeAnswersShareAConnection) {
  start();
  Http2Client client(port);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < 20; ++i) streams.push_back(client.ask({.path = "/?bytes=200000"}));
  for (const auto stream : streams) EXPECT_EQ(client.read(stream).body.size(), 200'000U);
}

TEST_F(Http2Test, AShortAnswerDoesNotWaitForALongOne) {
  start();
  Client client(port);
  const std::string wide("\0\4\x7F\xFF\xFF\xFF", 6);
  client.send(std::string(http2_hello) + frame(NGHTTP2_SETTINGS, 0, 0, wide) +
              frame(NGHTTP2_WINDOW_UPDATE, 0, 0, std::string("\x7F\0\0\0", 4)) +
              request_frame(1, "/?bytes=3000000") + request_frame(3, "/"));
  std::size_t bytes = next_frame(client, NGHTTP2_DATA).payload.size();
  EXPECT_EQ(next_frame(client, NGHTTP2_DATA).payload, "GET / ");
  while (bytes < 3'000'000) {
    const Http2Frame one = next_frame(client, NGHTTP2_DATA);
    ASSERT_EQ(one.stream, 1U);
    bytes += one.payload.size();
  }
  EXPECT_EQ(bytes, 3'000'000U);
}

TEST_F(Http2Test, ABodyMayComeInPiecesAndEndWithTrailers) {
  start();
  Http2Client client(port);
  const auto stream = client.ask({.method = "POST", .path = "/a", .body = "one ", .ends = false});
  client.add_body(stream, "two", true);
  EXPECT_EQ(client.read(stream).text(), "200 POST /a one two");
  const auto other =
      client.ask({.method = "POST", .path = "/a", .body = "three", .trailers = {{"x-sum", "1"}}});
  EXPECT_EQ(client.read(other).text(), "200 POST /a three");
}

TEST_F(Http2Test, AnswersWithoutABodyHaveNone) {
  start();
  Http2Client client(port);
  const Http2Answer head = client.read(client.ask({.method = "HEAD", .path = "/abc"}));
  EXPECT_EQ(head.text(), "200 ");
  EXPECT_EQ(head.headers.at("content-length"), "10");
  EXPECT_EQ(client.get("/none").text(), "204 ");
}

TEST_F(Http2Test, AHandlersHeadersCannotBreakAHead) {
  start();
  Http2Client client(port);
  const Http2Answer answer = client.get("/evil");
  EXPECT_EQ(answer.headers.at("x-evil"), "aX-Made-Up: b");
  EXPECT_EQ(answer.headers.at("content-length"), "10");
  EXPECT_EQ(answer.headers.count("bad name"), 0U);
}

TEST_F(Http2Test, AClientThatExpectsContinueGetsIt) {
  start();
  Http2Client client(port);
  const auto stream = client.ask(
      {.method = "POST", .path = "/a", .headers = {{"expect", "100-continue"}}, .ends = false});
  ASSERT_TRUE(client.wait_until([&] { return !client.answer(stream).statuses.empty(); }));
  client.add_body(stream, "body", true);
  EXPECT_EQ(client.read(stream).body, "POST /a body");
  EXPECT_THAT(client.answer(stream).statuses, ElementsAre("100", "200"));
  EXPECT_EQ(client.read(client.ask({.headers = {{"expect", "more"}}})).status(), "417");
}

TEST_F(Http2Test, TheHostIsTheAuthority) {
  handler.is_open_now = true;
  start();
  Http2Client client(port);
  EXPECT_EQ(client.read(client.ask({.authority = "127.0.0.1"})).status(), "200");
  EXPECT_EQ(client.read(client.ask({.authority = "evil.example"})).status(), "421");
  const auto named = client.ask({.authority = "", .headers = {{"host", "evil.example"}}});
  EXPECT_EQ(client.read(named).status(), "421");
  const auto both = client.ask({.authority = "127.0.0.1", .headers = {{"host", "evil.example"}}});
  EXPECT_EQ(client.read(both).status(), "400");
}

TEST_F(Http2Test, PagesOfOtherSitesAreRefused) {
  start();
  Http2Client client(port);
  const auto evil = client.ask({.headers = {{"origin", "http://evil.example"}}});
  EXPECT_EQ(client.read(evil).status(), "403");
  const auto own = client.read(client.ask({.headers = {{"origin", "http://localhost:1"}}}));
  EXPECT_EQ(own.status(), "200");
  EXPECT_EQ(own.headers.at("access-control-allow-origin"), "http://localhost:1");
}

TEST_F(Http2Test, AnInvalidRequestIsRefusedAndTheConnectionStays) {
  start();
  Http2Client client(port);
  EXPECT_EQ(client.read(client.ask({.path = "no-path"})).error,
            std::uint32_t{NGHTTP2_PROTOCOL_ERROR});
  EXPECT_EQ(client.read(client.ask({.path = "/%zz"})).status(), "400");
  EXPECT_EQ(client.read(client.ask({.method = "get"})).status(), "400");
  EXPECT_EQ(client.read(client.ask({.method = "CONNECT"})).error, 1U);
  EXPECT_EQ(client.get("/").status(), "200");
}

TEST_F(Http2Test, SplitCookiesAreOne) {
  start();
  Http2Client client(port);
  EXPECT_EQ(client.read(client.ask({.headers = {{"cookie", "a=1"}, {"x", "y"}, {"cookie", "b=2"}}}))
                .status(),
            "200");
}

// --- rights before bodies, pace, overload ---

TEST_F(Http2Test, AHeadIsRefusedBeforeItsBodyHasCome) {
  start();
  Http2Client client(port);
  const auto stream =
      client.ask({.method = "POST", .path = "/closed", .body = "begin", .ends = false});
  const Http2Answer answer = client.read(stream);
  EXPECT_EQ(answer.text(), "403 closed /closed");
  EXPECT_EQ(answer.error, 0U);
  EXPECT_EQ(client.get("/").text(), "200 GET / ");
  EXPECT_EQ(server->stats().requests_refused, 1U);
}

TEST_F(Http2Test, LongRequestsRunOnWorkersAndQuickOnesOnTheLoop) {
  start();
  Http2Client client(port);
  client.get("/");
  const auto loop = handler.answered_on.load();
  handler.gate.open();
  handler.costly_gate.open();
  EXPECT_EQ(client.get("/slow").status(), "200");
  const auto worker = handler.answered_on.load();
  EXPECT_NE(worker, loop);
  EXPECT_EQ(client.get("/costly").status(), "200");
  EXPECT_NE(handler.answered_on.load(), loop);
  EXPECT_NE(handler.answered_on.load(), worker);
  EXPECT_EQ(client.get("/").status(), "200");
  EXPECT_EQ(handler.answered_on.load(), loop);
  EXPECT_EQ(client.get("/busy").status(), "200");  // it would have to wait, so a worker repeats it
  EXPECT_NE(handler.answered_on.load(), loop);
  EXPECT_EQ(client.get("/throw").status(), "500");
  EXPECT_EQ(handler.under_way, 0);
}

TEST_F(Http2Test, RequestsBeyondTheBoundAreRefusedAndUrgentOnesAnswered) {
  options.requests_max = 2;
  start();
  Http2Client client(port);
  const auto first = client.ask({.path = "/slow"});
  const auto second = client.ask({.path = "/slow"});
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 2; }));
  const Http2Answer refused = client.get("/");
  EXPECT_EQ(refused.text(), "429 throttled");
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_EQ(client.get("/health").status(), "200");
  EXPECT_EQ(server->stats().requests_overloaded, 1U);
  handler.gate.open();
  EXPECT_EQ(client.read(first).status(), "200");
  EXPECT_EQ(client.read(second).status(), "200");
}

TEST_F(Http2Test, ARequestThatWaitsTooLongForAWorkerIsRefused) {
  options.workers = 1;
  options.request_time_max = Span::millis(40);
  options.head_time_max = Span::millis(40);  // the server then checks deadlines more often
  start();
  Http2Client client(port);
  const auto first = client.ask({.path = "/slow"});
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  EXPECT_EQ(client.get("/slow").status(), "503");
  handler.gate.open();
  EXPECT_EQ(client.read(first).status(), "200");
}

class CountingMeter final : public AnswerMeter {
 public:
  void answered(int status, Span took) override {
    sum += status;
    if (took.micros > 0) ++timed;
    ++count;
  }
  std::atomic<int> sum = 0;
  std::atomic<int> timed = 0;
  std::atomic<int> count = 0;
};

class MeteredHandler final : public SimpleHandler {
 public:
  Response answer(const Request&) override { return {.status = 201, .body = "made"}; }
  void describe(AcceptedRequest& accepted) const override { accepted.meter = &counting; }
  Response refuse(const Error&) const override { return {.status = 499}; }
  std::size_t body_bytes_max() const override { return 10; }
  AnswerMeter* meter() override { return &counting; }
  mutable CountingMeter counting;
};

TEST_F(Http2Test, AnswersAreMeasuredEvenIfNoHeadCouldBeRead) {
  MeteredHandler metered;
  options.listeners = {{"test", "127.0.0.1", 0, &metered}};
  auto started = Server::start(options);
  ASSERT_TRUE(started);
  Http2Client client((*started)->ports().at(0));
  EXPECT_EQ(client.get("/").text(), "201 made");
  EXPECT_EQ(client.read(client.ask({.path = "/%zz"})).status(), "400");
  EXPECT_EQ(metered.counting.count, 2);
  EXPECT_EQ(metered.counting.sum, 601);
  EXPECT_LE(metered.counting.timed, 1);
}

// --- the disk ---

TEST_F(Http2Test, OnlyAnswersThatShowChangesThatAreNotDurableWait) {
  start_with_disk();
  Http2Client client(port);
  EXPECT_EQ(client.get("/").status(), "200");
  const auto written = client.ask({.path = "/write"});
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_EQ(client.get("/health").status(), "200");
  const auto read = client.ask({.path = "/a"});
  EXPECT_EQ(client.get("/health").status(), "200");
  EXPECT_FALSE(client.answer(written).is_closed || client.answer(read).is_closed);
  durability.gate.open();
  EXPECT_EQ(client.read(written).text(), "200 GET /write ");
  EXPECT_EQ(client.read(read).text(), "200 GET /a ");
}

TEST_F(Http2Test, AClientIsAnsweredIfTheDiskDoesNotConfirmInTime) {
  options.request_time_max = Span::millis(40);
  options.confirm_time_min = Span{0};
  options.head_time_max = Span::millis(40);
  start_with_disk();
  Http2Client client(port);
  EXPECT_EQ(client.get("/write").text(), "499 timed_out");
  durability.gate.open();
  ASSERT_TRUE(becomes_true([this] { return durability.syncs == 1; }));
  EXPECT_EQ(client.get("/write").text(), "200 GET /write ");
}

}  // namespace
}  // namespace mayfly::net
