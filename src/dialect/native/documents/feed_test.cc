// Long polls and streams of the feed, with a socket and without.
#include <fmt/format.h>

#include "dialect/native/testing.h"
#include "net/requests/testing.h"
#include "net/server.h"
#include "net/test_client.h"

namespace mayfly::native::testing {
namespace {

const std::string feed_documents = place + "/documents";
const std::string feed = place + "/feed";
const net::Pair as_stream{"accept", "text/event-stream"};

std::string id_of_last(const std::string& text) {
  const std::size_t at = text.rfind("id: ") + 4;
  return text.substr(at, text.find('\n', at) - at);
}

TEST(NativeFeedTest, ALongPollIsAnsweredImmediatelyIfThereAreEvents) {
  auto api = Api::with_collection();
  api->send("PUT", feed_documents + "/a", "{}");
  const Value page = api->json("GET", feed + "?wait_seconds=60");
  EXPECT_EQ(page.member("events").array().size(), 1u);
  EXPECT_EQ(api->stream, nullptr);
}

TEST(NativeFeedTest, BehindZeroIsFromTheBeginning) {
  auto api = Api::with_collection();
  EXPECT_EQ(api->ask("GET", feed + "?after=0"),
            R"(200 {"events":[],"last":"0","has_more":false,"gap":false})");
  for (const char* id : {"a", "b"}) api->send("PUT", feed_documents + "/" + id, "{}");
  EXPECT_EQ(api->ask("GET", feed + "?after=0"), api->ask("GET", feed));
  const net::Response head = api->send("GET", feed + "?after=0", {}, {as_stream});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(id_of_last(head.body), "0");
  ASSERT_TRUE(api->stream->has(R"("id":"b")"));
  EXPECT_NE(api->stream->text().find(R"("id":"a")"), std::string::npos);
  EXPECT_EQ(api->status("GET", feed + "?after=1"), 400);
}

TEST(NativeFeedTest, ALongPollIsAnsweredWhenAnEventHappens) {
  auto api = Api::with_collection();
  api->send("PUT", feed_documents + "/a?ttl=5", "{}");
  const std::string last = api->json("GET", feed).member("last").text();
  std::thread later([&api] {
    ASSERT_TRUE(net::becomes_true([&api] { return api->events->followers() == 1; }));
    api->clock.advance(Span::seconds(10));
    EXPECT_TRUE(api->database->sweeper().run_due(10));
  });
  const Value page = api->json("GET", feed + "?wait_seconds=60&after=" + last);
  later.join();
  ASSERT_EQ(page.member("events").array().size(), 1u);
  EXPECT_EQ(page.member("events").array()[0].member("kind").text(), "expired");
  EXPECT_NE(page.member("last").text(), last);
}

TEST(NativeFeedTest, ALongPollWithoutEventsGivesAnEmptyPage) {
  auto api = Api::with_collection();
  EXPECT_EQ(api->ask("GET", feed + "?wait_seconds=1"),
            R"(200 {"events":[],"last":null,"has_more":false,"gap":false})");
  EXPECT_NE(api->stream, nullptr);
  api->stream.reset();
  EXPECT_EQ(api->ask("GET", feed + "?wait_seconds=0"),
            R"(200 {"events":[],"last":null,"has_more":false,"gap":false})");
  EXPECT_EQ(api->stream, nullptr);
}

TEST(NativeFeedTest, AStreamSendsEventsAsTheyHappenWithTheirPositions) {
  auto api = Api::with_collection();
  api->send("PUT", feed_documents + "/before", "{}");
  const net::Response head = api->send("GET", feed, {}, {as_stream});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.content_type, "text/event-stream");
  EXPECT_EQ(head.body.substr(0, 16), "retry: 2000\nid: ");
  const auto stream = api->stream;
  api->send("PUT", feed_documents + "/a\"b", "{}");
  EXPECT_TRUE(stream->has("\n\n"));
  const std::string text = stream->text();
  const Value event = api->json("GET", feed).member("events").array()[1];
  EXPECT_EQ(text, fmt::format("id: {}\nevent: created\ndata: {}\n\n",
                              event.member("position").text(), render_json(event)));
}

TEST(NativeFeedTest, AStreamGoesOnFromWhereTheClientHasBeen) {
  auto api = Api::with_collection();
  const net::Response head = api->send("GET", feed, {}, {as_stream});
  const std::string before_all = id_of_last(head.body);
  for (const char* id : {"a", "b", "c"}) api->send("PUT", feed_documents + "/" + id, "{}");
  ASSERT_TRUE(api->stream->has(R"("id":"c")"));
  const std::string all = api->stream->text();
  const auto follows = [&api](const std::string& query, const std::vector<net::Pair>& headers) {
    EXPECT_EQ(api->send("GET", feed + query, {}, headers).status, 200);
    EXPECT_TRUE(api->stream->has(R"("id":"c")"));
    return api->stream->text();
  };
  EXPECT_EQ(follows("", {as_stream, {"last-event-id", before_all}}), all);
  // From the beginning of time: everything that is kept, and a notice that there may have been
  // more.
  EXPECT_EQ(follows("?after=0.0", {as_stream}), "event: gap\ndata: {}\n\n" + all);
  const std::string first = all.substr(0, all.find("\n\n") + 2);
  const std::string rest = all.substr(first.size());
  EXPECT_EQ(follows("?after=0.0", {as_stream, {"last-event-id", id_of_last(first)}}), rest);
  EXPECT_EQ(follows("?after=" + id_of_last(first), {as_stream, {"last-event-id", ""}}), rest);
}

TEST(NativeFeedTest, AStreamIsRefusedWhereItMakesNoSense) {
  auto api = Api::with_collection(R"({"keep_feed_for":0})");
  const auto refusal = [&api](const std::string& target, const std::vector<net::Pair>& headers) {
    return Api::error_of(api->send("GET", target, {}, headers));
  };
  EXPECT_EQ(refusal(feed, {as_stream}), "unsupported");
  EXPECT_EQ(refusal(feed + "?limit=1", {as_stream}), "invalid limit");
  EXPECT_EQ(refusal(feed + "?wait_seconds=1", {as_stream}), "invalid wait_seconds");
  EXPECT_EQ(refusal(feed, {as_stream, {"last-event-id", "x"}}), "invalid Last-Event-ID");
  EXPECT_EQ(refusal("/v1/databases/d/collections/none/feed", {as_stream}), "not_found collection");
}

// The dialect behind a real server.
class FeedServer {
 public:
  FeedServer() : api(Api::with_collection()) {
    net::ServerOptions options{.listeners = {{"native", "127.0.0.1", 0, api->dialect.get()}},
                               .threads = 2};
    server = std::move(*net::Server::start(options));
    port = server->ports().at(0);
  }
  static std::string get(const std::string& target, const std::string& headers) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }
  std::unique_ptr<net::Client> follow(const std::string& headers = "") {
    auto client = std::make_unique<net::Client>(port);
    client->send(get(feed, "Accept: text/event-stream\r\n" + headers));
    first = client->read_until("\n\n\r\n");
    EXPECT_NE(first.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << first;
    EXPECT_NE(first.find("retry: 2000\n"), std::string::npos) << first;
    return client;
  }
  void put(const std::string& id) {
    const std::string path = feed_documents + "/" + id;
    const net::Request request{.method = "PUT", .target = path, .path = path, .body = "{}"};
    EXPECT_EQ(net::PendingRequest(*api->dialect, request)->answer().status, 201);
  }

  std::unique_ptr<Api> api;
  std::unique_ptr<net::Server> server;
  std::uint16_t port = 0;
  std::string first;  // what the last follow() received
};

TEST(NativeFeedTest, AStreamGoesOnOverASocketAfterTheConnectionBroke) {
  FeedServer world;
  auto client = world.follow();
  world.put("a");
  const std::string told = client->read_until("\n\n\r\n");
  EXPECT_NE(told.find("event: created\n"), std::string::npos);
  client.reset();
  world.put("b");
  world.put("c");
  client = world.follow("Last-Event-ID: " + id_of_last(told) + "\r\n");
  std::string rest = world.first;
  while (rest.find(R"("id":"c")") == std::string::npos) rest += client->read_until("\n\n");
  EXPECT_EQ(rest.find(R"("id":"a")"), std::string::npos);
  EXPECT_LT(rest.find(R"("id":"b")"), rest.find(R"("id":"c")"));
}

TEST(NativeFeedTest, LongPollsHoldNoWorkerAndLeaveTheirConnectionOpen) {
  FeedServer world;
  std::vector<std::unique_ptr<net::Client>> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(std::make_unique<net::Client>(world.port));
    clients.back()->send(FeedServer::get(feed + "?wait_seconds=60", ""));
  }
  ASSERT_TRUE(net::becomes_true([&] { return world.api->events->followers() == 100; }));
  net::Client other(world.port);
  EXPECT_NE(other.ask(FeedServer::get(feed_documents, "")).find("200 OK"), std::string::npos);
  world.put("a");
  for (const auto& client : clients) {
    EXPECT_NE(client->read_until("\r\n0\r\n\r\n").find(R"("id":"a")"), std::string::npos);
    EXPECT_NE(client->ask(FeedServer::get("/health", "")).find("200 OK"), std::string::npos);
  }
}

