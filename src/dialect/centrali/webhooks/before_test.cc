// Webhooks and deliveries as earlier versions wrote them.
#include "dialect/centrali/webhooks/before.h"

#include <set>
#include "delivery/subscription.h"
#include "dialect/centrali/webhooks/webhooks.h"

#include "dialect/centrali/webhooks/webhooks_testing.h"

namespace mayfly::centrali::testing {
namespace {

class WebhooksBeforeTest : public WebhooksTest {
 protected:
  void send_to_webhook(net::OutgoingCall call, net::Caller::Done done) override {
    calls.push_back(std::move(call));
    done(net::Response{.status = 200});
  }
  DatabaseId workspace() { return database->catalog()->find_database("acme")->id; }
  void put(const CollectionPtr& collection, const std::string& id, Object body) {
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(collection, DocumentKey::of(id), TRY(pack(Value(body))), {}));
      return {};
    });
    ASSERT_TRUE(done) << done.error().message;
  }
  // Makes the webhook look like one of an earlier version that had matched all events until now.
  void forget_subscription(const std::string& id) {
    const auto done = database->transact([&](Transaction& t) {
      return PrivateTable<delivery::Subscription>::find(t.view().catalog(), workspace())
          .remove(t, DocumentKey::of(id));
    });
    ASSERT_TRUE(done) << done.error().message;
    const CollectionPtr webhooks = webhooks_of(*database->catalog(), workspace()).collection();
    put(webhooks, "matched", {{"after", database->now()}, {"done", 0}});
  }

  std::vector<net::OutgoingCall> calls;
};

TEST_F(WebhooksBeforeTest, ContinueFromTheirPositionWithPendingDeliveries) {
  const std::string id = subscribe().text("id");
  make_record();
  forget_subscription(id);
  const auto deliveries = database->create_collection(
      workspace(), {.name = "#centrali.deliveries", .is_internal = true});
  ASSERT_TRUE(deliveries) << deliveries.error().message;
  for (const char* status : {"pending", "delivered"}) {
    put(*deliveries, "msg_" + std::string(status),
        {{"subscriptionId", id},
         {"event", "record_created"},
         {"payload", R"({"event":"record_created"})"},
         {"status", status},
         {"attempts", 1},
         {"nextAttemptAt", database->now()}});
  }
  put(*deliveries, "msg_orphan",
      {{"subscriptionId", "none"},
       {"event", "record_created"},
       {"payload", "{}"},
       {"status", "pending"},
       {"attempts", 0}});
  make_record();
  restart_server();
  run_jobs();
  ASSERT_EQ(calls.size(), 2U);
  std::set<std::string> bodies{calls[0].body, calls[1].body};
  EXPECT_TRUE(bodies.contains(R"({"event":"record_created"})"));
  EXPECT_EQ(get(W + "/" + id + "/deliveries").body.array().size(), 2U);
  EXPECT_EQ(database->catalog()->find_internal(workspace(), "#centrali.deliveries"), nullptr);
  restart_server();
  run_jobs();
  EXPECT_EQ(calls.size(), 2U);
}

}  // namespace
}  // namespace mayfly::centrali::testing
