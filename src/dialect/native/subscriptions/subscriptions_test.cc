// Subscriptions over the API: requests, answers, and what a webhook receives.
#include <gtest/gtest.h>
#include <set>

#include "delivery/webhooks/signature.h"
#include "dialect/native/testing.h"

namespace mayfly::native {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

const std::string subscriptions = "/v1/databases/d/subscriptions";
constexpr std::string_view hook = R"("target":{"webhook":{"url":"https://hooks.example.com/a"}})";

std::string asking(std::string_view more = "") {
  return "{" + std::string(hook) + std::string(more) + "}";
}

class SubscriptionsTest : public ::testing::Test {
 protected:
  // Waits until the events so far are delivered.
  void settle() {
    api->database->jobs().stop();
    for (int i = 0; i < 100 && api->database->jobs().run_due() > 0; ++i) {
    }
  }
  Value create(std::string_view more = "") {
    const net::Response made = api->send("POST", subscriptions, asking(more));
    EXPECT_EQ(made.status, 201) << made.body;
    settle();
    return *parse_json(made.body);
  }
  static std::string header(const net::OutgoingCall& call, std::string_view name) {
    for (const auto& [own, value] : call.headers) {
      if (own == name) return value;
    }
    return {};
  }
  void write(const std::string& id, const std::string& query = "") {
    EXPECT_EQ(api->status("PUT", place + "/documents/" + id + query, R"({"n":1})"), 201);
  }

  std::unique_ptr<Api> api = Api::with_collection();
};

TEST_F(SubscriptionsTest, AnExpirationReachesAWebhookSigned) {
  const Value made = create(R"(,"kinds":["expired"])");
  const std::string secret = made.member("target").member("webhook").member("secret").text();
  write("a", "?ttl=5184000");
  settle();
  EXPECT_TRUE(api->calls.empty());
  api->clock.advance(Span::seconds(5'184'001));
  EXPECT_TRUE(api->database->sweeper().run_due(10));
  settle();
  ASSERT_EQ(api->calls.size(), 1U);
  const net::OutgoingCall& call = api->calls[0];
  EXPECT_EQ(call.url, "https://hooks.example.com/a");
  EXPECT_EQ(call.address_policy, net::AddressPolicy::public_only);
  EXPECT_EQ(header(call, "mayfly-event"), "expired");
  const Value body = *parse_json(call.body);
  EXPECT_EQ(body.member("event").member("id").text(), "a");
  EXPECT_EQ(body.member("collection").text(), "c");
  EXPECT_EQ(body.member("id").text(), header(call, "webhook-id"));
  EXPECT_EQ(header(call, "webhook-signature"),
            delivery::sign_delivery({secret}, header(call, "webhook-id"),
                                    std::stoll(header(call, "webhook-timestamp")), call.body));
  const Value state =
      api->json("GET", subscriptions + "/" + made.member("id").text()).member("state");
  EXPECT_EQ(state.member("delivered").integer(), 1);
  EXPECT_EQ(state.member("waiting").integer(), 0);
}

TEST_F(SubscriptionsTest, AFilterMayHaveEachKindOfLiteral) {
  for (const char* filter : {R"(status in [\"open\", \"new\"])", "v >= 10.0", "v < 1e3",
                             R"(at < time(\"2030-01-01T00:00:00Z\"))", "v in [1, 2.0]"}) {
    const std::string more = R"(,"filter":")" + std::string(filter) + '"';
    EXPECT_EQ(api->send("POST", subscriptions, asking(more)).status, 201) << filter;
  }
}

TEST_F(SubscriptionsTest, TheSecretIsShownOnce) {
  const std::string id = create().member("id").text();
  for (const std::string& path : {subscriptions, subscriptions + "/" + id}) {
    const std::string shown = api->ask("GET", path);
    EXPECT_EQ(shown.find("whsec_"), std::string::npos) << shown;
    EXPECT_NE(shown.find("hooks.example.com"), std::string::npos) << shown;
  }
  for (const char* verb : {"/pause", "/resume", "/replay"}) {
    const std::string shown = api->ask("POST", subscriptions + "/" + id + verb);
    EXPECT_EQ(shown.substr(0, 3), "200") << shown;
    EXPECT_EQ(shown.find("whsec_"), std::string::npos) << shown;
  }
}