TEST(NativeFeedTest, AThousandFollowOneCollectionAndTheServerStopsCleanly) {
  FeedServer world;
  std::vector<std::unique_ptr<net::Client>> clients;
  for (int i = 0; i < 1'000; ++i) clients.push_back(world.follow());
  for (int i = 0; i < 5; ++i) world.put("d" + std::to_string(i));
  for (const auto& client : clients) {
    std::string all;
    while (all.find(R"("id":"d4")") == std::string::npos) {
      const std::string one = client->read_until("\n\n");
      ASSERT_FALSE(one.empty());
      all += one;
    }
    for (int i = 0; i < 5; ++i) {
      EXPECT_NE(all.find(fmt::format(R"("id":"d{}")", i)), std::string::npos);
    }
  }
  EXPECT_EQ(world.server->stats().streams_open, 1'000U);
  world.server->stop();
  for (const auto& client : clients) {
    EXPECT_TRUE(client->read_until("\r\n0\r\n\r\n").ends_with("\r\n0\r\n\r\n"));
    EXPECT_TRUE(client->is_closed());
  }
}

TEST(NativeFeedTest, NoEventIsLostThatHappensWhileAnotherIsSent) {
  FeedServer world;
  const auto client = world.follow();
  // The last of many events may be committed at any moment while the earlier ones are sent.
  constexpr int rounds = 400, most = 60;
  for (int round = 0; round < rounds; ++round) {
    for (int i = round % most; i >= 0; --i) world.put(fmt::format("d{}.{}", round, i));
    ASSERT_FALSE(client->read_until(fmt::format("\"d{}.0\"", round)).empty()) << round;
  }
}

TEST(NativeFeedTest, AClientThatDoesNotReadCostsLittleAndDelaysNoOther) {
  FeedServer world;
  const auto deaf = world.follow();
  const auto good = world.follow();
  const std::string id(900, 'i');  // long ids fill the buffers sooner
  std::string last;
  for (int i = 0; i < 6'000; ++i) {
    last = id + std::to_string(i);
    world.put(last);
    // The good client keeps reading, so it never falls behind for long.
    if (i % 50 == 0) {
      ASSERT_FALSE(good->read_until(last).empty());
    }
  }
  EXPECT_FALSE(good->read_until(last).empty());
  // It receives everything, a little late, and in order.
  std::size_t at = 0;
  const std::string all = deaf->read_until(last);
  for (int i = 0; i < 6'000; ++i) {
    at = all.find("\"" + id + std::to_string(i), at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

}  // namespace
}  // namespace mayfly::native::testing
