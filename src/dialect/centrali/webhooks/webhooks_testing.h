// The fixture of webhook tests: a server that delivers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "delivery/deliveries.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {

inline const std::string W = D + "/webhook-subscriptions";

class WebhooksTest : public CentraliTest {
 protected:
  WebhooksTest() : CentraliTest(Events::by_hand) {
    restart_server();
    make_structures();
  }
  ~WebhooksTest() override { dialect.reset(); }

  // The new server knows only what is stored.
  void restart_server() {
    dialect.reset();
    own_deliveries = std::make_unique<delivery::Deliveries>(
        *database, database->jobs(), random, std::vector<std::unique_ptr<delivery::Target>>());
    deliveries = own_deliveries.get();
    restart();
  }
  void run_jobs() {
    std::size_t ran = 1;
    for (int i = 0; i < 10'000 && ran > 0; ++i) {
      ran = database->jobs().run_due(JobLane::events) +
            database->jobs().run_due_now(JobLane::evaluation);
    }
  }
  Reply subscribe(const std::string& members = "") {
    return post(W, R"({"name":"mine","url":"https://8.8.8.8/hook")" + members + "}");
  }
  static std::string header(const net::OutgoingCall& call, std::string_view name) {
    for (const auto& [known, value] : call.headers) {
      if (known == name) return value;
    }
    return "-";
  }

  std::unique_ptr<delivery::Deliveries> own_deliveries;
};

}  // namespace mayfly::centrali::testing
