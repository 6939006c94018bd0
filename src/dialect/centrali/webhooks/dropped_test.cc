// Webhooks and structures of a workspace that is dropped and created again concurrently.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "dialect/centrali/webhooks/webhooks_testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliDroppedTest : public WebhooksTest {
 protected:
  void drop_workspace() {
    if (const auto found = database->catalog()->find_database("acme")) {
      (void)database->drop_database(found->id);
    }
  }
};

TEST_F(CentraliDroppedTest, AWorkspaceMakesNoServerErrorOfWebhooksAndStructures) {
  constexpr int rounds = 300;
  std::atomic<int> running = 2;
  std::atomic<int> errors = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        const std::string name = "s" + std::to_string(i) + "-" + std::to_string(round);
        const Reply structure = post(D + "/structures", R"({"name":")" + name + R"("})");
        const Reply webhook =
            post(D + "/webhook-subscriptions", R"({"url":"https://8.8.8.8/hook"})");
        errors +=
            static_cast<int>(structure.status() >= 500) + static_cast<int>(webhook.status() >= 500);
      }
      --running;
    });
  }
  while (running > 0) {
    (void)database->create_database("acme");
    drop_workspace();
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(errors, 0);
}

}  // namespace
}  // namespace mayfly::centrali::testing
