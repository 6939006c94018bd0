// Case61 over time: quiet streams, long ones, and data that is too large.
#include "dialect/centrali/events/source.h"

#include <gmock/gmock.h>

#include "dialect/centrali/events/stream.h"
#include "dialect/centrali/events/stream_client_testing.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"
#include "dialect/common/limits.h"

namespace mayfly::centrali::testing {
namespace {

Span just_before(Span span) {
  return {span.micros - 1};
}

Instant hub_now;  // the hub's clock

class CentraliSourceTest : public CentraliTest {
 protected:
  CentraliSourceTest() {
    database->jobs().stop();  // the tests run it
    restart_hub(Span{0});
    make_structures();
  }
  void restart_hub(Span look_every) {
    hub_now = Instant::from_seconds(1'000);
    dialect.reset();
    events.reset();
    events = std::make_unique<EventHub>(
        *database, EventHubOptions{.look_every = look_every, .monotonic = [] { return hub_now; }});
    restart();
  }
  // A stream of the events after `after`, or from now on.
  std::shared_ptr<StreamClient> add(NoticeFilter filter = {},
                                    std::optional<Instant> after = std::nullopt,
                                    Instant until = Instant::never()) {
    auto client = std::make_shared<StreamClient>();
    Subscription subscription =
        subscription_of(workspace_source(*database, directory, "acme"), std::move(filter));
    if (after) subscription.after = EventPosition::behind(*after);
    subscription.until = until;
    subscription.stream = client;
    events->subscribe(std::move(subscription));
    return client;
  }
  std::size_t run() { return database->jobs().run_due(JobLane::events); }
  void pass_quietly(Span span) {
    hub_now = hub_now + span;
    run();
  }
  const std::shared_ptr<Directory> directory = std::make_shared<Directory>();
};

TEST_F(CentraliSourceTest, Case61AQuietStreamIsKeptAlive) {
  const auto client = add();
  run();
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(client->until(""), "");
  pass_quietly(Span{1});
  EXPECT_EQ(client->until("ping"), ": ping\n\n");
  make_record();
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(names_in(client->until("record_created")), "record_created");
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(client->until("record_created").find(": ping", 10), std::string::npos);
}

// A long text, and many filters that match all of it.
TEST_F(CentraliSourceTest, AStreamWhoseFiltersTakeTooLongEndsAndTheOthersGoOn) {
  NoticeFilter costly;
  for (int i = 0; i < 400; ++i) {
    costly.filters.push_back(
        parse_event_filter("data.token:contains:" + std::string(40, 'a') + "b").value());
  }
  NoticeFilter simple;
  simple.filters.push_back(parse_event_filter("data.userId:u").value());
  std::vector<std::shared_ptr<StreamClient>> clients;
  for (const NoticeFilter* filter : {&costly, &simple, &costly}) {
    clients.push_back(add(*filter));
  }
  make_record("", "S", R"({"userId":"u","token":")" + std::string(900'000, 'a') + R"(b"})");
  for (int i = 0; i < 5; ++i) pass_quietly(Span{1});
  EXPECT_THAT(clients[0]->until("close"),
              ::testing::HasSubstr("filters of the stream take too long"));
  EXPECT_EQ(names_in(clients[1]->until("record_created")), "record_created");
  EXPECT_THAT(clients[2]->until("close"),
              ::testing::HasSubstr("filters of the stream take too long"));
  EXPECT_FALSE(clients[0]->is_open());
  EXPECT_TRUE(clients[1]->is_open());
}

TEST_F(CentraliSourceTest, Case61AStreamEndsAfterAnHour) {
  const auto client = add();
  run();
  pass_quietly(just_before(limits::stream_age_max));
  EXPECT_TRUE(client->is_open());
  pass_quietly(Span{1});
  EXPECT_FALSE(client->is_open());
  EXPECT_TRUE(client->until("close").ends_with("event: close\ndata: {}\n\n"));
}

TEST_F(CentraliSourceTest, AStreamEndsWithItsToken) {
  const auto client = add({}, std::nullopt, database->now() + Span::seconds(60));
  run();
  pass(59);
  pass_quietly(Span::seconds(1));
  EXPECT_TRUE(client->is_open());
  pass(2);
  pass_quietly(Span::seconds(1));
  EXPECT_FALSE(client->is_open());
}

TEST_F(CentraliSourceTest, DataThatIsTooLargeIsLeftOut) {
  const auto client = add();
  run();
  post(D + "/structures", R"({"name":"Large"})");
  make_record("", "large", R"({"text":")" + std::string(limits::event_bytes_max, 'x') + R"("})");
  run();
  const auto payloads = payloads_of(client->until("record_created"));
  EXPECT_EQ(render_json(payloads[0].member("data")), "null");
  EXPECT_TRUE(payloads[0].member("dataOmitted").is_true());
}

TEST_F(CentraliSourceTest, ACommitThatIsTooLargeIsPublishedWithoutTheRestOfItsData) {
  const auto client = add();
  run();
  post(D + "/structures", R"({"name":"Large"})");
  const std::string text(900 << 10, 'x');
  constexpr int records = 40;
  for (int i = 0; i < records; ++i) {
    make_record("?expiresAt=2026-02-27T10:01:00Z", "large", R"({"text":")" + text + R"("})");
    run();
  }
  pass(60);
  ASSERT_TRUE(database->sweeper().run_due(1'000));
  run();
  std::size_t with_data = 0, without = 0;
  for (const Value& payload : payloads_of(client->until("record_expired", records))) {
    if (payload.member("event").text() != "record_expired") continue;
    ++(payload.member("dataOmitted").is_true() ? without : with_data);
  }
  EXPECT_EQ(with_data + without, std::size_t{records});
  EXPECT_GT(without, 0U);
  EXPECT_GT(with_data, 20U);
}

// A client that comes back after a long time has many pages to read.
TEST_F(CentraliSourceTest, AClientFarBehindDelaysNoOther) {
  restart_hub(Span::seconds(1));
  const Instant beginning = database->now();
  constexpr std::size_t records = 2 * limits::event_page_max + 1;
  for (std::size_t i = 0; i < records; ++i) make_record();
  run();  // other jobs of the lane begin
  const auto far = add({}, beginning);
  const auto near = add();
  const auto received = [&] { return payloads_of(far->until("")).size(); };
  run();
  EXPECT_EQ(received(), limits::event_page_max);
  make_record("", "SD");
  run();
  EXPECT_EQ(names_in(near->until("record_created")), "record_created");
  EXPECT_EQ(received(), 2 * limits::event_page_max);
  run();
  EXPECT_EQ(received(), records + 1);
  run();
  EXPECT_EQ(received(), records + 1);
}

}  // namespace
}  // namespace mayfly::centrali::testing
