// Case62: webhooks, from their subscription to the last attempt.
#include "dialect/centrali/webhooks/webhooks.h"
#include "base/crypto/crypto.h"
#include "db/rows/malformed.h"
#include "delivery/webhooks/signature.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/webhooks/webhooks_testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliWebhooksTest : public WebhooksTest {
 protected:
  // Runs all jobs that are due. Returns how many calls were made.
  std::size_t run() {
    const std::size_t before = calls.size();
    run_jobs();
    return calls.size() - before;
  }
  void send_to_webhook(net::OutgoingCall call, net::Caller::Done done) override {
    calls.push_back(std::move(call));
    if (status == 0) return done(fail(Code::internal, "nobody there"));
    done(net::Response{.status = status});
  }
  std::string delivered(std::size_t call) const {
    const Value payload = parse_json(calls.at(call).body).value();
    return payload.member("event").text();
  }
  // Verifies as the standard's libraries do: the key is base64 of the part after whsec_.
  static bool verifies(const net::OutgoingCall& call, const std::string& secret) {
    const auto key = decode_base64(secret.substr(6));
    EXPECT_TRUE(key);
    const std::string text =
        header(call, "webhook-id") + "." + header(call, "webhook-timestamp") + "." + call.body;
    const std::string expected = "v1," + encode_base64(hmac_sha256(*key, text));
    return (" " + header(call, "webhook-signature") + " ").find(" " + expected + " ") !=
           std::string::npos;
  }

  std::vector<net::OutgoingCall> calls;
  int status = 200;
};

TEST_F(CentraliWebhooksTest, Case62ADeliveryIsSignedAsStandardWebhooksAre) {
  const Reply made = subscribe();
  const std::string secret = made.text("secret");
  const std::string id = make_record();
  EXPECT_EQ(run(), 1U);
  ASSERT_EQ(calls.size(), 1U);
  const net::OutgoingCall& call = calls[0];
  EXPECT_EQ(call.method + " " + call.url, "POST https://8.8.8.8/hook");
  EXPECT_TRUE(verifies(call, secret));
  EXPECT_FALSE(verifies(call, delivery::new_webhook_secret()));
  EXPECT_EQ(header(call, "webhook-timestamp"), "1772186400");
  EXPECT_EQ(header(call, "Centrali-Id"), header(call, "webhook-id"));
  EXPECT_EQ(header(call, "Centrali-Timestamp"), header(call, "webhook-timestamp"));
  EXPECT_EQ(header(call, "Centrali-Signature"), header(call, "webhook-signature"));
  EXPECT_EQ(header(call, "Centrali-Event-Type"), "record_created");
  EXPECT_EQ(header(call, "Centrali-Retry-Attempt"), "-");
  const Value payload = parse_json(call.body).value();
  EXPECT_EQ(payload.member("recordId").text(), id);
  EXPECT_EQ(render_json(payload.member("data")), R"({"userId":"u","token":"t"})");
  EXPECT_EQ(run(), 0U);
}

