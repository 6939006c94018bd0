// Case 61, as time goes by: quiet streams, long ones, and data that is too large.
#include "dialect/centrali/events/announcer.h"

#include <gmock/gmock.h>

#include "dialect/centrali/centrali_testing.h"
#include "dialect/centrali/events/ear_testing.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/common/limits.h"

namespace mayfly::centrali::testing {
namespace {

Span just_before(Span span) {
  return {span.micros - 1};
}

class CentraliAnnouncerTest : public CentraliTest {
 protected:
  CentraliAnnouncerTest() {
    database->jobs().stop();  // the tests run it
    make_structures();
  }
  std::shared_ptr<Ear> add(Instant until = Instant::never()) {
    auto ear = std::make_shared<Ear>();
    announcer.add({.workspace = "acme", .after = database->now(), .until = until, .stream = ear});
    announcer.run(now);
    return ear;
  }
  void pass_quietly(Span span) {
    now = now + span;
    announcer.run(now);
  }
  Instant now = Instant::from_seconds(1'000);
  Directory directory;
  Announcer announcer{*database, directory};
};

TEST_F(CentraliAnnouncerTest, Case61AQuietStreamIsKeptAwake) {
  const auto ear = add();
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(ear->until(""), "");
  pass_quietly(Span{1});
  EXPECT_EQ(ear->until("ping"), ": ping\n\n");
  make_record();
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(names_in(ear->until("record_created")), "record_created");
  pass_quietly(just_before(limits::keep_alive_every));
  EXPECT_EQ(ear->until("record_created").find(": ping", 10), std::string::npos);
}

// A long text, and many filters that all of it fits.
TEST_F(CentraliAnnouncerTest, AStreamWhoseFiltersTakeTooLongEndsAndTheOthersGoOn) {
  Choice costly;
  for (int i = 0; i < 400; ++i) {
    costly.filters.push_back(
        parse_event_filter("data.token:contains:" + std::string(40, 'a') + "b").value());
  }
  Choice simple;
  simple.filters.push_back(parse_event_filter("data.userId:u").value());
  std::vector<std::shared_ptr<Ear>> ears;
  for (const Choice* choice : {&costly, &simple, &costly}) {
    ears.push_back(std::make_shared<Ear>());
    announcer.add(
        {.workspace = "acme", .choice = *choice, .after = database->now(), .stream = ears.back()});
  }
  make_record("", "S", R"({"userId":"u","token":")" + std::string(900'000, 'a') + R"(b"})");
  for (int i = 0; i < 5; ++i) pass_quietly(Span{1});
  EXPECT_THAT(ears[0]->until("close"), ::testing::HasSubstr("filters of the stream take too long"));
  EXPECT_EQ(names_in(ears[1]->until("record_created")), "record_created");
  EXPECT_THAT(ears[2]->until("close"), ::testing::HasSubstr("filters of the stream take too long"));
  EXPECT_FALSE(ears[0]->is_open());
  EXPECT_TRUE(ears[1]->is_open());
}

TEST_F(CentraliAnnouncerTest, Case61AStreamEndsAfterAnHour) {
  const auto ear = add();
  pass_quietly(just_before(limits::stream_age_max));
  EXPECT_TRUE(ear->is_open());
  pass_quietly(Span{1});
  EXPECT_FALSE(ear->is_open());
  EXPECT_TRUE(ear->until("close").ends_with("event: close\ndata: {}\n\n"));
}

TEST_F(CentraliAnnouncerTest, AStreamEndsWithItsToken) {
  const auto ear = add(database->now() + Span::seconds(60));
  pass(59);
  pass_quietly(Span::seconds(1));
  EXPECT_TRUE(ear->is_open());
  pass(2);
  pass_quietly(Span::seconds(1));
  EXPECT_FALSE(ear->is_open());
}

TEST_F(CentraliAnnouncerTest, DataThatIsTooLargeIsLeftOut) {
  const auto ear = add();
  post(D + "/structures", R"({"name":"Large"})");
  make_record("", "large", R"({"text":")" + std::string(limits::event_bytes_max, 'x') + R"("})");
  announcer.run(now);
  const auto payloads = payloads_of(ear->until("record_created"));
  EXPECT_EQ(render_json(payloads[0].member("data")), "null");
  EXPECT_TRUE(payloads[0].member("dataOmitted").is_true());
}

TEST_F(CentraliAnnouncerTest, ACommitThatDoesTooMuchIsToldWithoutTheRestOfItsData) {
  const auto ear = add();
  post(D + "/structures", R"({"name":"Large"})");
  const std::string text(900 << 10, 'x');
  constexpr int records = 40;
  for (int i = 0; i < records; ++i) {
    make_record("?expiresAt=2026-02-27T10:01:00Z", "large", R"({"text":")" + text + R"("})");
    announcer.run(now);
  }
  pass(60);
  ASSERT_TRUE(database->sweeper().run_due(1'000));
  announcer.run(now);
  std::size_t with_data = 0, without = 0;
  for (const Value& payload : payloads_of(ear->until("record_expired", records))) {
    if (payload.member("event").text() != "record_expired") continue;
    ++(payload.member("dataOmitted").is_true() ? without : with_data);
  }
  EXPECT_EQ(with_data + without, std::size_t{records});
  EXPECT_GT(without, 0U);
  EXPECT_GT(with_data, 20U);
}

// A client that comes back after a long time has many pages to read.
TEST_F(CentraliAnnouncerTest, OneThatHasFarToGoKeepsNoOtherWaiting) {
  const Instant beginning = database->now();
  constexpr std::size_t records = 2 * limits::event_page_max + 1;
  for (std::size_t i = 0; i < records; ++i) make_record();
  const auto far = std::make_shared<Ear>();
  const auto near = std::make_shared<Ear>();
  announcer.add({.workspace = "acme", .after = beginning, .stream = far});
  announcer.add({.workspace = "acme", .after = database->now(), .stream = near});
  const auto heard = [&] { return payloads_of(far->until("")).size(); };
  EXPECT_TRUE(announcer.run(now));
  EXPECT_EQ(heard(), limits::event_page_max);
  make_record("", "SD");
  EXPECT_TRUE(announcer.run(now));
  EXPECT_EQ(names_in(near->until("record_created")), "record_created");
  EXPECT_EQ(heard(), 2 * limits::event_page_max);
  EXPECT_FALSE(announcer.run(now));
  EXPECT_EQ(heard(), records + 1);
  EXPECT_FALSE(announcer.run(now));
}

}  // namespace
}  // namespace mayfly::centrali::testing
