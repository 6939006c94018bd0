// The server as a whole: many connections, answers that wait for a flush, overload, stopping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ServerLifeTest : public ServerTest {
 protected:
  void start_with_disk() {
    handler.durability = &durability;
    options.durability = &durability;
    start();
  }
};

TEST_F(ServerLifeTest, ManyConnectionsAreServedAtOnce) {
  options.threads = 3;
  start();
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int c = 0; c < 64; ++c) {
    clients.emplace_back([this, c, &right] {
      Client client(port);
      for (int i = 0; i < 50; ++i) {
        const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        const bool is_slow = (c + i) % 10 == 0;
        right += client.ask(get(path + (is_slow ? "?slow" : ""))) == ok("GET " + path + " ");
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 64 * 50);
  EXPECT_EQ(server->stats().requests, 64U * 50U);
}

TEST_F(ServerLifeTest, AnAnswerWaitsUntilWhatItShowsIsDurable) {
  start_with_disk();
  Client client(port);
  client.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read(), ok("GET /write "));
  EXPECT_EQ(durability.syncs, 1);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  EXPECT_EQ(durability.syncs, 1);
}

TEST_F(ServerLifeTest, ReadersOfChangesThatAreNotDurableWaitToo) {
  start_with_disk();
  durability.write();
  Client client(port);
  client.send(get("/"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read(), ok("GET / "));
}

TEST_F(ServerLifeTest, AllArrivedRequestsShareOneSync) {
  start_with_disk();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(connect());
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 300; }));
  clients[0]->send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  for (int i = 1; i < 300; ++i) clients[i]->send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 300; }));
  durability.gate.open();
  for (const auto& client : clients) EXPECT_EQ(client->read(), ok("GET /write "));
  EXPECT_EQ(durability.syncs, 2);
}

TEST_F(ServerLifeTest, AnswersOfWorkersWaitForTheDiskToo) {
  start_with_disk();
  Client client(port);
  client.send(get("/write?slow"));
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read(), ok("GET /write "));
}

TEST_F(ServerLifeTest, LongRequestsDoNotDelayShortOnes) {
  options.workers = 1;
  start();
  Client slow(port);
  Client quick(port);
  slow.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  EXPECT_EQ(quick.ask(get("/")), ok("GET / "));
  handler.gate.open();
  EXPECT_EQ(slow.read(), ok("GET /slow "));
}

// The request is quick, but would have to wait for another thread.
TEST_F(ServerLifeTest, AQuickRequestThatWouldWaitIsAnsweredByAWorker) {
  options.workers = 1;
  start();
  Client slow(port);
  Client busy(port);
  Client quick(port);
  slow.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  busy.send(get("/busy"));
  EXPECT_EQ(quick.ask(get("/")), ok("GET / "));
  EXPECT_FALSE(busy.has_something(0));
  handler.gate.open();
  EXPECT_EQ(busy.read(), ok("GET /busy "));
  EXPECT_EQ(slow.read(), ok("GET /slow "));
}

TEST_F(ServerLifeTest, LongRequestsBeyondTheBoundAreRefused) {
  options.workers = 1;
  options.workers_queue_max = 2;
  start();
  std::vector<std::unique_ptr<Client>> clients;
  for (unsigned i = 1; i <= 3; ++i) {
    clients.push_back(connect());
    clients.back()->send(get("/slow"));
    ASSERT_TRUE(becomes_true([this, i] { return server->stats().requests == i; }));
    ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  }
  Client late(port);
  const std::string refused = late.ask(get("/slow"));
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 429 "));
  EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  EXPECT_THAT(refused, HasSubstr("throttled"));
  EXPECT_EQ(late.ask(get("/")), ok("GET / "));
  handler.gate.open();
  for (const auto& client : clients) EXPECT_EQ(client->read(), ok("GET /slow "));
}

TEST_F(ServerLifeTest, ConnectionsBeyondTheBoundAreRefused) {
  options.connections_max = 2;
  start();
  auto first = connect();
  Client second(port);
  EXPECT_EQ(first->ask(get("/")), ok("GET / "));
  EXPECT_EQ(second.ask(get("/")), ok("GET / "));
  Client third(port);
  EXPECT_THAT(third.read(), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_TRUE(third.is_closed());
  EXPECT_EQ(server->stats().connections_refused, 1U);
  first.reset();
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 1; }));
  Client fourth(port);
  EXPECT_EQ(fourth.ask(get("/")), ok("GET / "));
}

TEST_F(ServerLifeTest, OneClientCannotTakeTheLastConnections) {
  options.connections_max = 16;
  start();
  std::vector<std::unique_ptr<Client>> greedy;
  for (unsigned i = 1; i <= 14; ++i) {
    greedy.push_back(connect());
    EXPECT_EQ(greedy.back()->ask(get("/")), ok("GET / "));
  }
  EXPECT_THAT(Client(port).read(), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  {
    Client other(port, "127.0.0.2");
    EXPECT_EQ(other.ask(get("/")), ok("GET / "));
    Client second(port, "127.0.0.2");
    EXPECT_EQ(second.ask(get("/")), ok("GET / "));
    EXPECT_THAT(Client(port, "127.0.0.3").read(), StartsWith("HTTP/1.1 503 "));
  }
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 14; }));
  // A place that a client gives back is free again.
  greedy.pop_back();
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 13; }));
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
}

