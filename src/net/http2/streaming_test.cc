// Streamed responses of HTTP/2, flow control, and how connections end.
#include <gtest/gtest.h>

#include <string>

#include "net/http2/test_client.h"
#include "net/streams/testing.h"

namespace mayfly::net {
namespace {

class Http2StreamingTest : public StreamsTest {
 protected:
  void TearDown() override { handler.gate.open(); }
  std::int32_t open(Http2Client& client) {
    const auto stream = client.ask({.path = "/stream"});
    EXPECT_TRUE(client.has_body(stream, "begin "));
    return stream;
  }
};

TEST_F(Http2StreamingTest, AResponseIsStreamedWhileOthersAreAnswered) {
  start();
  Http2Client client(port);
  const auto stream = open(client);
  const auto sender = taken();
  EXPECT_EQ(client.answer(stream).headers.count("content-length"), 0U);
  EXPECT_TRUE(sender->send("one "));
  EXPECT_TRUE(client.has_body(stream, "begin one "));
  EXPECT_EQ(client.get("/").text(), "200 GET / ");
  EXPECT_TRUE(sender->send("two"));
  EXPECT_TRUE(client.has_body(stream, "begin one two"));
  EXPECT_EQ(server->stats().streams_open, 1U);
  sender->end();
  EXPECT_EQ(client.read(stream).error, 0U);
  EXPECT_FALSE(sender->is_open());
  EXPECT_TRUE(streams_are(0));
}

TEST_F(Http2StreamingTest, SeveralResponsesOfOneConnectionAreStreamed) {
  start();
  Http2Client client(port);
  const auto first = open(client);
  const auto to_first = taken();
  const auto second = open(client);
  const auto to_second = taken();
  to_second->send("b");
  to_first->send("a");
  EXPECT_TRUE(client.has_body(second, "begin b"));
  EXPECT_TRUE(client.has_body(first, "begin a"));
  EXPECT_TRUE(streams_are(2));
}

TEST_F(Http2StreamingTest, HeadOfAStreamHasNoBody) {
  start();
  Http2Client client(port);
  EXPECT_EQ(client.read(client.ask({.method = "HEAD", .path = "/stream"})).text(), "200 ");
  EXPECT_EQ(server->stats().streams_open, 0U);
}

TEST_F(Http2StreamingTest, AClosedWindowHoldsPiecesBackUntilItOpens) {
  start();
  Http2Client client(port, {.window = 10, .opens_windows = false});
  const auto stream = open(client);
  const auto sender = taken();
  EXPECT_TRUE(sender->send("0123456789"));
  EXPECT_TRUE(client.has_body(stream, "begin 0123"));
  EXPECT_EQ(client.get("/none").status(), "204");
  EXPECT_EQ(sender->unsent_bytes(), 10U);
  client.open_window(stream, 100);
  EXPECT_TRUE(client.has_body(stream, "begin 0123456789"));
  EXPECT_TRUE(becomes_true([&] { return sender->unsent_bytes() == 0; }));
}

TEST_F(Http2StreamingTest, AStreamWhoseClientIsTooSlowIsResetAndItsConnectionStays) {
  start();
  Http2Client client(port, {.window = 6, .opens_windows = false});
  const auto stream = open(client);
  const auto sender = taken();
  while (sender->send(std::string(100'000, 'x'))) {
  }
  EXPECT_EQ(client.read(stream).error, std::uint32_t{NGHTTP2_CANCEL});
  EXPECT_EQ(server->stats().streams_overrun, 1U);
  EXPECT_TRUE(streams_are(0));
  EXPECT_EQ(client.get("/none").status(), "204");
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

TEST_F(Http2StreamingTest, AStreamThatTheClientResetsIsClosed) {
  start();
  Http2Client client(port);
  const auto stream = open(client);
  const auto sender = taken();
  client.reset(stream);
  EXPECT_TRUE(becomes_true([&] { return !sender->is_open(); }));
  EXPECT_TRUE(streams_are(0));
  EXPECT_EQ(client.get("/").status(), "200");
}

TEST_F(Http2StreamingTest, AClientThatLeavesClosesItsStreams) {
  start();
  auto client = std::make_unique<Http2Client>(port);
  open(*client);
  const auto sender = taken();
  client.reset();
  EXPECT_TRUE(becomes_true([&] { return !sender->is_open(); }));
  EXPECT_TRUE(becomes_true([&] { return server->stats().connections_open == 0; }));
}

TEST_F(Http2StreamingTest, APieceIsSentWhenWhatItShowsIsDurable) {
  handler.durability = &durability;
  options.durability = &durability;
  start();
  Http2Client client(port);
  const auto stream = open(client);
  const auto sender = taken();
  durability.write();
  sender->send("one");
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_EQ(client.get("/health").status(), "200");
  EXPECT_EQ(client.answer(stream).body, "begin ");
  durability.gate.open();
  EXPECT_TRUE(client.has_body(stream, "begin one"));
}

// --- the end ---

TEST_F(Http2StreamingTest, WhenTheServerStopsRequestsInProgressAreAnswered) {
  start();
  Http2Client client(port);
  const auto slow = client.ask({.path = "/slow"});
  const auto stream = open(client);
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  std::thread stopping([this] { server->stop(); });
  EXPECT_TRUE(client.wait_until([&] { return client.goaways() == 1; }));
  EXPECT_EQ(client.read(stream).error, 0U);  // it has ended
  handler.gate.open();
  EXPECT_EQ(client.read(slow).text(), "200 GET /slow ");
  EXPECT_TRUE(client.gets_closed());
  EXPECT_EQ(client.goaway_error(), 0U);
  stopping.join();
}

TEST_F(Http2StreamingTest, ARequestThatWasOnItsWayWhenTheServerStopsIsAnswered) {
  start();
  Client client(port);
  client.send(std::string(http2_hello) + settings_frame() + request_frame(1, "/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  std::thread stopping([this] { server->stop(); });
  EXPECT_EQ(next_frame(client, NGHTTP2_GOAWAY).error(), 0U);
  client.send(request_frame(3, "/late"));
  EXPECT_EQ(next_frame(client, NGHTTP2_DATA).payload, "GET /late ");
  handler.gate.open();
  EXPECT_EQ(next_frame(client, NGHTTP2_DATA).payload, "GET /slow ");
  const Http2Frame end = next_frame(client, NGHTTP2_GOAWAY);
  EXPECT_EQ(end.payload, std::string("\0\0\0\3\0\0\0\0", 8));
  EXPECT_TRUE(client.gets_closed());
  stopping.join();
}

TEST_F(Http2StreamingTest, TheEndOfAnIdleConnectionIsAnnounced) {
  options.idle_time_max = Span::millis(40);
  start();
  Http2Client client(port);
  EXPECT_EQ(client.get("/").status(), "200");
  EXPECT_TRUE(client.wait_until([&] { return client.goaways() > 0; }));
  EXPECT_EQ(client.goaway_error(), 0U);
  EXPECT_TRUE(client.gets_closed());
}

TEST_F(Http2StreamingTest, AConnectionWithARequestInProgressIsNotIdle) {
  options.idle_time_max = Span::millis(20);
  start();
  Http2Client client(port);
  const auto slow = client.ask({.path = "/slow"});
  Client other(port);
  EXPECT_TRUE(other.is_closed());  // because it was idle
  handler.gate.open();
  EXPECT_EQ(client.read(slow).text(), "200 GET /slow ");
}

}  // namespace
}  // namespace mayfly::net
