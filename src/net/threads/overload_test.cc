// Overload: what is refused, which clients are disconnected, and that the others are served.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class OverloadTest : public ServerTest {
 protected:
  // So that the server also stops if a test has ended early.
  void TearDown() override {
    handler.gate.open();
    durability.gate.open();
  }
  bool waiting_are(std::uint64_t requests) {
    return becomes_true([this, requests] { return server->stats().requests_waiting == requests; });
  }
};

const std::string chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST_F(OverloadTest, RequestsBeyondTheBoundAreRefusedButHealthIsAnswered) {
  options.workers = 1;
  options.requests_max = 3;
  start();
  std::vector<std::unique_ptr<Client>> clients;
  for (unsigned i = 1; i <= 3; ++i) {
    clients.push_back(connect());
    clients.back()->send(get("/slow"));
  }
  ASSERT_TRUE(waiting_are(3));
  Client late(port);
  for (const char* target : {"/slow", "/quick"}) {
    const std::string refused = late.ask(get(target));
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 429 "));
    EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  }
  EXPECT_EQ(late.ask(get("/health")), ok("GET /health "));
  EXPECT_EQ(server->stats().requests_overloaded, 2U);
  handler.gate.open();
  for (const auto& client : clients) EXPECT_EQ(client->read(), ok("GET /slow "));
  EXPECT_TRUE(waiting_are(0));
  EXPECT_EQ(late.ask(get("/quick")), ok("GET /quick "));
}

TEST_F(OverloadTest, AnUrgentAnswerIsNotStreamed) {
  handler.conversation = [](const std::shared_ptr<WebSocketSender>&) { return nullptr; };
  start();
  const std::string part = "Upgrade: websocket\r\n";
  const std::string whole = part +
                            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  for (const std::string& handshake : {part, whole}) {
    Client client(port);
    EXPECT_THAT(client.ask(get("/health", handshake)), StartsWith("HTTP/1.1 500 "));
    EXPECT_EQ(client.ask(get("/health")), ok("GET /health "));
  }
}

TEST_F(OverloadTest, AnswersThatWaitForTheDiskCountToo) {
  handler.durability = &durability;
  options.durability = &durability;
  options.requests_max = 1;
  start();
  Client first(port);
  first.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_EQ(server->stats().requests_waiting, 1U);
  EXPECT_THAT(Client(port).ask(get("/")), StartsWith("HTTP/1.1 429 "));
  EXPECT_EQ(server->stats().requests_overloaded, 1U);
  durability.gate.open();
  EXPECT_EQ(first.read(), ok("GET /write "));
}

TEST_F(OverloadTest, ARequestOfADisconnectedClientIsNotProcessed) {
  options.workers = 1;
  start();
  Client first(port);
  first.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  auto second = connect();
  second->send(get("/slow"));
  ASSERT_TRUE(waiting_are(2));
  second.reset();
  ASSERT_TRUE(waiting_are(1));
  handler.gate.open();
  EXPECT_EQ(first.read(), ok("GET /slow "));
  EXPECT_EQ(first.ask(get("/a?slow")), ok("GET /a "));
  EXPECT_EQ(handler.gate.arrived(), 1);
}

TEST_F(OverloadTest, ARequestIsInProgressUntilItsAnswerIsSentOrItsClientDisconnects) {
  handler.durability = &durability;
  options.durability = &durability;
  options.workers = 1;
  start();
  Client writer(port);
  writer.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_EQ(handler.under_way, 1);
  Client first(port);
  first.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  auto second = connect();
  second->send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.under_way == 3; }));
  second.reset();
  handler.gate.open();
  durability.gate.open();
  EXPECT_EQ(writer.read(), ok("GET /write "));
  EXPECT_EQ(first.read(), ok("GET /slow "));
  EXPECT_TRUE(becomes_true([this] { return handler.under_way == 0; }));
  EXPECT_EQ(writer.ask(get("/a")), ok("GET /a "));
  EXPECT_EQ(handler.under_way, 0);
}

TEST_F(OverloadTest, ARequestThatHasWaitedTooLongIsNotProcessed) {
  options.workers = 1;
  options.request_time_max = Span::millis(200);
  options.head_time_max = Span::millis(400);
  start();
  Client first(port);
  first.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  Client second(port);
  second.send(get("/slow"));
  ASSERT_TRUE(waiting_are(2));
  Client idle(port);
  idle.send("G");
  EXPECT_THAT(idle.read(),
              StartsWith("HTTP/1.1 408 "));  // the time is over
  // It is refused in time, although the worker is still busy.
  EXPECT_THAT(second.read(), StartsWith("HTTP/1.1 503 "));
  EXPECT_EQ(second.ask(get("/")), ok("GET / "));
  handler.gate.open();
  EXPECT_EQ(first.read(), ok("GET /slow "));
  EXPECT_EQ(second.ask(get("/slow")), ok("GET /slow "));
  EXPECT_EQ(handler.gate.arrived(), 2);
}