TEST_F(SubscriptionsTest, AWebhookTakesLists) {
  const std::string target =
      R"({"target":{"webhook":{"url":"https://hooks.example.com/a","batch_max":100}}})";
  const net::Response made = api->send("POST", subscriptions, target);
  ASSERT_EQ(made.status, 201) << made.body;
  const Value webhook = parse_json(made.body)->member("target").member("webhook");
  EXPECT_EQ(webhook.member("batch_max").integer(), 100);
  settle();
  for (const char* id : {"a", "b", "c"}) write(id);
  settle();
  ASSERT_EQ(api->calls.size(), 1U);
  const net::OutgoingCall& call = api->calls[0];
  const Value body = *parse_json(call.body);
  ASSERT_EQ(body.array().size(), 3U);
  const std::string id = body.array()[0].member("id").text() + "+2";
  EXPECT_EQ(header(call, "webhook-id"), id);
  EXPECT_EQ(header(call, "mayfly-event"), "");
  EXPECT_EQ(header(call, "webhook-signature"),
            delivery::sign_delivery({webhook.member("secret").text()}, id,
                                    std::stoll(header(call, "webhook-timestamp")), call.body));
  write("d");
  settle();
  ASSERT_EQ(api->calls.size(), 2U);
  EXPECT_EQ(parse_json(api->calls[1].body)->array().size(), 1U);
}

