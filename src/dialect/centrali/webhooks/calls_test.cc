// Calls to webhooks: concurrent, in order, and across restarts and failures.
#include <set>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/webhooks/webhooks_testing.h"

namespace mayfly::centrali::testing {
namespace {

// Receivers answer when the test calls answer().
class WebhookCallsTest : public WebhooksTest {
 protected:
  struct Waiting {
    net::OutgoingCall call;
    net::Caller::Done done;
  };
  void send_to_webhook(net::OutgoingCall call, net::Caller::Done done) override {
    ++calls;
    waiting.push_back({std::move(call), std::move(done)});
  }
  void run() { run_jobs(); }
  // Ends the first waiting call to this host with the status.
  void answer(const std::string& host, int status) {
    const auto found = std::ranges::find_if(
        waiting, [&](const Waiting& one) { return one.call.url.find(host) != std::string::npos; });
    ASSERT_NE(found, waiting.end()) << host;
    const Waiting taken = std::move(*found);
    waiting.erase(found);
    taken.done(net::Response{.status = status});
  }
  std::string subscribe_at(const std::string& host) {
    return post(W, R"({"url":"https://)" + host + R"(/"})").text("id");
  }
  std::string record_of(const net::OutgoingCall& call) {
    return parse_json(call.body)->member("recordId").text();
  }
  std::string first_delivery_of(const std::string& webhook) {
    return D + "/webhook-deliveries/" + get(W + "/" + webhook + "/deliveries").text("[0].id");
  }

  std::size_t calls = 0;
  std::vector<Waiting> waiting;
};

TEST_F(WebhookCallsTest, AReceiverThatNeverAnswersDelaysNoOther) {
  subscribe_at("8.8.8.8");
  subscribe_at("9.9.9.9");
  std::vector<std::string> made, received;
  for (int i = 0; i < 5; ++i) made.push_back(make_record());
  run();
  ASSERT_EQ(waiting.size(), 2U);  // one call to each
  for (int i = 0; i < 5; ++i) {
    received.push_back(record_of(waiting.back().call));
    answer("9.9.9.9", 200);
    run();
  }
  EXPECT_EQ(received, made);  // in their order
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(record_of(waiting.front().call), made.front());
}

TEST_F(WebhookCallsTest, ACallInProgressIsTriedAgainAfterARestart) {
  subscribe_at("8.8.8.8");
  make_record();
  run();
  ASSERT_EQ(waiting.size(), 1U);
  const Waiting lost = std::move(waiting.front());
  waiting.clear();
  restart_server();
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(waiting.front().call.body, lost.call.body);
  lost.done(net::Response{.status = 200});  // of the call before the restart, which is over
  run();
  EXPECT_EQ(calls, 2U);
}

TEST_F(WebhookCallsTest, ADeliveryCancelledDuringItsCallStaysCancelled) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  const std::string path = first_delivery_of(id);
  pass(6);
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(post(path + "/cancel", "").status(), 200);
  answer("8.8.8.8", 500);
  run();
  pass(1'000);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 cancelled 1");
  EXPECT_TRUE(waiting.empty());
}

TEST_F(WebhookCallsTest, PendingDeliveriesOfARemovedWebhookAreCancelled) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  const std::string path = first_delivery_of(id);
  EXPECT_EQ(get(path).at({"status"}), "200 pending");
  EXPECT_EQ(send("DELETE", W + "/" + id).status(), 204);
  EXPECT_EQ(get(path).at({"status", "nextAttemptAt"}), "200 cancelled null");
  EXPECT_EQ(post(path + "/replay", "").status(), 409);
  EXPECT_EQ(post(path + "/cancel", "").status(), 409);
}

TEST_F(WebhookCallsTest, APendingDeliveryIsReplayedAtOnceWithAllItsAttempts) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  for (int i = 0; i < 4; ++i) {
    run();
    answer("8.8.8.8", 500);
    run();
    pass(7'201);
  }
  const std::string path = first_delivery_of(id);
  run();
  answer("8.8.8.8", 500);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 pending 5");
  EXPECT_EQ(post(path + "/replay", "").at({"status", "attempts"}), "200 pending 0");
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(header(waiting[0].call, "Centrali-Retry-Attempt"), "-");
  answer("8.8.8.8", 200);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 delivered 1");
}

TEST_F(WebhookCallsTest, AReplayOutlivesARestart) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 200);
  run();
  const std::string path = first_delivery_of(id);
  EXPECT_EQ(post(path + "/replay", "").at({"status"}), "200 pending");
  restart_server();
  run();
  ASSERT_EQ(waiting.size(), 1U);
  answer("8.8.8.8", 200);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 delivered 1");
  restart_server();
  run();
  EXPECT_TRUE(waiting.empty());
}

TEST_F(WebhookCallsTest, PendingDeliveriesContinueWhenAWebhookIsActiveAgain) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  patch(W + "/" + id, R"({"active":false})");
  make_record();
  pass(1'000);
  run();
  EXPECT_TRUE(waiting.empty());
  patch(W + "/" + id, R"({"active":true})");
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(header(waiting[0].call, "Centrali-Retry-Attempt"), "1");
  answer("8.8.8.8", 200);
  run();
  EXPECT_TRUE(waiting.empty());
  EXPECT_EQ(calls, 2U);
}