TEST_F(CentraliWebhooksTest, Case62TheSignatureIsThatOfTheStandardsOwnExample) {
  EXPECT_EQ(delivery::sign_delivery({"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
                                    "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                                    R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_F(CentraliWebhooksTest, Case62BothSecretsSignForADayAfterARotation) {
  const Reply made = subscribe();
  const std::string path = W + "/" + made.text("id");
  const Reply rotated = post(path + "/rotate-secret", "");
  EXPECT_EQ(rotated.at({"previousSecret", "previousSecretValidUntil"}),
            "200 " + made.text("secret") + " 2026-02-28T10:00:00Z");
  EXPECT_NE(rotated.text("secret"), made.text("secret"));
  make_record();
  run();
  EXPECT_TRUE(verifies(calls.at(0), made.text("secret")));
  EXPECT_TRUE(verifies(calls.at(0), rotated.text("secret")));
  pass(86'401);
  make_record();
  run();
  EXPECT_FALSE(verifies(calls.at(1), made.text("secret")));
  EXPECT_TRUE(verifies(calls.at(1), rotated.text("secret")));
}

TEST_F(CentraliWebhooksTest, ASubscriptionIsMadeReadChangedAndRemoved) {
  const Reply made = subscribe(R"(,"events":["record_created"],"recordSlugs":["s"])");
  EXPECT_EQ(made.at({"name", "url", "events", "recordSlugs", "active", "workspaceSlug",
                     "previousSecretValidUntil", "createdAt"}),
            R"(201 mine https://8.8.8.8/hook ["record_created"] ["s"] true acme null)"
            " 2026-02-27T10:00:00Z");
  EXPECT_TRUE(made.text("secret").starts_with("whsec_"));
  const std::string path = W + "/" + made.text("id");
  EXPECT_EQ(get(path).at({"id", "secret", "previousSecret"}), "200 " + made.text("id") + " - -");
  EXPECT_EQ(get(W).body.array().size(), 1U);
  EXPECT_EQ(patch(path, R"({"active":false,"name":null})").at({"active", "name", "url"}),
            "200 false null https://8.8.8.8/hook");
  EXPECT_EQ(send("DELETE", path).status(), 204);
  EXPECT_EQ(get(path).status(), 404);
  EXPECT_EQ(get(W).response.body, "[]");
  EXPECT_EQ(send("GET", "/data/workspace/none/api/v1/webhook-subscriptions").response.body, "[]");
}

TEST_F(CentraliWebhooksTest, AnIdempotencyKeyCreatesOneSubscription) {
  const auto make = [&] {
    return send("POST", W, R"({"url":"https://8.8.8.8/"})",
                {{"authorization", "Bearer t"}, {"idempotency-key", "k1"}});
  };
  const Reply first = make(), second = make();
  EXPECT_EQ(second.at({"id", "secret"}), "201 " + first.text("id") + " " + first.text("secret"));
  EXPECT_EQ(get(W).body.array().size(), 1U);
}

TEST_F(CentraliWebhooksTest, AnInvalidSubscriptionIsRefusedWithAReason) {
  const std::pair<const char*, const char*> table[] = {
      {R"({})", "400 url"},
      {R"({"url":"ftp://a"})", "400 url"},
      {R"({"url":"nothing"})", "400 url"},
      {R"({"url":"https://user:secret@8.8.8.8/"})", "400 url"},
      {R"({"url":"http://127.0.0.1/"})", "400 url"},
      {R"({"url":"http://[::1]/"})", "400 url"},
      {R"({"url":"http://169.254.169.254/latest"})", "400 url"},
      {R"({"url":"https://8.8.8.8/","events":["odd"]})", "400 events"},
      {R"({"url":"https://8.8.8.8/","events":"record_created"})", "400 events"},
      {R"({"url":"https://8.8.8.8/","recordSlugs":["none"]})", "404 recordSlugs"},
      {R"({"url":"https://8.8.8.8/","active":"yes"})", "400 active"},
  };
  for (const auto& [body, expected] : table) {
    EXPECT_EQ(post(W, body).at({"details[0].field"}), expected) << body;
  }
  const auto with_url_of = [&](std::size_t bytes) {
    const std::string begin = "https://8.8.8.8/";
    return post(W, R"({"url":")" + begin + std::string(bytes - begin.size(), 'x') + R"("})");
  };
  EXPECT_EQ(with_url_of(limits::webhook_url_bytes_max + 1).at({"details[0].field"}), "400 url");
  EXPECT_EQ(with_url_of(limits::webhook_url_bytes_max).status(), 201);
  for (std::size_t i = 1; i < limits::webhooks_max; ++i) EXPECT_EQ(subscribe().status(), 201);
  EXPECT_EQ(subscribe().status(), 413);
}

TEST_F(CentraliWebhooksTest, OnlyRequestedEventsAreDelivered) {
  subscribe(R"(,"events":["record_deleted","record_expired"],"recordSlugs":["S"])");
  const std::string a = make_record(), b = make_record("?ttlSeconds=60");
  send("DELETE", D + "/records/" + a);
  send("DELETE", D + "/records/" + make_record("", "SD"));
  EXPECT_EQ(run(), 1U);
  pass(60);
  ASSERT_TRUE(database->sweeper().run_due(100));
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(delivered(0) + " " + delivered(1), "record_deleted record_expired");
}

TEST_F(CentraliWebhooksTest, NothingFromBeforeTheSubscriptionIsDelivered) {
  make_record();
  subscribe();
  EXPECT_EQ(run(), 0U);
  make_record();
  EXPECT_EQ(run(), 1U);
  subscribe();
  EXPECT_EQ(run(), 0U);
}

TEST_F(CentraliWebhooksTest, ADeliveryIsTriedAgainUntilItIsAccepted) {
  const std::string id = subscribe().text("id");
  make_record();
  status = 500;
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(run(), 0U);
  pass(6);
  status = 0;
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(header(calls[1], "Centrali-Retry-Attempt"), "1");
  EXPECT_EQ(header(calls[1], "webhook-id"), header(calls[0], "webhook-id"));
  EXPECT_EQ(calls[1].body, calls[0].body);
  const Reply waiting = send("GET", W + "/" + id + "/deliveries");
  EXPECT_EQ(Reply({waiting.response, waiting.body.array().at(0)})
                .at({"status", "attempts", "nextAttemptAt", "lastStatus", "lastError"}),
            "200 pending 2 2026-02-27T10:05:06Z null nobody there");
  pass(301);
  status = 204;
  EXPECT_EQ(run(), 1U);
  pass(100'000);
  EXPECT_EQ(run(), 0U);
  EXPECT_EQ(get(D + "/webhook-deliveries/" + header(calls[0], "webhook-id"))
                .at({"status", "attempts", "lastStatus", "deliveredAt", "nextAttemptAt"}),
            "200 delivered 3 204 2026-02-27T10:05:07Z null");
}

TEST_F(CentraliWebhooksTest, AfterTheLastAttemptADeliveryHasFailedAndCanBeReplayed) {
  subscribe();
  make_record();
  status = 500;
  std::size_t attempts = 0;
  for (std::int64_t n = 1; n < 100; ++n) {
    const std::size_t made = run();
    if (made == 0) break;
    attempts += made;
    pass(86'401);
  }
  EXPECT_EQ(attempts, limits::webhook_attempts_max);
  const std::string path = D + "/webhook-deliveries/" + header(calls[0], "webhook-id");
  EXPECT_EQ(get(path).at({"status", "attempts", "nextAttemptAt"}), "200 failed 10 null");
  EXPECT_EQ(post(path + "/cancel", "").status(), 409);
  EXPECT_EQ(post(path + "/replay", "").at({"status"}), "200 pending");
  status = 200;
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(get(path).at({"status"}), "200 delivered");
  pass(7 * 86'400);
  EXPECT_EQ(get(path).status(), 404);
}

TEST_F(CentraliWebhooksTest, ACancelledDeliveryIsNotTriedAgain) {
  subscribe();
  make_record();
  status = 500;
  run();
  const std::string path = D + "/webhook-deliveries/" + header(calls[0], "webhook-id");
  EXPECT_EQ(post(path + "/cancel", "").at({"status"}), "200 cancelled");
  pass(6);
  EXPECT_EQ(run(), 0U);
}

TEST_F(CentraliWebhooksTest, EventsDuringAnInactiveSubscriptionAreNotDeliveredLater) {
  const std::string path = W + "/" + subscribe().text("id");
  patch(path, R"({"active":false})");
  make_record();
  EXPECT_EQ(run(), 0U);
  patch(path, R"({"active":true})");
  EXPECT_EQ(run(), 0U);
  make_record();
  EXPECT_EQ(run(), 1U);
}

TEST_F(CentraliWebhooksTest, AfterARestartEachEventIsStillDeliveredOnce) {
  subscribe();
  make_record();
  EXPECT_EQ(run(), 1U);
  make_record();
  // The new server knows only what is stored.
  for (int i = 0; i < 2; ++i) {
    restart_server();
    EXPECT_EQ(run(), i == 0 ? 1U : 0U);
  }
  EXPECT_EQ(calls.size(), 2U);
}

TEST_F(CentraliWebhooksTest, ManyEventsAreDeliveredOnceEach) {
  subscribe(R"(,"events":["record_created"])");
  subscribe(R"(,"events":["record_created"])");
  constexpr std::size_t records = 1'200;
  for (std::size_t i = 0; i < records; ++i) make_record();
  while (run() > 0) {
  }
  std::map<std::string, std::size_t> received;
  for (const net::OutgoingCall& call : calls) {
    ++received[parse_json(call.body).value().member("recordId").text()];
  }
  EXPECT_EQ(received.size(), records);
  EXPECT_EQ(calls.size(), 2 * records);
}

TEST_F(CentraliWebhooksTest, EventsThatAreTooLargeAreDeliveredWithoutTheirData) {
  subscribe();
  post(D + "/structures", R"({"name":"Large"})");
  const std::string id =
      make_record("", "large", R"({"text":")" + std::string(700'000, 'x') + R"("})");
  run();
  patch(D + "/records/" + id, R"({"data":{"text":")" + std::string(700'000, 'y') + R"("}})");
  make_record();
  run();
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_FALSE(parse_json(calls[0].body)->member("data").is_null());
  const Value update = *parse_json(calls[1].body);  // the record before, and the record after
  EXPECT_TRUE(update.member("data").is_null());
  EXPECT_TRUE(update.member("dataOmitted").is_true());
}

TEST_F(CentraliWebhooksTest, AMessageThatExceedsADocumentWhenEscapedIsDelivered) {
  subscribe();
  post(D + "/structures", R"({"name":"Large"})");
  std::string backslashes;
  for (std::size_t i = 0; i < 520'000; ++i) backslashes += R"(\\)";
  make_record("", "large", R"({"text":")" + backslashes.substr(0, 1'040'000) + R"("})");
  status = 0;
  EXPECT_EQ(run(), 1U);
  EXPECT_TRUE(parse_json(calls.front().body)->member("dataOmitted").is_true());
  EXPECT_EQ(run(), 0U);  // the outcome has been written
}

TEST_F(CentraliWebhooksTest, IdsOfManyRecordsThatAreTooLargeAreLeftOut) {
  subscribe(R"(,"events":["records_bulk_created"])");
  post(D + "/structures", R"({"name":"Large"})");
  const DatabaseInfoPtr workspace = database->catalog()->databases().front();
  const auto made = database->transact([&](Transaction& t) -> Result<void> {
    const auto place = t.view().catalog().find_collection(workspace->id, "large");
    for (int i = 0; i < 1'000; ++i) {
      std::string id = std::to_string(i);
      id.append(limits::document_id_bytes_max - id.size(), '"');
      TRY(t.put(place, DocumentKey::of(id), TRY(pack(Object())), {}));
    }
    return {};
  });
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(run(), 1U);
  const Value payload = *parse_json(calls.at(0).body);
  EXPECT_EQ(payload.member("count").integer(), 1'000);
  EXPECT_TRUE(payload.member("recordIds").is_null());
  EXPECT_TRUE(payload.member("dataOmitted").is_true());
}

TEST_F(CentraliWebhooksTest, ARowThatIsNoWebhookIsReportedAndSkipped) {
  subscribe();
  const DatabaseInfoPtr workspace = database->catalog()->databases().front();
  const auto put = [&](const std::string& id, const std::string& json) {
    const auto done = database->transact([&](Transaction& t) -> Result<void> {
      const auto table = webhooks_of(t.view().catalog(), workspace->id);
      TRY(t.put(table.collection(), DocumentKey::of(id), TRY(pack(TRY(parse_json(json)))), {}));
      return {};
    });
    ASSERT_TRUE(done) << done.error().message;
  };
  const std::uint64_t before = malformed_rows();
  put("a", R"({"events":[1]})");
  put("b", R"({"url":"https://8.8.8.8/b","secret":"whsec_","events":[1]})");
  put("c", R"({"url":"https://8.8.8.8/c","secret":7})");
  put("d", R"({"url":"https://8.8.8.8/d","secret":"whsec_","recordSlugs":{"x":1}})");
  make_record();
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(get(W).body.array().size(), 1U);
  EXPECT_EQ(malformed_rows(), before + 4);
  EXPECT_EQ(get(W + "/a").status(), 404);
}

TEST_F(CentraliWebhooksTest, TheCollectionOfWebhooksIsNotAStructure) {
  subscribe();
  EXPECT_EQ(get(D + "/structures").at({"meta.total"}), "200 2");
  EXPECT_EQ(get(D + "/structures/centrali.webhooks").status(), 404);
  EXPECT_EQ(get(D + "/records/slug/centrali.webhooks").status(), 404);
  EXPECT_EQ(get(D + "/records/matched").status(), 404);
}

}  // namespace
}  // namespace mayfly::centrali::testing
