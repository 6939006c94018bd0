// Overload: buffered and discarded requests, warnings, and postponed passes.
#include "dialect/kuzzle/server/load.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"
#include "dialect/kuzzle/trash/collector.h"
#include "dialect/row.h"
#include "net/requests/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::RecordingClient;
using testing::Server;
using testing::start;
using testing::v7;

TEST(KuzzleLoadTest, RequestsBeyondTheLimitAreBufferedUntilOthersEnd) {
  const KuzzleOptions options{.running_max = 2, .buffered_max = 2};
  Metrics measured(kuzzle_dialect().metrics);
  Load load(options, &measured);
  auto first = load.enter(start);
  auto second = load.enter(start);
  EXPECT_FALSE(load.is_overloaded());
  auto third = load.enter(start);
  EXPECT_TRUE(load.is_overloaded());
  EXPECT_EQ(load.running(), 2U);
  auto fourth = load.enter(start);
  EXPECT_FALSE(fourth.is_discarded());
  EXPECT_EQ(load.buffered(), 2U);
  EXPECT_EQ(measured.gauge("mayfly_kuzzle_requests_buffered").level(), 2);
  const auto fifth = load.enter(start);
  EXPECT_TRUE(fifth.is_discarded());
  EXPECT_EQ(load.buffered(), 2U);
  EXPECT_EQ(measured.counter("mayfly_kuzzle_requests_discarded_total").count(), 1U);
  first = {};
  EXPECT_TRUE(load.is_overloaded());
  second = {};
  EXPECT_FALSE(load.is_overloaded());
  EXPECT_EQ(load.running(), 2U);
  third = {};
  fourth = {};
  EXPECT_EQ(load.running(), 0U);
  EXPECT_EQ(measured.gauge("mayfly_kuzzle_requests_buffered").level(), 0);
}

TEST(KuzzleLoadTest, AFillingBufferIsReportedEveryHalfSecondAtMost) {
  const KuzzleOptions options{.running_max = 1, .buffered_max = 100, .buffered_warning = 1};
  Metrics measured(kuzzle_dialect().metrics);
  Load load(options, &measured);
  const auto& warnings = measured.counter("mayfly_kuzzle_overload_warnings_total");
  std::vector<Load::Admission> places;
  const auto enter = [&](Instant now) { places.push_back(load.enter(now)); };
  for (int i = 0; i < 3; ++i) enter(start);
  EXPECT_EQ(warnings.count(), 0U);
  enter(start);
  EXPECT_EQ(warnings.count(), 1U);
  enter(start + Span::millis(499));
  EXPECT_EQ(warnings.count(), 1U);
  enter(start + Span::millis(500));
  EXPECT_EQ(warnings.count(), 2U);
}

// Clients that have each sent one request, which is not answered yet.
class Crowd {
 public:
  explicit Crowd(Server& server) : server_(server) {}
  void ask(const std::string& request) {
    ears_.push_back(std::make_shared<RecordingClient>());
    talks_.push_back(server_.open_conversation(ears_.back()));
    talks_.back()->receive(request);
  }
  Answer answer(std::size_t i) {
    talks_[i]->answer(Instant::never());
    return Server::answer_in(ears_[i]->received.back());
  }

 private:
  Server& server_;
  std::vector<std::shared_ptr<RecordingClient>> ears_;
  std::vector<std::unique_ptr<net::Conversation>> talks_;
};

const KuzzleOptions one_runs_and_two_wait{.running_max = 1, .buffered_max = 2};

TEST(KuzzleLoadTest, RequestsBeyondTheBufferAreRefusedWithKuzzlesMessage) {
  const auto s = Server::with_collection();
  s->restart_with(one_runs_and_two_wait);
  const std::string now = R"({"controller":"server","action":"now","volatile":)" + v7 + "}";
  Crowd crowd(*s);
  for (int i = 0; i < 10; ++i) crowd.ask(now);
  for (std::size_t late = 3; late < 10; ++late) {
    const Answer refused = crowd.answer(late);
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.error(), R"("Request discarded: Kuzzle Server is temporarily overloaded")");
    EXPECT_EQ(refused.text("error.id"), R"("api.process.overloaded")");
  }
  for (const std::size_t early : {0U, 1U, 2U}) EXPECT_EQ(crowd.answer(early).status, 200);
  EXPECT_EQ(s->send(R"("controller":"server","action":"now")").status, 200);
}