TEST_F(ServerLifeTest, StoppingSendsAnswersInProgress) {
  start();
  Client idle(port);
  EXPECT_EQ(idle.ask(get("/")), ok("GET / "));
  Client slow(port);
  slow.send(get("/slow") + get("/never"));
  Client sending(port);
  sending.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo");
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  ASSERT_TRUE(becomes_true([this] { return server->stats().connections_open == 3; }));
  // By now, the requests of the others have been read.
  EXPECT_EQ(Client(port).ask(get("/health")), ok("GET /health "));
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(idle.is_closed());
  EXPECT_FALSE(Client(port).is_open());
  EXPECT_EQ(sending.ask("dy"), last("200 OK", "POST /a body"));
  handler.gate.open();
  EXPECT_EQ(slow.read(), last("200 OK", "GET /slow "));
  stopper.join();
  server->stop();
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST_F(ServerLifeTest, StoppingAnswersWhatIsOnItsWayAndResetsNoConnection) {
  options.drain_time_max = options.drain_grace = Span::seconds(60);  // until all have been answered
  start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 16; ++i) {
    clients.push_back(connect());
    EXPECT_EQ(clients.back()->ask(get("/")), ok("GET / "));
  }
  auto early = connect();
  early->send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  std::thread stopper([this] { server->stop(); });
  ASSERT_TRUE(becomes_true([this] { return !Client(port).is_open(); }));
  for (const auto& client : clients) {
    EXPECT_EQ(client->ask(get("/")), last("200 OK", "GET / "));
    EXPECT_TRUE(client->is_closed());
  }
  clients.clear();
  handler.gate.open();
  {
    const auto last_one = std::exchange(early, nullptr);
    EXPECT_EQ(last_one->read(), last("200 OK", "GET /slow "));
    EXPECT_TRUE(last_one->is_closed());
  }
  stopper.join();
}

TEST_F(ServerLifeTest, StoppingEndsConnectionsWithoutARequestCleanly) {
  options.drain_grace = Span::millis(20);
  start();
  Client idle(port);
  EXPECT_EQ(idle.ask(get("/")), ok("GET / "));
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(idle.is_closed());
  EXPECT_TRUE(idle.send(get("/late")));  // it is read, but not answered
  EXPECT_TRUE(idle.is_closed());
  stopper.join();
}

TEST_F(ServerLifeTest, StoppingReadsWhatComesAfterALargeBodyAndAnEmptyLine) {
  options.drain_grace = Span::millis(20);
  start();
  Client idle(port);
  const std::string body(150'000, 'b');
  EXPECT_EQ(idle.ask(post("/", body) + "\r\n"), ok("POST / " + body));
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(idle.is_closed());
  idle.send(std::string(64 << 10, 'x'));
  EXPECT_TRUE(idle.is_closed());
  stopper.join();
}

TEST_F(ServerLifeTest, StoppingDoesNotWaitForAClientThatDoesNotRead) {
  options.drain_time_max = Span::millis(30);
  start();
  Client client(port);
  client.send(get("/?bytes=100000000"));
  ASSERT_TRUE(client.has_something(20'000));
  server->stop();
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST_F(ServerLifeTest, StoppingDoesNotWaitForAClientThatSendsAfterARefusal) {
  options.drain_time_max = options.body_time_max = Span::seconds(60);
  start();
  Client client(port);
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200001\r\n\r\n");
  EXPECT_EQ(client.read(), last("413 Payload Too Large", "too_large"));
  EXPECT_EQ(server->stats().connections_open, 1U);
  std::thread stopper([this] { server->stop(); });
  EXPECT_TRUE(becomes_true([&] { return !client.send("x"); }));
  stopper.join();
  EXPECT_EQ(server->stats().connections_open, 0U);
}

TEST_F(ServerLifeTest, TheDestructorStops) {
  start();
  Client client(port);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  server.reset();
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerLifeTest, EachListenerHasItsPortAndItsHandler) {
  FakeHandler other;
  options.listeners = {{"one", "127.0.0.1", 0, &handler}, {"two", "localhost", 0, &other}};
  options.threads = 2;
  auto started = Server::start(options);
  ASSERT_TRUE(started);
  const auto ports = (*started)->ports();
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_NE(ports[0], ports[1]);
  EXPECT_EQ(Client(ports[0]).ask(get("/a")), ok("GET /a "));
}

TEST_F(ServerLifeTest, ANameIsServedAtAllItsAddresses) {
  options.listeners = {{"local", "localhost", 0, &handler}};
  auto started = Server::start(options);
  ASSERT_TRUE(started) << started.error().message;
  const std::uint16_t number = (*started)->ports().at(0);
  EXPECT_EQ(Client(number).ask(get("/a")), ok("GET /a "));
  // If this machine has IPv6, and a name for it.
  addrinfo hints{};
  hints.ai_family = AF_INET6;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo("localhost", std::to_string(number).c_str(), &hints, &found) != 0) return;
  const int socket = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket >= 0) {
    EXPECT_EQ(::connect(socket, found->ai_addr, found->ai_addrlen), 0);
  }
  freeaddrinfo(found);
  close(socket);
}

TEST_F(ServerLifeTest, AnUnavailableAddressIsNamed) {
  start();
  options.listeners = {{"again", "127.0.0.1", port, &handler}};
  auto again = Server::start(options);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::exists);
  EXPECT_EQ(again.error().message,
            "listening on 127.0.0.1:" + std::to_string(port) + " (again): Address already in use");
  options.listeners = {{"nowhere", "no such host", 1, &handler}};
  EXPECT_THAT(Server::start(options).error().message,
              HasSubstr("host: 'no such host' cannot be resolved: "));
}

}  // namespace
}  // namespace mayfly::net
