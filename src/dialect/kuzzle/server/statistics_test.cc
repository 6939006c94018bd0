// The frames of the server's statistics.
#include "dialect/kuzzle/server/statistics.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Server;
using testing::start;
using testing::start_millis;

const KuzzleOptions three_frames{.frame_every = Span::seconds(10),
                                 .frames_kept_for = Span::seconds(30)};

std::string frame(const std::string& completed, const std::string& connections,
                  const std::string& failed, const std::string& ongoing, std::int64_t at) {
  return R"({"connections":)" + connections + R"(,"ongoingRequests":)" + ongoing +
         R"(,"completedRequests":)" + completed + R"(,"failedRequests":)" + failed +
         R"(,"timestamp":)" + std::to_string(at) + "}";
}

TEST(KuzzleStatisticsTest, AFrameHasTheRequestsThatEndedInItAndThoseInProgressAtItsEnd) {
  Statistics statistics(three_frames, start);
  statistics.connected(Protocol::websocket, start);
  statistics.started(Protocol::websocket, start);
  statistics.started(Protocol::http, start);
  statistics.ended(Protocol::http, false, start);
  const std::string begun = frame(R"({"http":1})", R"({"websocket":1})", "{}", R"({"websocket":1})",
                                  start_millis + 5'000);
  EXPECT_EQ(render_json(statistics.last(start + Span::seconds(5))), begun);
  statistics.ended(Protocol::websocket, true, start + Span::seconds(9));
  statistics.disconnected(Protocol::websocket, start + Span::seconds(12));
  EXPECT_EQ(render_json(statistics.between(std::nullopt, std::nullopt, start + Span::seconds(25))),
            "[" +
                frame(R"({"http":1})", R"({"websocket":1})", R"({"websocket":1})", "{}",
                      start_millis + 10'000) +
                "," + frame("{}", "{}", "{}", "{}", start_millis + 20'000) + "]");
  // The last closed frame, with the time of the request.
  EXPECT_EQ(render_json(statistics.last(start + Span::seconds(25))),
            frame("{}", "{}", "{}", "{}", start_millis + 25'000));
}

TEST(KuzzleStatisticsTest, FramesAreBoundedAfterALongTimeWithoutAccess) {
  Statistics statistics(three_frames, start);
  statistics.started(Protocol::http, start);
  statistics.ended(Protocol::http, false, start);
  const Instant late = start + Span::seconds(86'400 * 3'660LL);
  const Array kept = statistics.between(std::nullopt, std::nullopt, late);
  ASSERT_EQ(kept.size(), 3U);
  const std::int64_t late_millis = start_millis + 86'400'000 * 3'660LL;
  EXPECT_EQ(kept[2].member("timestamp").integer(), late_millis);
  EXPECT_EQ(kept[0].member("timestamp").integer(), late_millis - 20'000);
  EXPECT_EQ(render_json(kept[0].member("completedRequests")), "{}");
}

TEST(KuzzleStatisticsTest, ClientsAskForFramesOfATime) {
  const auto s = Server::with_collection();
  s->restart_with(three_frames);
  s->http("GET", "/_now");
  s->http("GET", "/idx/col/none");
  s->advance(10'000);
  s->http("GET", "/_now");
  s->advance(10'000);
  const auto last = s->http("GET", "/_getLastStats");
  EXPECT_EQ(last.result(), frame(R"({"http":1})", "{}", "{}", "{}", start_millis + 20'000));
  EXPECT_EQ(s->http("GET", "/_getAllStats").text("result.total"), "2");
  const auto first = s->http("GET", "/_getStats?stopTime=" + std::to_string(start_millis + 10'000));
  EXPECT_EQ(first.text("result.hits[0].failedRequests"), R"({"http":1})");
  EXPECT_EQ(first.text("result.total"), "1");
  EXPECT_EQ(s->call("server:getStats",
                    R"("body":{"startTime":)" + std::to_string(start_millis + 10'001) + "}")
                .text("result.total"),
            "1");
  EXPECT_EQ(s->http("GET", "/_getStats?startTime=2027-01-15T08:00:15Z").text("result.total"), "1");
  EXPECT_EQ(s->http("GET", "/_getStats?startTime=soon").status, 400);
}

TEST(KuzzleStatisticsTest, TheServerShowsItsBoundsAndItsLoad) {
  const auto s = Server::with_collection();
  const auto capable = s->http("GET", "/_capabilities");
  EXPECT_EQ(capable.text("result.limits"),
            R"({"concurrentRequests":50,"documentsFetchCount":1000,"documentsWriteCount":200,)"
            R"("loginsPerSecond":50,)"
            R"("requestsBufferSize":50000,"requestsBufferWarningThreshold":5000,)"
            R"("subscriptionConditionsCount":16,"subscriptionRooms":100000})");
  EXPECT_EQ(capable.text("result.routes.server.capabilities.http[0].url"), R"("/_capabilities")");
  EXPECT_EQ(s->http("GET", "/_getConfig").text("result.limits"), capable.text("result.limits"));
  EXPECT_EQ(s->http("GET", "/_getConfig").text("result.stats"),
            R"({"statsInterval":10,"ttl":3600})");
  EXPECT_EQ(s->call("server:metrics").result(),
            R"({"api":{"concurrentRequests":1,"pendingRequests":0},)"
            R"("network":{"connections":{"websocket":1}},)"
            R"("realtime":{"rooms":0,"subscriptions":0}})");
}

}  // namespace
}  // namespace mayfly::kuzzle
