// Case34 to Case37, Case41, Case59 and Case61: the events in a stream, and access to streams.
#include <set>
#include <thread>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/centrali/events/stream_client_testing.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"
#include "net/requests/testing.h"

namespace mayfly::centrali::testing {
namespace {

const std::string realtime = "/realtime/workspace/acme/events";

class CentraliEventsTest : public CentraliTest {
 protected:
  CentraliEventsTest() { make_structures(); }

  std::shared_ptr<StreamClient> listen(const std::string& parameters = "",
                                       std::vector<net::Pair> more = {}) {
    more.emplace_back("authorization", "Bearer t");
    net::Response response = open(parameters, std::move(more));
    EXPECT_EQ(response.status, 200) << response.body;
    auto client = std::make_shared<StreamClient>();
    client->send(response.body);
    if (response.stream) response.stream(client);
    return client;
  }
  net::Response open(const std::string& parameters, std::vector<net::Pair> headers) {
    net::Request request{.method = "GET", .path = realtime, .headers = std::move(headers)};
    auto decoded = net::decode_form(parameters);
    EXPECT_TRUE(decoded);
    request.parameters = *std::move(decoded);
    return net::PendingRequest(*dialect, request)->answer();
  }
  std::string refusal(const std::string& parameters, std::vector<net::Pair> headers = {}) {
    const Value body = parse_json(open(parameters, std::move(headers)).body).value();
    return body.member("code").text();
  }
  static std::string last_id(const std::string& received) {
    const std::size_t from = received.rfind("id: ") + 4;
    return received.substr(from, received.find('\n', from) - from);
  }
  void sweep() { ASSERT_TRUE(database->sweeper().run_due(100'000)); }
  static std::string at(const Value& payload, std::initializer_list<std::string_view> paths) {
    Reply reply{net::Response{}, payload};
    return reply.at(paths).substr(4);
  }
};

TEST_F(CentraliEventsTest, Case61AStreamBeginsWithAComment) {
  const net::Response response = open("", {{"authorization", "Bearer t"}});
  EXPECT_TRUE(response.body.starts_with("retry: 3000\nid: ")) << response.body;
  EXPECT_TRUE(response.body.ends_with("\n\n: connected to workspace acme\n\n")) << response.body;
  EXPECT_EQ(response.content_type, "text/event-stream");
  const Reply reply{response, {}};
  EXPECT_EQ(*reply.header("Cache-Control"), "no-cache");
  EXPECT_EQ(*reply.header("X-Accel-Buffering"), "no");
  const net::Request stream{.method = "GET", .path = realtime};
  EXPECT_EQ(net::PendingRequest(*dialect, stream)->pace(), net::Pace::quick);
}

TEST_F(CentraliEventsTest, Case61AnUpdateShowsBeforeAndAfter) {
  const auto client = listen();
  const std::string id = make_record();
  pass(1);
  patch(D + "/records/" + id, R"({"data":{"token":"x"}})");
  const auto payloads = payloads_of(client->until("record_updated"));
  ASSERT_EQ(payloads.size(), 2U);
  EXPECT_EQ(
      at(payloads[0],
         {"event", "workspaceSlug", "recordSlug", "recordId", "data", "timestamp", "createdBy"}),
      "record_created acme s " + id + R"( {"userId":"u","token":"t"} 2026-02-27T10:00:00Z null)");
  EXPECT_EQ(at(payloads[1], {"event", "recordId", "data", "timestamp"}),
            "record_updated " + id +
                R"( {"before":{"userId":"u","token":"t"},"after":{"userId":"u","token":"x"}})"
                " 2026-02-27T10:00:01Z");
}

TEST_F(CentraliEventsTest, Case61OnlyEventsOfTheRequestedStructuresAreSent) {
  const auto some = listen("structures=SD");
  const auto by_slug = listen("collections=sd,s&events=record_created");
  make_record("", "S");
  make_record("", "SD");
  EXPECT_EQ(payloads_of(some->until("record_created")).size(), 1U);
  EXPECT_EQ(at(payloads_of(some->until("record_created"))[0], {"recordSlug"}), "sd");
  EXPECT_EQ(payloads_of(by_slug->until("record_created", 2)).size(), 2U);
}

TEST_F(CentraliEventsTest, Case61OnlyEventsThatMatchTheFilterAreSent) {
  post(D + "/structures", R"({"name":"Orders"})");
  const auto pending = listen("filter=data.status:pending");
  const auto large = listen("filter=data.after.total:gte:100&events=record_updated");
  const auto was = listen("filter=data.before.status:ne:pending&filter=data.after.total:gt:1");
  make_record("", "orders", R"({"status":"new","total":1})");
  const std::string id = make_record("", "orders", R"({"status":"pending","total":1})");
  patch(D + "/records/" + id, R"({"data":{"total":100}})");
  patch(D + "/records/" + id, R"({"data":{"status":"done"}})");
  patch(D + "/records/" + id, R"({"data":{"total":2}})");
  EXPECT_EQ(names_in(pending->until("record_updated")), "record_created record_updated");
  EXPECT_EQ(names_in(large->until("record_updated", 2)), "record_updated record_updated");
  EXPECT_EQ(names_in(was->until("\"total\":2")), "record_updated");
}

TEST_F(CentraliEventsTest, Case35AnExpiryEventHasTheDataOfTheRecord) {
  const auto client = listen("events=record_expired");
  const std::string id = make_record("?ttlSeconds=60");
  pass(90);
  sweep();
  const auto payloads = payloads_of(client->until("record_expired"));
  ASSERT_EQ(payloads.size(), 1U);
  EXPECT_EQ(at(payloads[0], {"event", "workspaceSlug", "recordSlug", "recordId", "timestamp",
                             "expiresAt", "data"}),
            "record_expired acme s " + id +
                R"( 2026-02-27T10:01:30Z 2026-02-27T10:01:00Z {"userId":"u","token":"t"})");
}

TEST_F(CentraliEventsTest, Case34AnExpiryIsPublishedInTheEnvelopeOfThePageOnRecordTtl) {
  const auto client = listen("events=record.expired");
  const std::string id = make_record("?ttlSeconds=60");
  const std::string other = make_record("?ttlSeconds=61");
  pass(60);
  sweep();
  sweep();
  pass(1);
  sweep();
  const auto payloads = payloads_of(client->until(other));
  ASSERT_EQ(payloads.size(), 2U);
  EXPECT_EQ(render_json(payloads[0]),
            R"({"event":"record.expired","timestamp":"2026-02-27T10:01:00Z","workspace":"acme",)"
            R"("data":{"record":{"id":")" +
                id + R"(","structureId":"S"}}})");
}

TEST_F(CentraliEventsTest, Case36AnExpiryIsNoDeletion) {
  const auto client = listen();
  make_record("?ttlSeconds=60");
  pass(60);
  sweep();
  make_record();
  EXPECT_EQ(names_in(client->until("record_created", 2)),
            "record_created record_expired record_created");
}

TEST_F(CentraliEventsTest, Case37ADeletionIsNoExpiryAndARestorationIsPublished) {
  const auto client = listen();
  const std::string id = make_record("?ttlSeconds=60");
  send("DELETE", D + "/records/" + id);
  post(D + "/records/" + id + "/restore", "");
  send("DELETE", D + "/records/" + id + "?hard=true");
  pass(60);
  sweep();
  make_record();
  const std::string received = client->until("record_created", 2);
  EXPECT_EQ(names_in(received),
            "record_created record_deleted record_restored record_deleted record_created");
  const auto payloads = payloads_of(received);
  EXPECT_EQ(at(payloads[1], {"recordId", "data"}), id + R"( {"userId":"u","token":"t"})");
  EXPECT_EQ(at(payloads[3], {"recordId", "data"}), id + R"( {"userId":"u","token":"t"})");
}

TEST_F(CentraliEventsTest, Case41TwoConcurrentSweepsPublishEachExpirationOnce) {
  const auto client = listen("events=record_expired");
  std::string body = R"({"structureId":"S","records":[)";
  constexpr int records = 1'000;
  for (int i = 0; i < records; ++i) body += (i > 0 ? "," : "") + std::string(R"({"userId":"u"})");
  ASSERT_EQ(post(D + "/records/bulk?ttlSeconds=60", body + "]}").status(), 201);
  pass(60);
  std::vector<std::thread> sweeps;
  for (int i = 0; i < 2; ++i) sweeps.emplace_back([this] { sweep(); });
  for (std::thread& one : sweeps) one.join();
  make_record("?ttlSeconds=1");
  pass(1);
  sweep();
  const auto payloads = payloads_of(client->until("record_expired", records + 1));
  std::set<std::string> ids;
  for (const Value& payload : payloads) ids.insert(payload.member("recordId").text());
  EXPECT_EQ(payloads.size(), records + 1U);
  EXPECT_EQ(ids.size(), records + 1U);
}

TEST_F(CentraliEventsTest, Case59ABulkIsOneEventWithTheIdsOfAll) {
  const auto client = listen();
  const Reply made =
      post(D + "/records/bulk", R"({"structureId":"S","records":[{"userId":"a"},{"userId":"b"}]})");
  const std::string ids =
      render_json(Value(Array{made.text("data[0].id"), made.text("data[1].id")}));
  send("PATCH", D + "/records/bulk", R"({"ids":)" + ids + R"(,"data":{"token":"x"}})");
  send("DELETE", D + "/records/bulk", R"({"ids":)" + ids + "}");
  const std::string received = client->until("records_bulk_deleted");
  EXPECT_EQ(names_in(received), "records_bulk_created records_bulk_updated records_bulk_deleted");
  for (const Value& payload : payloads_of(received)) {
    EXPECT_EQ(at(payload, {"count", "recordSlug"}), "2 s");
    EXPECT_EQ(payload.member("recordIds").array().size(), 2U);
  }
}

TEST_F(CentraliEventsTest, ABatchIsOneEventForEachRecord) {
  const auto client = listen();
  post(D + "/records/batch", R"({"structureId":"S","records":[{"userId":"a"},{"userId":"b"}]})");
  EXPECT_EQ(names_in(client->until("record_created", 2)), "record_created record_created");
}

TEST_F(CentraliEventsTest, EventsOfALaterStructureAreSentToo) {
  const auto client = listen();
  post(D + "/structures", R"({"name":"Later"})");
  make_record("", "later", "{}");
  EXPECT_EQ(names_in(client->until("later")), "record_created");
}

TEST_F(CentraliEventsTest, AReconnectingClientResumesWhereItStopped) {
  const auto first = listen();
  make_record("", "S", R"({"userId":"one"})");
  const std::string received = first->until("one");
  const std::string id = last_id(received);
  first->end();
  make_record("", "S", R"({"userId":"two"})");
  make_record("", "SD", R"({"userId":"three"})");
  const auto again = listen("", {{"last-event-id", id}});
  EXPECT_EQ(payloads_of(again->until("three")).size(), 2U);
  EXPECT_EQ(refusal("", {{"authorization", "Bearer t"}, {"last-event-id", "x"}}),
            "VALIDATION_FAILED");
}

// An expiry has two events, each with an id, so a client that has received only one resumes after
// it.
TEST_F(CentraliEventsTest, EveryEventHasTheIdToResumeAfterIt) {
  for (const std::string kind : {"record_expired", "record.expired"}) {
    const auto first = listen("events=" + kind);
    const std::string told_first = make_record("?ttlSeconds=60");
    pass(61);
    sweep();
    const std::string received = first->until("\"event\":\"" + kind);
    first->end();
    const std::string told_next = make_record("?ttlSeconds=60");
    pass(61);
    sweep();
    const auto again = listen("events=" + kind, {{"last-event-id", last_id(received)}});
    const std::string rest = again->until("\"event\":\"" + kind);
    EXPECT_EQ(payloads_of(rest).size(), 1U);
    EXPECT_EQ(rest.find(told_first), std::string::npos);
    EXPECT_NE(rest.find(told_next), std::string::npos);
    again->end();
    // A client that has received the first of the two does not miss the second.
    const auto both = listen("events=record_created,record_expired,record.expired",
                             {{"last-event-id", last_id(received)}});
    const int times = kind == "record_expired" ? 2 : 1;
    const std::string all = both->until("\"event\":\"record.expired\"", times);
    EXPECT_EQ(names_in(all), kind == "record_expired"
                                 ? "record.expired record_created record_expired record.expired"
                                 : "record_created record_expired record.expired");
    both->end();
  }
}

TEST_F(CentraliEventsTest, AClientThatReconnectsBeforeTheFirstEventMissesNothing) {
  const auto first = listen();
  const std::string id = last_id(first->until("connected"));
  first->end();
  make_record("", "S", R"({"userId":"one"})");
  const auto again = listen("", {{"last-event-id", id}});
  EXPECT_EQ(names_in(again->until("one")), "record_created");
  for (const std::string bad : {"1.", "1.2", "1.2.", "1.2.x", ".1.2"}) {
    EXPECT_EQ(refusal("", {{"authorization", "Bearer t"}, {"last-event-id", bad}}),
              "VALIDATION_FAILED")
        << bad;
  }
}

TEST_F(CentraliEventsTest, Case61ARefusedStreamSaysWhy) {
  credentials.keys = {"k"};
  const auto token = [&](const std::string& claims) {
    return sign_jwt(claims, options.signing_key).value();
  };
  const std::string good = token(R"({"sub":"u","exp":1772190000,"workspaces":["acme"]})");
  EXPECT_EQ(refusal(""), "MISSING_TOKEN");
  EXPECT_EQ(refusal("access_token=wrong"), "INVALID_TOKEN");
  EXPECT_EQ(refusal("access_token=" + token(R"({"exp":1772186399})")), "TOKEN_EXPIRED");
  EXPECT_EQ(refusal("access_token=" + token(R"({"exp":1772190000,"workspaces":["b"]})")),
            "WORKSPACE_MISMATCH");
  EXPECT_EQ(open("access_token=" + good, {}).status, 200);
  EXPECT_EQ(open("", {{"authorization", "Bearer " + good}}).status, 200);
  EXPECT_EQ(open("access_token=k", {}).status, 200);
  EXPECT_EQ(refusal("access_token=k&events=odd"), "VALIDATION_FAILED");
  EXPECT_EQ(refusal("access_token=k&filter=status:pending"), "VALIDATION_FAILED");
  std::string filters = "access_token=k";
  for (std::size_t i = 0; i <= limits::event_filters_max; ++i) filters += "&filter=data.x:1";
  EXPECT_EQ(refusal(filters), "VALIDATION_FAILED");
  EXPECT_EQ(refusal("access_token=k&structures=none"), "NOT_FOUND");
}

TEST_F(CentraliEventsTest, Case61AWorkspaceHasAThousandStreamsAndNoMore) {
  std::vector<std::shared_ptr<StreamClient>> clients;
  for (std::size_t i = 0; i < limits::event_streams_max; ++i) clients.push_back(listen());
  EXPECT_EQ(refusal("", {{"authorization", "Bearer t"}}), "RATE_LIMIT_EXCEEDED");
  EXPECT_EQ(open("", {{"authorization", "Bearer t"}}).status, 429);
  make_record();
  for (const auto& client : clients) client->until("record_created");
  // A stream that has ended frees its place, at the latest with the next event.
  clients.front()->end();
  make_record();
  clients.back()->until("record_created", 2);
  while (open("", {{"authorization", "Bearer t"}}).status == 429) std::this_thread::yield();
}

TEST_F(CentraliEventsTest, ASlowClientGetsEverythingAtItsOwnPace) {
  const auto slow = listen();
  const auto quick = listen();
  slow->become_slow();
  const std::string token(60 << 10, 'x');
  constexpr int records = 30;
  for (int i = 0; i < records; ++i) {
    make_record("", "S", R"({"userId":"u","token":")" + token + R"("})");
  }
  quick->until("record_created", records);
  int rounds = 0;
  for (std::size_t received = 0; received < records * token.size(); ++rounds) {
    ASSERT_TRUE(slow->wait_until_blocked() || received > 0);
    const std::size_t taken = slow->read_unsent();
    EXPECT_LE(taken, limits::stream_unsent_bytes_max / 2);
    received += taken;
    if (received + limits::stream_unsent_bytes_max / 2 > records * token.size()) break;
  }
  slow->read_unsent();
  EXPECT_EQ(payloads_of(slow->until("record_created", records)).size(), std::size_t{records});
  EXPECT_GT(rounds, 3);
}

// An event does not show a version that the structure no longer keeps.
TEST_F(CentraliEventsTest, AVersionPastItsRetentionIsNotShown) {
  post(D + "/structures", R"({"name":"Short","retentionPolicy":{"historySeconds":60}})");
  const auto first = listen();
  const std::string from = last_id(first->until("connected"));
  const std::string living = make_record("", "short", R"({"text":"secret"})");
  const std::string archived = make_record("", "short", R"({"text":"archived"})");
  const std::string erased = make_record("", "short", R"({"text":"erased"})");
  pass(1);
  patch(D + "/records/" + living, R"({"data":{"text":"now"}})");
  send("DELETE", D + "/records/" + archived);
  send("DELETE", D + "/records/" + erased + "?hard=true");
  EXPECT_NE(first->until("record_deleted", 2).find("secret"), std::string::npos);
  const auto data_heard = [&] {
    const auto again = listen("structures=short", {{"last-event-id", from}});
    const std::string received = again->until("record_deleted", 2);
    again->end();
    std::string data;
    for (const Value& payload : payloads_of(received)) data += at(payload, {"data"}) + " ";
    return data;
  };
  EXPECT_EQ(data_heard(), R"({"text":"secret"} {"text":"archived"} {"text":"erased"} )"
                          R"({"before":{"text":"secret"},"after":{"text":"now"}} )"
                          R"({"text":"archived"} {"text":"erased"} )");
  pass(7'200);
  EXPECT_EQ(data_heard(),
            R"(null null null {"before":null,"after":{"text":"now"}} {"text":"archived"} null )");
}

}  // namespace
}  // namespace mayfly::centrali::testing
