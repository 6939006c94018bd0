// Blocked threads and a disk that does not answer: what still works, and the answers of the
// requests that are affected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class StallTest : public ServerTest {
 protected:
  void start_with_disk() {
    handler.durability = &durability;
    options.durability = &durability;
    start();
  }
  bool flushes_begun_are(int flushes) {
    return becomes_true([this, flushes] { return durability.gate.arrived() == flushes; });
  }
};

TEST_F(StallTest, HealthRequestsAreAnsweredWhileAllThreadsAreBlocked) {
  options.threads = 2;
  start();
  Client first(port);
  Client second(port);
  first.send(get("/stuck"));
  second.send(get("/stuck"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 2; }));
  Client probe(port);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(probe.ask(get("/health")), ok("GET /health "));
  handler.gate.open();
  EXPECT_EQ(first.read(), ok("GET /stuck "));
  EXPECT_EQ(second.read(), ok("GET /stuck "));
}

TEST_F(StallTest, EarlyBytesMoveWithTheFirstRequestForData) {
  start();
  Client client(port);
  client.send(get("/health") + post("/a", "body") + get("/b") + get("/health"));
  EXPECT_EQ(client.read(), ok("GET /health "));
  EXPECT_EQ(client.read(), ok("POST /a body"));
  EXPECT_EQ(client.read(), ok("GET /b "));
  EXPECT_EQ(client.read(), ok("GET /health "));
  EXPECT_EQ(server->stats().requests, 4U);
  EXPECT_EQ(server->stats().connections_open, 1U);
}

TEST_F(StallTest, AStalledFlushDelaysOnlyAnswersThatNeedIt) {
  start_with_disk();
  Client known(port);
  EXPECT_EQ(known.ask(get("/")), ok("GET / "));
  Client writer(port);
  writer.send(get("/write"));
  ASSERT_TRUE(flushes_begun_are(1));
  EXPECT_EQ(known.ask(get("/health")), ok("GET /health "));
  EXPECT_THAT(known.ask("NOISE\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_EQ(Client(port).ask(get("/health")), ok("GET /health "));
  EXPECT_FALSE(writer.has_something(0));
  EXPECT_GT(server->stats().flushing_for.micros, 0);
  durability.gate.open();
  EXPECT_EQ(writer.read(), ok("GET /write "));
  EXPECT_TRUE(becomes_true([this] { return server->stats().flushing_for.micros == 0; }));
}

TEST_F(StallTest, IfTheDiskDoesNotConfirmInTimeTheClientIsAnsweredAndStays) {
  options.request_time_max = Span::millis(40);
  options.confirm_time_min = Span{0};
  options.head_time_max = Span::millis(40);  // the server then checks deadlines more often
  start_with_disk();
  Client client(port);
  const std::string late = client.ask(get("/write"));
  EXPECT_THAT(late, StartsWith("HTTP/1.1 499 "));  // the handler's refusal for timed_out
  EXPECT_THAT(late, HasSubstr("timed_out"));
  EXPECT_EQ(server->stats().requests_waiting, 0U);
  EXPECT_EQ(durability.syncs, 0);
  durability.gate.open();
  ASSERT_TRUE(becomes_true([this] { return durability.syncs == 1; }));
  EXPECT_EQ(client.ask(get("/write")), ok("GET /write "));
}

TEST_F(StallTest, AnAnswerThatTookAllItsTimeIsStillConfirmed) {
  options.threads = 1;
  options.request_time_max = Span::millis(1);
  options.head_time_max = Span::millis(40);
  start_with_disk();
  Client slow(port);
  slow.ask(get("/"));  // from here on, it is on the same loop as the writer
  Client writer(port);
  writer.send(get("/write"));
  ASSERT_TRUE(flushes_begun_are(1));
  slow.send("GET / HT");
  EXPECT_THAT(slow.read(), HasSubstr("408"));  // the loop has checked all deadlines
  durability.gate.open();
  EXPECT_EQ(writer.read(), ok("GET /write "));
}

TEST_F(StallTest, TheEndOfAFlushReleasesNoLaterAnswerOfTheSameConnection) {
  options.request_time_max = Span::seconds(1);
  options.confirm_time_min = Span{0};
  options.head_time_max = Span::millis(40);
  start_with_disk();
  Client client(port);
  EXPECT_THAT(client.ask(get("/write")), HasSubstr("timed_out"));
  client.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests == 2; }));
  durability.gate.let_one_pass();
  ASSERT_TRUE(flushes_begun_are(2));
  EXPECT_FALSE(client.has_something(0));
  EXPECT_EQ(durability.syncs, 1);
  durability.gate.open();
  client.read();  // in time or not, the second request has only this answer
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(StallTest, AnswersThatTheFlushInProgressCoversAreSentAfterIt) {
  start_with_disk();
  Client writer(port);
  writer.send(get("/write"));
  ASSERT_TRUE(flushes_begun_are(1));
  Client reader(port);
  reader.send(get("/"));
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 2; }));
  durability.gate.let_one_pass();
  EXPECT_EQ(writer.read(), ok("GET /write "));
  EXPECT_EQ(reader.read(), ok("GET / "));
  EXPECT_EQ(durability.gate.arrived(), 1);
}

TEST_F(StallTest, StoppingDoesNotWaitForTheDiskWithoutBound) {
  options.drain_time_max = Span::millis(30);
  start_with_disk();
  Client writer(port);
  writer.send(get("/write"));
  ASSERT_TRUE(flushes_begun_are(1));
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(writer.is_closed());  // without an answer: the result is unknown
  durability.gate.open();
  stopper.join();
  EXPECT_EQ(durability.syncs, 1);
}

}  // namespace
}  // namespace mayfly::net
