// Costly requests have a separate thread and separate bounds: all others are not affected.
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

class CostlyTest : public ServerTest {
 protected:
  using Clients = std::vector<std::unique_ptr<Client>>;
  // A request that renews its permit is long; one that waits at the gate is not.
  CostlyTest() { options.costly_turn_max = Span{0}; }

  bool arrived_are(int requests) {
    return becomes_true([this, requests] { return handler.costly_gate.arrived() == requests; });
  }
  bool waiting_are(std::uint64_t requests) {
    return becomes_true([this, requests] { return server->stats().requests_waiting == requests; });
  }
  // Clients of one address, each with a costly request in progress.
  Clients fill(unsigned count, const char* address = "127.0.0.1") {
    Clients clients;
    const std::uint64_t before = server->stats().requests_waiting;
    for (unsigned i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<Client>(port, address));
      clients.back()->send(get("/costly"));
    }
    EXPECT_TRUE(waiting_are(before + count));
    return clients;
  }
  void expect_refused(Client& client) {
    const std::string refused = client.ask(get("/costly"));
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 429 "));
    EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  }
};

TEST_F(CostlyTest, OtherRequestsAreAnsweredWhileCostlyOnesAreBlocked) {
  options.workers = 1;
  start();
  handler.gate.open();
  const Clients attackers = fill(options.costly_of_client_max);
  ASSERT_TRUE(arrived_are(1));
  Client other(port);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(other.ask(get("/quick")), ok("GET /quick "));
    EXPECT_EQ(other.ask(get("/slow")), ok("GET /slow "));  // the one worker is free
  }
  EXPECT_EQ(handler.costly_gate.arrived(), 1);
  handler.costly_gate.open();
  for (const auto& client : attackers) EXPECT_EQ(client->read(), ok("GET /costly "));
}

TEST_F(CostlyTest, OneClientHasABoundOnCostlyRequests) {
  options.costly_of_client_max = 3;
  start();
  const Clients attackers = fill(3);
  for (int i = 0; i < 64; ++i) expect_refused(*connect());
  EXPECT_EQ(server->stats().requests_overloaded, 64U);
  // A client of another address finds a place.
  const Clients others = fill(3, "127.0.0.2");
  handler.costly_gate.open();
  for (const auto& client : others) EXPECT_EQ(client->read(), ok("GET /costly "));
  for (const auto& client : attackers) EXPECT_EQ(client->read(), ok("GET /costly "));
  EXPECT_EQ(handler.costly_gate.arrived(), 6);
  // Its places become free again, one after the other.
  Client again(port);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(again.ask(get("/costly")), ok("GET /costly "));
}

TEST_F(CostlyTest, AllClientsTogetherHaveABoundOnCostlyRequests) {
  options.costly_max = 3;
  options.costly_of_client_max = 2;
  start();
  const Clients first = fill(2);
  const Clients second = fill(1, "127.0.0.2");
  Client third(port, "127.0.0.3");
  expect_refused(third);
  EXPECT_EQ(third.ask(get("/quick")), ok("GET /quick "));
  handler.costly_gate.open();
  for (const auto& client : first) EXPECT_EQ(client->read(), ok("GET /costly "));
  EXPECT_EQ(second.front()->read(), ok("GET /costly "));
  EXPECT_EQ(third.ask(get("/costly")), ok("GET /costly "));
}

TEST_F(CostlyTest, AClientThatLeavesKeepsItsPlaceUntilItsTurnHasCome) {
  options.costly_of_client_max = 2;
  start();
  {
    const Clients at_work = fill(1);
    ASSERT_TRUE(arrived_are(1));
  }
  ASSERT_TRUE(waiting_are(0));
  Client client(port);
  {
    const Clients leaving = fill(1);
    expect_refused(client);
  }
  EXPECT_TRUE(waiting_are(0));
  expect_refused(client);
  handler.costly_gate.open();
  EXPECT_TRUE(
      becomes_true([&] { return client.ask(get("/costly")).starts_with("HTTP/1.1 200 "); }));
}

TEST_F(CostlyTest, CostlyRequestsRunOneAfterTheOther) {
  start();
  const Clients clients = fill(3);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(arrived_are(i));
    handler.costly_gate.let_one_pass();
    EXPECT_EQ(clients[static_cast<std::size_t>(i - 1)]->read(), ok("GET /costly "));
  }
}

TEST_F(CostlyTest, NetworksHaveTheThreadInTurn) {
  start();
  const Clients attackers = fill(3);
  ASSERT_TRUE(arrived_are(1));
  const Clients others = fill(2, "127.0.0.2");
  const auto let_pass = [this](int requests) {
    ASSERT_TRUE(arrived_are(requests));
    handler.costly_gate.let_one_pass();
  };
  let_pass(1);
  EXPECT_EQ(attackers[0]->read(), ok("GET /costly "));
  let_pass(2);
  EXPECT_EQ(attackers[1]->read(), ok("GET /costly "));
  let_pass(3);
  EXPECT_EQ(others[0]->read(), ok("GET /costly "));
  let_pass(4);
  EXPECT_EQ(attackers[2]->read(), ok("GET /costly "));
  let_pass(5);
  EXPECT_EQ(others[1]->read(), ok("GET /costly "));
}

TEST_F(CostlyTest, ALongCostlyRequestGivesItsThreadAndPlaceToOthers) {
  options.costly_of_client_max = 1;
  start();
  const auto long_one = connect();
  long_one->send(get("/long_costly"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  handler.costly_gate.open();
  EXPECT_EQ(connect()->ask(get("/costly")), ok("GET /costly "));
  handler.gate.open();
  EXPECT_EQ(long_one->read(), ok("GET /long_costly "));
}

}  // namespace
}  // namespace mayfly::net