// A page of the feed ends within the commit, and so does a stored position.
TEST_F(WebhookCallsTest, ACommitIsDeliveredAsAWholeHoweverLongItIs) {
  post(W, R"({"url":"https://8.8.8.8/","events":["records_bulk_created"]})");
  const DatabaseInfoPtr workspace = database->catalog()->find_database("acme");
  const auto made = database->transact([&](Transaction& t) -> Result<void> {
    const auto place = t.view().catalog().find_collection(workspace->id, "s");
    for (int i = 0; i < 2'500; ++i) {
      TRY(t.put(place, DocumentKey::of(std::to_string(i)), TRY(pack(Object())), {}));
    }
    return {};
  });
  ASSERT_TRUE(made) << made.error().message;
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(parse_json(waiting[0].call.body)->member("count").integer(), 2'500);
  answer("8.8.8.8", 200);
  subscribe_at("9.9.9.9");
  make_record();
  run();
  EXPECT_EQ(waiting.size(), 1U);
}

TEST_F(WebhookCallsTest, AReplayThatIsCancelledIsNotSent) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 200);
  run();
  const std::string path = first_delivery_of(id);
  post(path + "/replay", "");
  run();
  answer("8.8.8.8", 500);
  run();
  EXPECT_EQ(post(path + "/cancel", "").at({"status"}), "200 cancelled");
  pass(10);
  run();
  restart_server();
  run();
  EXPECT_TRUE(waiting.empty());
  EXPECT_EQ(get(path).at({"status"}), "200 cancelled");
}

TEST_F(WebhookCallsTest, AReplayDuringAnAttemptIsNotLost) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  pass(6);
  run();
  const std::string path = first_delivery_of(id);
  EXPECT_EQ(post(path + "/replay", "").at({"status", "attempts"}), "200 pending 0");
  answer("8.8.8.8", 500);
  run();
  ASSERT_EQ(waiting.size(), 1U);
  answer("8.8.8.8", 500);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 pending 1");
}

TEST_F(WebhookCallsTest, AWebhookRemovedDuringItsCallIsNotCalledAgain) {
  const std::string id = subscribe_at("8.8.8.8");
  make_record();
  make_record();
  run();
  EXPECT_EQ(send("DELETE", W + "/" + id).status(), 204);
  run();
  answer("8.8.8.8", 200);
  run();
  EXPECT_EQ(calls, 1U);
  subscribe_at("9.9.9.9");
  make_record();
  run();
  EXPECT_EQ(calls, 2U);
}

TEST_F(WebhookCallsTest, EventsOfAStructureMadeByAnotherApiAreDelivered) {
  subscribe_at("8.8.8.8");
  run();
  const DatabaseInfoPtr workspace = database->catalog()->find_database("acme");
  CollectionSpec spec{.name = "foreign"};
  spec.promises.keep_feed_for = Span::seconds(86'400);
  ASSERT_TRUE(database->create_collection(workspace->id, spec));
  const auto put = database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(t.view().catalog().find_collection(workspace->id, "foreign"), DocumentKey::of("a"),
              TRY(pack(Object())), {}));
    return {};
  });
  ASSERT_TRUE(put);
  database->jobs().run_due();  // whatever it rests for
  run();
  ASSERT_EQ(calls, 1U);
  EXPECT_EQ(record_of(waiting.front().call), "a");
}

TEST_F(WebhookCallsTest, ManyLargeDeliveriesAreListedWithoutSomeOfTheirPayloads) {
  const std::string id = subscribe_at("8.8.8.8");
  post(D + "/structures", R"({"name":"Large"})");
  constexpr std::size_t many = 75;
  for (std::size_t i = 0; i < many; ++i) {
    make_record("", "large", R"({"text":")" + std::string(900'000, 'x') + R"("})");
    run();
    answer("8.8.8.8", 200);
  }
  run();
  const Reply list = get(W + "/" + id + "/deliveries");
  ASSERT_EQ(list.status(), 200);
  const Array& deliveries = list.body.array();
  ASSERT_EQ(deliveries.size(), many);
  EXPECT_TRUE(deliveries.front().member("payload").is(Kind::text));
  const Value& last = deliveries.back();
  EXPECT_TRUE(last.member("payload").is_null() && last.member("payloadOmitted").is_true());
  EXPECT_LE(list.response.body.size(), limits::deliveries_listed_bytes_max * 11 / 10);
  EXPECT_EQ(get(D + "/webhook-deliveries/" + last.member("id").text()).at({"payloadOmitted"}),
            "200 -");
}

TEST_F(WebhookCallsTest, EventsDuringAnInactiveWebhookAreNotDeliveredAfterARestartEither) {
  const std::string path = W + "/" + subscribe_at("8.8.8.8");
  patch(path, R"({"active":false})");
  make_record();
  run();
  pass(1);
  patch(path, R"({"active":true})");
  run();
  restart_server();
  run();
  EXPECT_EQ(calls, 0U);
  make_record();
  run();
  EXPECT_EQ(calls, 1U);
}

TEST_F(WebhookCallsTest, ASubscriptionIsBounded) {
  const auto with_name_of = [&](std::size_t bytes) {
    return post(W, R"({"url":"https://8.8.8.8/","name":")" + std::string(bytes, 'x') + R"("})");
  };
  EXPECT_EQ(with_name_of(limits::webhook_bytes_max).status(), 413);
  EXPECT_EQ(with_name_of(limits::webhook_bytes_max - 1'000).status(), 201);
}

TEST_F(WebhookCallsTest, TheNextAttemptIsMadeWhenItIsDue) {
  subscribe_at("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  EXPECT_TRUE(waiting.empty());
  pass_millis(4'999);
  run();
  EXPECT_TRUE(waiting.empty());
  pass_millis(2);
  run();
  EXPECT_EQ(waiting.size(), 1U);
}

}  // namespace
}  // namespace mayfly::centrali::testing
