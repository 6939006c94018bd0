// How calls to webhooks go: beside one another, in order, bounded, and over ends and failures.
#include "dialect/centrali/webhooks/dispatcher.h"

#include <map>
#include <set>

#include "dialect/centrali/centrali_testing.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly::centrali::testing {
namespace {

const std::string subscriptions = D + "/webhook-subscriptions";

// Receivers answer when a test says so.
class WebhookDispatcherTest : public CentraliTest {
 protected:
  WebhookDispatcherTest() : CentraliTest(Events::by_hand) { make_structures(); }

  struct Waiting {
    net::Call call;
    net::Caller::Done done;
  };
  void send_to_webhook(net::Call call, net::Caller::Done done) override {
    ++calls;
    waiting.push_back({std::move(call), std::move(done)});
  }
  void run() {
    while (database->jobs().run_due(JobLane::events) > 0) {
    }
  }
  // The first call to this host that waits ends so.
  void answer(const std::string& host, int status) {
    const auto found = std::ranges::find_if(
        waiting, [&](const Waiting& one) { return one.call.url.find(host) != std::string::npos; });
    ASSERT_NE(found, waiting.end()) << host;
    const Waiting taken = std::move(*found);
    waiting.erase(found);
    taken.done(net::Response{.status = status});
  }
  std::string subscribe(const std::string& host) {
    return post(subscriptions, R"({"url":"https://)" + host + R"(/"})").text("id");
  }
  std::string record_of(const net::Call& call) {
    return parse_json(call.body)->member("recordId").text();
  }

  std::size_t calls = 0;
  std::vector<Waiting> waiting;
};

TEST_F(WebhookDispatcherTest, AReceiverThatNeverAnswersDelaysNoOther) {
  subscribe("8.8.8.8");
  subscribe("9.9.9.9");
  std::vector<std::string> made, heard;
  for (int i = 0; i < 5; ++i) made.push_back(make_record());
  run();
  ASSERT_EQ(waiting.size(), 2U);  // one call to each
  for (int i = 0; i < 5; ++i) {
    heard.push_back(record_of(waiting.back().call));
    answer("9.9.9.9", 200);
    run();
  }
  EXPECT_EQ(heard, made);  // in their order
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(record_of(waiting.front().call), made.front());
}

TEST_F(WebhookDispatcherTest, ACallUnderWayIsTriedAgainAfterARestart) {
  subscribe("8.8.8.8");
  make_record();
  run();
  ASSERT_EQ(waiting.size(), 1U);
  const Waiting lost = std::move(waiting.front());
  waiting.clear();
  restart();
  run();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(waiting.front().call.body, lost.call.body);
  lost.done(net::Response{.status = 200});  // of the one before, which is over
  run();
  EXPECT_EQ(calls, 2U);
}

TEST_F(WebhookDispatcherTest, WhatIsCancelledWhileItsCallIsUnderWayStaysSo) {
  const std::string id = subscribe("8.8.8.8");
  make_record();
  run();
  const std::string delivery = get(subscriptions + "/" + id + "/deliveries").text("[0].id");
  const std::string path = D + "/webhook-deliveries/" + delivery;
  EXPECT_EQ(post(path + "/cancel", "").status(), 200);
  answer("8.8.8.8", 500);
  run();
  pass(10);
  run();
  EXPECT_EQ(get(path).at({"status", "attempts"}), "200 cancelled 0");
  EXPECT_TRUE(waiting.empty());
}

TEST_F(WebhookDispatcherTest, AWebhookRemovedWhileItsCallIsUnderWayIsCalledNoMore) {
  const std::string id = subscribe("8.8.8.8");
  make_record();
  make_record();
  run();
  EXPECT_EQ(send("DELETE", subscriptions + "/" + id).status(), 204);
  run();
  answer("8.8.8.8", 200);
  run();
  EXPECT_EQ(calls, 1U);
  subscribe("9.9.9.9");
  make_record();
  run();
  EXPECT_EQ(calls, 2U);
}

TEST_F(WebhookDispatcherTest, WhatIsPendingForARemovedWebhookIsCancelled) {
  const std::string id = subscribe("8.8.8.8");
  make_record();
  run();
  answer("8.8.8.8", 500);
  run();
  const std::string delivery = get(subscriptions + "/" + id + "/deliveries").text("[0].id");
  const std::string path = D + "/webhook-deliveries/" + delivery;
  EXPECT_EQ(get(path).at({"status"}), "200 pending");
  EXPECT_EQ(send("DELETE", subscriptions + "/" + id).status(), 204);
  EXPECT_EQ(get(path).at({"status", "nextAttemptAt"}), "200 cancelled null");
  EXPECT_EQ(post(path + "/replay", "").status(), 409);
  EXPECT_EQ(post(path + "/cancel", "").status(), 409);
}

TEST_F(WebhookDispatcherTest, PayloadsUnderWayAreBoundedAndEachHasItsTurn) {
  // Sixteen webhooks a structure: for more of them a large record would be sent without its data.
  constexpr int groups = 5, group = 16;
  std::set<std::string> urls;
  for (int i = 0; i < groups * group; ++i) {
    const std::string name = "large-" + std::to_string(i / group);
    if (i % group == 0) post(D + "/structures", R"({"name":")" + name + R"("})");
    const std::string url = "https://8.8.4." + std::to_string(i) + "/";
    urls.insert(url);
    post(subscriptions, R"({"url":")" + url + R"(","recordSlugs":[")" + name + R"("]})");
  }
  const auto write_all = [&] {
    for (int i = 0; i < groups; ++i) {
      make_record("", "large-" + std::to_string(i),
                  R"({"text":")" + std::string(900'000, 'x') + R"("})");
    }
    run();
  };
  write_all();
  const std::size_t places = waiting.size();
  EXPECT_LT(places, urls.size());
  std::size_t bytes = 0;
  for (const Waiting& one : waiting) bytes += one.call.body.size();
  // A workspace leaves as much for the others.
  EXPECT_LE(bytes, limits::webhook_call_bytes_max / 2);
  EXPECT_GT(bytes, limits::webhook_call_bytes_max / 10 * 4);
  const std::string other = "/data/workspace/other/api/v1";
  EXPECT_EQ(post(other + "/webhook-subscriptions", R"({"url":"https://9.9.9.9/"})").status(), 201);
  EXPECT_EQ(post(other + "/structures", R"({"name":"S"})").status(), 201);
  EXPECT_EQ(post(other + "/records", R"({"structureId":"s","data":{}})").status(), 201);
  run();
  ASSERT_EQ(waiting.size(), places + 1);
  answer("9.9.9.9", 200);
  run();
  // Those that were left out come before the second call of any other.
  write_all();
  EXPECT_EQ(waiting.size(), places);
  std::multiset<std::string> called;
  while (called.size() < urls.size()) {
    ASSERT_FALSE(waiting.empty());
    called.insert(waiting.front().call.url);
    answer(waiting.front().call.url, 200);
    run();
  }
  EXPECT_EQ(std::set(called.begin(), called.end()), urls);
}

TEST_F(WebhookDispatcherTest, AStructureThatAnotherApiMakesIsHeard) {
  subscribe("8.8.8.8");
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

TEST_F(WebhookDispatcherTest, ManyLargeDeliveriesAreListedWithoutSomeOfTheirPayloads) {
  const std::string id = subscribe("8.8.8.8");
  post(D + "/structures", R"({"name":"Large"})");
  constexpr std::size_t many = 75;
  for (std::size_t i = 0; i < many; ++i) {
    make_record("", "large", R"({"text":")" + std::string(900'000, 'x') + R"("})");
    run();
  }
  const Reply list = get(subscriptions + "/" + id + "/deliveries");
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

TEST_F(WebhookDispatcherTest, WhatHappensWhileAWebhookIsInactiveIsNotDeliveredAfterARestartEither) {
  const std::string path = subscriptions + "/" + subscribe("8.8.8.8");
  patch(path, R"({"active":false})");
  make_record();
  run();
  pass(1);
  patch(path, R"({"active":true})");
  run();
  restart();
  run();
  EXPECT_EQ(calls, 0U);
  make_record();
  run();
  EXPECT_EQ(calls, 1U);
}

TEST_F(WebhookDispatcherTest, ASubscriptionIsBounded) {
  const auto with_name_of = [&](std::size_t bytes) {
    return post(subscriptions,
                R"({"url":"https://8.8.8.8/","name":")" + std::string(bytes, 'x') + R"("})");
  };
  EXPECT_EQ(with_name_of(limits::webhook_bytes_max).status(), 413);
  EXPECT_EQ(with_name_of(limits::webhook_bytes_max - 1'000).status(), 201);
}

TEST_F(WebhookDispatcherTest, TheNextAttemptIsMadeWhenItIsDue) {
  subscribe("8.8.8.8");
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

TEST_F(WebhookDispatcherTest, TheCursorIsWrittenThoughNothingIsWanted) {
  post(subscriptions, R"({"url":"https://8.8.8.8/","events":["record_expired"]})");
  make_record();
  run();
  const auto cursor = [&] {
    View view = database->view();
    const DatabaseInfoPtr workspace = view.catalog().find_database("acme");
    return *read_cursor(view, find_webhook_tables(view.catalog(), workspace->id));
  };
  const Instant before = cursor()->after;
  pass(61);
  make_record();
  run();
  EXPECT_GE(cursor()->after, before + DurableCursor::written_every);
}

}  // namespace
}  // namespace mayfly::centrali::testing