TEST(KuzzleLoadTest, ARequestOverHttpCountsWhileItIsHeld) {
  const auto s = Server::with_collection();
  s->restart_with(one_runs_and_two_wait);
  const net::Request now{.method = "GET", .target = "/_now", .path = "/_now"};
  std::vector<std::unique_ptr<net::PendingRequest>> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(std::make_unique<net::PendingRequest>(*s->dialect, now));
    (*held.back())->enter();
  }
  EXPECT_EQ((*held[3])->pace(), net::Pace::quick);
  const net::Response refused = (*held[3])->answer();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(parse_json(refused.body)->member("error").member("message").text(),
            "Request discarded: Kuzzle Server is temporarily overloaded");
  EXPECT_EQ((*held[2])->answer().status, 200);
  net::Request health{.method = "GET", .target = "/_healthCheck", .path = "/_healthCheck"};
  net::PendingRequest told(*s->dialect, health);
  told->enter();
  EXPECT_EQ(told->answer().status, 200);
  held.pop_back();
  (*held.front())->leave();
  net::PendingRequest again(*s->dialect, now);
  again->enter();
  EXPECT_EQ(again->answer().status, 200);
}

TEST(KuzzleLoadTest, OnlyARequestForHealthItselfIsUrgent) {
  const Server s;
  net::Request request{.method = "GET", .target = "/_healthCheck", .path = "/_healthCheck"};
  EXPECT_TRUE(net::PendingRequest(*s.dialect, request)->is_urgent);
  // The answer is a conversation, whatever the path.
  request.headers = {{"upgrade", "websocket"}};
  EXPECT_FALSE(net::PendingRequest(*s.dialect, request)->is_urgent);
  EXPECT_TRUE(net::PendingRequest(*s.dialect, request)->answer().conversation);
}

TEST(KuzzleLoadTest, TheGarbageCollectorWaitsUntilTheBufferIsEmpty) {
  const auto s = Server::with_collection();
  KuzzleOptions options = one_runs_and_two_wait;
  options.collector = {
      .every = Span::seconds(60), .documents_max = 10, .retry_after = Span::seconds(3'600)};
  s->restart_with(options);
  s->of("document:create", "d1", "{}");
  s->of("document:delete", "d1");
  s->advance(60'001);
  {
    Crowd crowd(*s);
    const std::string now = R"({"controller":"server","action":"now"})";
    crowd.ask(now);
    crowd.ask(now);
    EXPECT_EQ(s->trashed("d1").status, 200);
  }
  s->advance(3'599'000);
  EXPECT_EQ(s->trashed("d1").status, 200);
  s->advance(1'001);
  EXPECT_EQ(s->trashed("d1").status, 404);
}

TEST(KuzzleLoadTest, APassLeavesTheCollectionsThatItComesToOverloaded) {
  const auto s = Server::with_collection({.every = Span::seconds(60)});
  for (const char* name : {"a", "b"}) {
    s->collection = name;
    s->call("collection:create");
    s->of("document:create", "d", "{}");
    s->of("document:delete", "d");
  }
  // Called at the start of the pass, before a and before b.
  int asked = 0;
  Collector collector(*s->services, s->options.collector, [&] { return ++asked > 2; });
  s->advance(60'001);
  EXPECT_EQ(collector.run_due(), 1U);
  const auto lies_there = [&](const std::string& name) {
    const auto collection = s->database->catalog()->find_collection(
        s->database->catalog()->find_database("idx")->id, name);
    return s->database->view().get_removed(*collection, DocumentKey::of("d"))->has_value();
  };
  EXPECT_FALSE(lies_there("a"));
  EXPECT_TRUE(lies_there("b"));
}

}  // namespace
}  // namespace mayfly::kuzzle
