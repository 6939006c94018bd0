// Users and offers of a database that is dropped and created again concurrently.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

TEST(CosmosDropped, ADatabaseMakesNoServerErrorOfUsersAndOffers) {
  constexpr int rounds = 300;
  Account account;
  std::atomic<int> running = 3;
  std::atomic<int> errors = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        const std::string id = std::to_string(i) + "." + std::to_string(round);
        const Answer made =
            account.send("POST", "/dbs", R"({"id":"d"})", {{"x-ms-offer-throughput", "400"}});
        const Answer user = account.send("POST", "/dbs/d/users", R"({"id":")" + id + R"("})");
        errors += static_cast<int>(made.status >= 500) + static_cast<int>(user.status >= 500);
      }
      --running;
    });
  }
  while (running > 0) account.send("DELETE", "/dbs/d");
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(errors, 0);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