TEST_F(OverloadTest, WorkForADisconnectedClientEnds) {
  options.workers = 1;
  start();
  {
    Client client(port);
    client.send(get("/endless"));
    ASSERT_TRUE(becomes_true([this] { return handler.endless_begun == 1; }));
    EXPECT_EQ(handler.endless_ended, 0);
  }
  EXPECT_TRUE(becomes_true([this] { return handler.endless_ended == 1; }));
}

TEST_F(OverloadTest, TheHandlerGetsTheTimeAtWhichItsAnswerIsDue) {
  const Instant before = monotonic_now();
  start();
  Client client(port);
  client.ask(get("/"));
  EXPECT_GE(handler.answer_by.load().micros, (before + limits::request_time_max).micros);
  EXPECT_LT(handler.answer_by.load().micros,
            (monotonic_now() + limits::request_time_max + Span::seconds(2)).micros);
}

TEST_F(OverloadTest, BodiesThatTogetherAreTooMuchAreRefused) {
  options.exchange_bytes_max = 250'000;
  start();
  const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 120000\r\n\r\n";
  Client first(port);
  first.send(head + std::string(100'000, 'x'));
  ASSERT_TRUE(becomes_true([this] { return server->stats().exchange_bytes >= 100'000; }));
  Client second(port);
  second.send(head + std::string(100'000, 'x'));
  const std::string refused = second.read();
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  EXPECT_TRUE(second.is_closed());
  EXPECT_EQ(first.ask(std::string(20'000, 'x')), ok("POST /a " + std::string(120'000, 'x')));
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

TEST_F(OverloadTest, WhileMemoryIsShortAClientThatDoesNotReadIsDisconnected) {
  options.exchange_bytes_max = 10'000'000;
  options.head_time_max = Span::millis(40);  // the server then checks deadlines more often
  start();
  Client deaf(port);
  deaf.send(get("/?bytes=100000000"));
  ASSERT_TRUE(deaf.has_something(20'000));
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 0; }));
  EXPECT_EQ(server->stats().exchange_bytes, 0U);
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
}

TEST_F(OverloadTest, ABodyComesAtTheRateAllTheTime) {
  options.head_time_max = Span::millis(100);
  options.body_time_max = Span::seconds(2);
  options.body_bytes_per_second_min = 5'000;
  start();
  const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n";
  Client slow(port);
  slow.send(head + "x");
  // Bytes that came fast at first give no extra time for the rest: that would be 30 s.
  Client hasty(port);
  hasty.send(head + std::string(150'000, 'x'));
  // A body with a steady rate may take any time.
  Client steady(port);
  steady.send(head);
  for (int i = 0; i < 20; ++i) {
    steady.send(std::string(10'000, 'x'));
    Client silent(port);
    silent.send("G");
    EXPECT_THAT(silent.read(), StartsWith("HTTP/1.1 408 "));  // the time is over
  }
  EXPECT_EQ(steady.read(), ok("POST /a " + std::string(200'000, 'x')));
  EXPECT_EQ(slow.read(), last("408 Request Timeout", "timed_out"));
  EXPECT_EQ(hasty.read(), last("408 Request Timeout", "timed_out"));
}

TEST_F(OverloadTest, OneClientCannotTakeTheMemoryForAllBodies) {
  options.exchange_bytes_max = 600'000;
  options.head_time_max = Span::millis(100);  // the server then checks deadlines more often
  start();
  const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100001\r\n\r\n";
  std::vector<std::unique_ptr<Client>> greedy;
  for (unsigned i = 1; i <= 15; ++i) {
    greedy.push_back(connect());
    greedy.back()->send(head + std::string(100'000, 'x'));
    ASSERT_TRUE(becomes_true([this, i] { return server->stats().connections_accepted == i; }));
  }
  // A client of another address finds room at any time.
  for (int i = 0; i < 10; ++i) {
    Client other(port, "127.0.0.2");
    EXPECT_EQ(other.ask(post("/a", std::string(100'000, 'y'))),
              ok("POST /a " + std::string(100'000, 'y')));
  }
  EXPECT_LE(server->stats().exchange_bytes, options.exchange_bytes_max);
  // Their address finds room, too, once the clients that only hold memory have been disconnected.
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes <= 200'000; }));
  EXPECT_EQ(Client(port).ask(post("/a", std::string(100'000, 'y'))),
            ok("POST /a " + std::string(100'000, 'y')));
  int refused = 0;
  for (const auto& client : greedy) {
    if (!client->has_something(0)) continue;
    const std::string answer = client->read();
    refused += answer.starts_with("HTTP/1.1 503 ") || answer.starts_with("HTTP/1.1 408 ");
  }
  EXPECT_GE(refused, 13);
}

TEST_F(OverloadTest, OneClientCannotTakeTheMemoryForAllAnswers) {
  options.exchange_bytes_max = 200 << 20;
  options.head_time_max = Span::millis(100);  // the server then checks deadlines more often
  start();
  std::vector<std::unique_ptr<Client>> deaf;
  for (unsigned i = 1; i <= 12; ++i) {
    // The client does not read it.
    deaf.push_back(connect());
    deaf.back()->send(get("/?bytes=30000000"));
    ASSERT_TRUE(becomes_true([this, i] { return server->stats().requests >= i; }));
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Client(port, "127.0.0.2").ask(get("/")), ok("GET / "));
  }
  EXPECT_LE(server->stats().exchange_bytes, 150U << 20);
  // The memory of unread answers is released.
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes <= 100U << 20; }));
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
}

// The requests come while no memory is held, so all of them are accepted.
TEST_F(OverloadTest, AnswersThatOneClientHoldsLeaveRoomForThoseOfOthers) {
  constexpr int requests_sent = 14;
  handler.durability = &durability;
  options.durability = &durability;
  options.workers = requests_sent;
  options.exchange_bytes_max = 1'000'000;
  start();
  std::vector<std::unique_ptr<Client>> greedy;
  for (int i = 0; i < requests_sent; ++i) {
    greedy.push_back(connect());
    greedy.back()->send(get("/slow?bytes=100000"));
  }
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == requests_sent; }));
  durability.write();  // so that answers wait for the disk
  handler.gate.open();
  ASSERT_TRUE(
      becomes_true([this] { return server->stats().requests_overloaded == requests_sent - 5; }));
  EXPECT_LE(server->stats().exchange_bytes, 610'000U);  // with the refusals
  EXPECT_THAT(Client(port).ask(get("/")), StartsWith("HTTP/1.1 429 "));
  Client other(port, "127.2.0.1");
  other.send(get("/?bytes=100000"));
  ASSERT_TRUE(waiting_are(6));
  durability.gate.open();
  EXPECT_EQ(other.read(), ok(std::string(100'000, 'x')));
  int refused = 0;
  for (const auto& client : greedy) {
    const std::string answer = client->read();
    refused += answer.starts_with("HTTP/1.1 499 ") && answer.ends_with("timed_out");
  }
  EXPECT_EQ(refused, requests_sent - 5);
}

TEST_F(OverloadTest, AClientThatHoldsNothingIsAcceptedEvenIfMemoryIsFull) {
  handler.durability = &durability;
  options.durability = &durability;
  options.exchange_bytes_max = 1'000'000;
  start();
  Client holder(port);
  holder.send(get("/write?bytes=2000000"));
  ASSERT_TRUE(becomes_true([this] { return server->stats().exchange_bytes > 1'000'000; }));
  EXPECT_THAT(Client(port).ask(get("/")), StartsWith("HTTP/1.1 429 "));
  Client other(port, "127.2.0.1");
  other.send(get("/"));
  ASSERT_TRUE(waiting_are(2));
  Client small(port, "127.2.0.2");
  small.send(get("/?bytes=60000"));
  ASSERT_TRUE(waiting_are(3));
  EXPECT_THAT(Client(port, "127.2.0.3").ask(get("/?bytes=100000")), StartsWith("HTTP/1.1 499 "));
  durability.gate.open();
  EXPECT_EQ(other.read(), ok("GET / "));
  EXPECT_EQ(small.read(), ok(std::string(60'000, 'x')));
  EXPECT_EQ(holder.read(), ok(std::string(2'000'000, 'x')));
}

TEST_F(OverloadTest, ABodyWithoutEndIsRefusedAtTheBoundAndCutOffFurtherOn) {
  start();
  Client client(port);
  const std::string chunk = "10000\r\n" + std::string(65'536, 'x') + "\r\n";
  std::size_t sent = 0;
  client.send(chunked);
  while (sent < 1'000'000'000 && client.send(chunk)) sent += chunk.size();
  // How much is read and discarded; the kernel's buffers come on top.
  EXPECT_GT(sent, 64U << 20);
  EXPECT_LT(sent, 200'000'000U);
  EXPECT_LT(server->stats().exchange_bytes, 300'000U);
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
}

TEST_F(OverloadTest, EarlyRequestsStayUnreadUntilTheyAreNext) {
  options.workers = 1;
  start();
  Client greedy(port);
  greedy.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  const std::string path = "/" + std::string(8'000, 'x');
  for (int i = 0; i < 20; ++i) greedy.send(get(path));
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
  EXPECT_EQ(server->stats().requests, 2U);
  handler.gate.open();
  EXPECT_EQ(greedy.read(), ok("GET /slow "));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(greedy.read(), ok("GET " + path + " "));
}

TEST_F(OverloadTest, TwoThousandSlowHeadsLeaveRoomForOthers) {
  options.head_time_max = Span::seconds(600);  // long, for a busy machine
  start();
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 2'000; ++i) {
    slow.push_back(connect());
    slow.back()->send("GET / HT");
  }
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 2'000; }));
  Client client(port);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

}  // namespace
}  // namespace mayfly::net