TEST_F(SubscriptionsTest, WhatIsWrongIsNamed) {
  const std::pair<std::string, const char*> rows[] = {
      {"{}", "invalid target"},
      {R"({"target":{"fax":{}}})", "invalid target"},
      {R"({"target":{"webhook":{}}})", "invalid target.webhook.url"},
      {R"({"target":{"webhook":{"url":"ftp://a"}}})", "invalid target.webhook.url"},
      {R"({"target":{"webhook":{"url":"http://127.0.0.1/"}}})", "forbidden target.webhook.url"},
      {R"({"target":{"webhook":{"url":"http://[::ffff:10.0.0.1]/"}}})",
       "forbidden target.webhook.url"},
      {R"({"target":{"webhook":{"url":"https://a.example","port":1}}})",
       "invalid target.webhook.port"},
      {asking(R"(,"kinds":["died"])"), "invalid kinds"},
      {asking(R"(,"collections":[1])"), "invalid collections"},
      {asking(R"(,"collections":["c","none"])"), "invalid collections"},
      {asking(R"(,"from":"2999-01-01T00:00:00Z")"), "invalid from"},
      {R"({"target":{"webhook":{"url":"https://a.example","secret":"short"}}})",
       "invalid target.webhook.secret"},
      {R"({"target":{"webhook":{"url":"https://a.example","secret":"whsec_!!!!!!!!!!!!!!"}}})",
       "invalid target.webhook.secret"},
      {R"({"target":{"webhook":{"url":"https://a.example","secret":"whsec_c2hvcnRrZXk="}}})",
       "invalid target.webhook.secret"},
      {R"({"target":{"nats":{}}})", "invalid target"},
      {asking(R"--(,"filter":"matches(n, '(')")--"), "invalid filter"},
      {R"({"target":{"webhook":{"url":"https://a.example","batch_max":101}}})",
       "invalid target.webhook.batch_max"},
      {R"({"target":{"webhook":{"url":"https://a.example","batch_max":2}},"attempts_max":1})",
       "invalid attempts_max"},
      {asking(R"(,"filter":"n >")"), "invalid filter"},
      {asking(R"(,"from":"yesterday")"), "invalid from"},
      {asking(R"(,"attempts_max":0)"), "invalid attempts_max"},
      {asking(R"(,"more":1)"), "invalid more"},
  };
  for (const auto& [body, error] : rows) {
    EXPECT_EQ(Api::error_of(api->send("POST", subscriptions, body)), error) << body;
  }
  EXPECT_EQ(
      api->status("POST", subscriptions, asking(R"(,"name":")" + std::string(40'000, 'x') + "\"")),
      413);
  EXPECT_EQ(api->ids(subscriptions, "subscriptions"), "");
  EXPECT_EQ(api->status("GET", subscriptions + "/x"), 404);
  EXPECT_EQ(api->status("DELETE", subscriptions + "/x"), 404);
  EXPECT_EQ(api->status("GET", "/v1/databases/none/subscriptions"), 404);
}

TEST_F(SubscriptionsTest, DeadLettersAreListedAndSentAgain) {
  const std::string id = create(R"(,"attempts_max":1)").member("id").text();
  api->answer_of_target = net::Response{.status = 422};
  write("a");
  settle();
  const std::string letters = subscriptions + "/" + id + "/dead_letters";
  const Value listed = api->json("GET", letters).member("dead_letters");
  ASSERT_EQ(listed.array().size(), 1U);
  EXPECT_EQ(listed.array()[0].member("error").text(), "it answered with 422");
  EXPECT_EQ(listed.array()[0].member("event").text(), "created");
  api->answer_of_target = net::Response{};
  EXPECT_EQ(api->ask("POST", letters + "/send"), R"(200 {"sent":1,"has_more":false,"next":null})");
  settle();
  EXPECT_EQ(api->calls.size(), 2U);
  EXPECT_EQ(api->ask("GET", letters), R"(200 {"dead_letters":[],"next":null})");
  EXPECT_EQ(api->status("DELETE", subscriptions + "/" + id), 204);
  write("b");
  settle();
  EXPECT_EQ(api->calls.size(), 2U);
}

TEST_F(SubscriptionsTest, DeadLettersAreListedAndSentPageByPage) {
  const std::string id = create(R"(,"attempts_max":1)").member("id").text();
  api->answer_of_target = net::Response{.status = 422};
  constexpr int count = limits::dead_letters_listed_max + 50;
  for (int i = 0; i < count; ++i) write(std::to_string(i));
  for (int i = 0; i < 20; ++i) settle();
  const std::string letters = subscriptions + "/" + id + "/dead_letters";
  std::set<std::string> seen;
  std::string page;
  do {
    const Value listed = api->json("GET", letters + page);
    for (const Value& letter : listed.member("dead_letters").array()) {
      seen.insert(letter.member("id").text());
    }
    const Value next = listed.member("next");
    page = next.is(Kind::text) ? "?page=" + next.text() : "";
  } while (!page.empty());
  EXPECT_EQ(seen.size(), count);
  EXPECT_EQ(api->status("GET", letters + "?page=x"), 400);
  // A message that is given up again meanwhile is not on the next page.
  const Value first = api->json("POST", letters + "/send");
  EXPECT_EQ(first.member("sent").integer(), 100);
  EXPECT_TRUE(first.member("has_more").is_true());
  for (int i = 0; i < 20; ++i) settle();
  EXPECT_EQ(api->ask("POST", letters + "/send?page=" + first.member("next").text()),
            R"(200 {"sent":50,"has_more":false,"next":null})");
}

// The first state does not wait for the engine, which reads the subscription after the answer.
TEST_F(SubscriptionsTest, TheStateIsAvailableImmediately) {
  api->database->jobs().stop();
  const net::Response made = api->send("POST", subscriptions, asking());
  EXPECT_EQ(parse_json(made.body)->member("state").member("delivered").integer(), 0);
}

TEST_F(SubscriptionsTest, AreBoundedInNumber) {
  create();
  const auto done = api->database->transact([&](Transaction& t) -> Result<void> {
    const Catalog& catalog = t.view().catalog();
    const auto table =
        PrivateTable<delivery::Subscription>::find(catalog, catalog.find_database("d")->id);
    delivery::Subscription one = TRY(table.list(t.view())).at(0);
    for (std::size_t i = 2; i < limits::subscriptions_max; ++i) {
      TRY(table.put(t, DocumentKey::of(std::to_string(i)), one));
    }
    return {};
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(api->status("POST", subscriptions, asking()), 201);
  EXPECT_EQ(api->status("POST", subscriptions, asking()), 413);
}

}  // namespace
}  // namespace mayfly::native
