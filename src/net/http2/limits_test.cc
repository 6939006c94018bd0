// The bounds of HTTP/2, and clients that exceed them.
#include "net/http2/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "net/http2/test_client.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

constexpr int flood = limits::http2_idle_frames_max * 2;
constexpr std::uint32_t calm = NGHTTP2_ENHANCE_YOUR_CALM;
constexpr Http2ClientOptions unread{.window = 0, .opens_windows = false};

class Http2LimitsTest : public ServerTest {
 protected:
  void TearDown() override {
    handler.gate.open();
    durability.gate.open();
  }
  // A client that has sent its preface.
  std::unique_ptr<Client> begin() {
    auto client = connect();
    client->send(std::string(http2_hello) + settings_frame());
    return client;
  }
  // How a connection with so many frames ends. The server still answers others.
  std::uint32_t error_after(int frames, const std::function<std::string(int)>& make) {
    auto client = begin();
    for (int i = 0; i < frames; ++i) {
      if (!client->send(make(i))) break;
    }
    const Http2Frame end = next_frame(*client, NGHTTP2_GOAWAY);
    EXPECT_TRUE(client->gets_closed());
    EXPECT_EQ(Http2Client(port).get("/").text(), "200 GET / ");
    return end.type == NGHTTP2_GOAWAY ? end.error() : 0;
  }
  void start_with_fine_ticks() {
    options.head_time_max = Span::millis(40);
    start();
  }
};

std::uint32_t stream_of(int i) {
  return static_cast<std::uint32_t>(2 * i + 1);
}

// --- floods ---

TEST_F(Http2LimitsTest, AClientThatResetsItsRequestsIsDisconnected) {
  start();
  EXPECT_EQ(error_after(flood,
                        [](int i) {
                          return request_frame(stream_of(i), "/slow") + reset_frame(stream_of(i));
                        }),
            calm);
}

TEST_F(Http2LimitsTest, AClientMayCancelAllItsRequests) {
  start();
  Http2Client client(port);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::int32_t> streams;
    for (int i = 0; i < 100; ++i) {
      streams.push_back(client.ask({.method = "POST", .body = "b", .ends = false}));
    }
    for (const auto stream : streams) client.reset(stream);
  }
  EXPECT_EQ(client.get("/").text(), "200 GET / ");
}

TEST_F(Http2LimitsTest, AFloodOfPingsEndsTheConnection) {
  start();
  EXPECT_EQ(error_after(flood, [](int) { return ping_frame(); }), calm);
}

TEST_F(Http2LimitsTest, AFloodOfSettingsEndsTheConnection) {
  start();
  EXPECT_EQ(error_after(flood, [](int) { return settings_frame(); }), calm);
}

TEST_F(Http2LimitsTest, AFloodOfEmptyDataEndsTheConnection) {
  start();
  EXPECT_EQ(error_after(flood,
                        [](int i) {
                          return i == 0 ? request_frame(1, "/", false)
                                        : frame(NGHTTP2_DATA, 0, 1, "");
                        }),
            calm);
}

TEST_F(Http2LimitsTest, AFloodOfEmptyHeadsEndsTheConnection) {
  start();
  EXPECT_EQ(error_after(flood,
                        [](int i) {
                          return frame(NGHTTP2_HEADERS,
                                       NGHTTP2_FLAG_END_HEADERS | NGHTTP2_FLAG_END_STREAM,
                                       stream_of(i), "");
                        }),
            calm);
}

TEST_F(Http2LimitsTest, AHeadWithoutEndEndsTheConnection) {
  start();
  auto client = begin();
  client->send(frame(NGHTTP2_HEADERS, NGHTTP2_FLAG_END_STREAM, 1, packed_head("/")));
  for (std::size_t i = 0; i <= limits::http2_continuations_max; ++i) {
    client->send(frame(NGHTTP2_CONTINUATION, 0, 1, std::string("\x40\x01x\x01y", 5)));
  }
  EXPECT_TRUE(client->gets_closed());
  EXPECT_EQ(Http2Client(port).get("/").status(), "200");
}

TEST_F(Http2LimitsTest, TooManySettingsInOneFrameEndTheConnection) {
  start();
  auto client = begin();
  std::string many;
  for (std::size_t i = 0; i <= limits::http2_settings_max; ++i)
    many += std::string("\0\x03\0\0\0\x64", 6);
  client->send(frame(NGHTTP2_SETTINGS, 0, 0, many));
  EXPECT_TRUE(client->gets_closed());
}

// Answers that the client does not read are not queued without bound.
TEST_F(Http2LimitsTest, AClientThatDoesNotReadIsNotReadEither) {
  options.send_time_max = Span::millis(40);
  start();
  auto client = begin();
  std::string many;
  for (int i = 0; i < 50; ++i) many += request_frame(stream_of(i), "/?bytes=60000");
  client->send(many);
  EXPECT_TRUE(becomes_true([this] { return server->stats().requests == 50; }));
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

// Valid frames, frames with random content, and random bytes.
std::string make_noise(std::mt19937& random) {
  const auto below = [&random](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  const std::uint32_t stream = 2 * below(40) + below(10) / 9;
  std::string bytes(below(40), '\0');
  for (char& byte : bytes) byte = static_cast<char>(below(256));
  const char* const paths[] = {"/", "/slow", "/stream", "/?bytes=100000", "/closed", "/throw"};
  switch (below(12)) {
    case 0: return frame(static_cast<int>(below(12)), static_cast<int>(below(64)), stream, bytes);
    case 1: return frame(NGHTTP2_DATA, static_cast<int>(below(2)), stream, bytes);
    case 2: return reset_frame(stream);
    case 3: return frame(NGHTTP2_WINDOW_UPDATE, 0, stream, std::string("\0\1\0\0", 4));
    case 4: return ping_frame() + settings_frame();
    case 5: return below(20) == 0 ? bytes : ping_frame();
    default: return request_frame(stream + 1, paths[below(6)], below(3) != 0);
  }
}

TEST_F(Http2LimitsTest, RandomBytesHarmOnlyTheirConnection) {
  handler.gate.open();
  std::mutex mutex;
  std::vector<std::shared_ptr<Stream>> streams;
  handler.stream = [&](std::shared_ptr<Stream> stream) {
    const std::lock_guard lock(mutex);
    if (streams.size() < 20) streams.push_back(std::move(stream));
  };
  start();
  std::mt19937 random(20261124);
  for (int i = 0; i < 200; ++i) {
    auto client = begin();
    std::uint32_t next = 1;
    for (int frames = 0; frames < 60; ++frames, next += 2) {
      const bool is_noise = random() % 3 == 0;
      const std::string bytes = is_noise ? make_noise(random) : request_frame(next, "/stream");
      if (!client->send(bytes)) break;
    }
    const std::lock_guard lock(mutex);
    for (const auto& stream : streams) stream->send("piece");
    if (random() % 4 == 0) streams.clear();
  }
  EXPECT_EQ(Http2Client(port).get("/").text(), "200 GET / ");
  streams.clear();
  EXPECT_TRUE(becomes_true([this] { return server->stats().connections_open == 0; }));
  EXPECT_EQ(server->stats().exchange_bytes, 0U);
  EXPECT_EQ(server->stats().requests_waiting, 0U);
  EXPECT_TRUE(becomes_true([this] { return server->stats().streams_open == 0; }));
  EXPECT_TRUE(becomes_true([this] { return handler.under_way == 0; }));
}

// --- how much at once ---

TEST_F(Http2LimitsTest, StreamsBeyondTheBoundAreRefused) {
  start();
  auto client = begin();
  for (std::uint32_t i = 0; i <= limits::http2_streams_max; ++i) {
    client->send(request_frame(stream_of(static_cast<int>(i)), "/", false));
  }
  const Http2Frame refused = next_frame(*client, NGHTTP2_RST_STREAM);
  EXPECT_EQ(refused.stream, stream_of(limits::http2_streams_max));
  EXPECT_EQ(refused.error(), std::uint32_t{NGHTTP2_REFUSED_STREAM});
}

TEST_F(Http2LimitsTest, AJobOfAClosedStreamCountsUntilItsWorkerHasEnded) {
  options.workers = 1;
  start();
  Http2Client client(port);
  for (std::uint32_t i = 0; i < limits::http2_streams_max; ++i) {
    const auto stream = client.ask({.path = "/slow"});
    ASSERT_TRUE(becomes_true([&] { return server->stats().requests == i + 1; }));
    ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
    client.reset(stream);
  }
  EXPECT_EQ(client.get("/").error, std::uint32_t{NGHTTP2_REFUSED_STREAM});
  EXPECT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 0; }));
  handler.gate.open();
  EXPECT_TRUE(becomes_true([&] { return client.get("/").status() == "200"; }));
  EXPECT_TRUE(becomes_true([this] { return handler.under_way == 0; }));
}

TEST_F(Http2LimitsTest, AHeadThatIsTooLongIsRefusedAndTheConnectionStays) {
  start();
  Http2Client client(port);
  const auto long_one = client.ask({.headers = {{"x-long", std::string(17'000, 'l')}}});
  EXPECT_EQ(client.read(long_one).status(), "431");
  std::vector<Pair> many;
  for (int i = 0; i < 400; ++i) many.emplace_back("x-" + std::to_string(i), "0123456789");
  EXPECT_EQ(client.read(client.ask({.headers = many})).status(), "431");
  EXPECT_EQ(client.read(client.ask({.headers = {{"x-long", std::string(12'000, 'l')}}})).status(),
            "200");
}

TEST_F(Http2LimitsTest, ABodyThatIsTooLongIsRefusedAndTheConnectionStays) {
  start();
  Http2Client client(port);
  const auto unannounced = client.ask({.method = "POST", .body = std::string(200'001, 'b')});
  EXPECT_EQ(client.read(unannounced).status(), "413");
  const auto announced = client.ask(
      {.method = "POST", .headers = {{"content-length", "200001"}}, .body = "b", .ends = false});
  EXPECT_EQ(client.read(announced).status(), "413");
  const auto bounded = client.ask({.method = "POST", .path = "/bounded", .body = "four"});
  EXPECT_EQ(client.read(bounded).text(), "499 too_large");
  EXPECT_EQ(client.get("/").status(), "200");
}

TEST_F(Http2LimitsTest, BodiesOfOneClientThatTakeTooMuchMemoryAreRefused) {
  options.exchange_bytes_max = 1'000'000;
  options.body_time_max = Span::seconds(600);  // none of them times out
  start();
  Http2Client client(port);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < 20; ++i) {
    streams.push_back(
        client.ask({.method = "POST", .body = std::string(100'000, 'b'), .ends = false}));
  }
  EXPECT_EQ(client.read(streams.back()).status(), "503");
  EXPECT_LE(server->stats().exchange_bytes, 700'000U);
  EXPECT_GT(server->stats().requests_overloaded, 0U);
}

TEST_F(Http2LimitsTest, AnswersThatAreNotReadAreBounded) {
  options.exchange_bytes_max = 1'000'000;
  start();
  Http2Client client(port, unread);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < 20; ++i) streams.push_back(client.ask({.path = "/?bytes=100000"}));
  ASSERT_TRUE(client.wait_until([&] { return client.answer(streams.back()).status() == "429"; }));
  EXPECT_LE(server->stats().exchange_bytes, 700'000U);
  for (const auto stream : streams) client.reset(stream);
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

// The requests come while no memory is held, so all of them are accepted.
TEST_F(Http2LimitsTest, AnswersOfOneConnectionLeaveRoomForThoseOfOthers) {
  constexpr int spec = 14;
  handler.durability = &durability;
  options.durability = &durability;
  options.workers = spec;
  options.exchange_bytes_max = 1'000'000;
  start();
  Http2Client client(port);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < spec; ++i) streams.push_back(client.ask({.path = "/slow?bytes=100000"}));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == spec; }));
  durability.write();  // so that answers wait for the disk
  handler.gate.open();
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_overloaded == spec - 5; }));
  EXPECT_LE(server->stats().exchange_bytes, 610'000U);  // with the refusals
  EXPECT_EQ(client.get("/").status(), "429");
  Http2Client other(std::make_unique<Client>(port, "127.2.0.1"), {});
  const auto of_other = other.ask({.path = "/?bytes=100000"});
  ASSERT_TRUE(becomes_true([this] { return server->stats().requests_waiting == 6; }));
  durability.gate.open();
  EXPECT_EQ(other.read(of_other).body.size(), 100'000U);
  const auto refused = std::count_if(streams.begin(), streams.end(), [&](auto stream) {
    return client.read(stream).text() == "499 timed_out";
  });
  EXPECT_EQ(refused, spec - 5);
}

// --- how slowly ---

// Reads one more byte of each stream, and returns how many have been reset.
std::size_t dribble(Http2Client& client, const std::vector<std::int32_t>& streams) {
  const auto is_over = [&](std::int32_t stream) { return client.answer(stream).is_closed; };
  for (const auto stream : streams) {
    const std::size_t before = client.answer(stream).body.size();
    if (is_over(stream)) continue;
    client.open_window(stream, 1);
    client.wait_until(
        [&] { return is_over(stream) || client.answer(stream).body.size() > before; });
  }
  return static_cast<std::size_t>(std::count_if(streams.begin(), streams.end(), is_over));
}

TEST_F(Http2LimitsTest, WhileMemoryIsShortASlowReaderLosesItsAnswer) {
  options.exchange_bytes_max = 100'000'000;
  options.head_time_max = Span::millis(400);  // the server then checks deadlines more often
  start();
  Http2Client client(port, unread);
  std::vector<std::int32_t> streams;
  for (int i = 0; i < 5; ++i) streams.push_back(client.ask({.path = "/?bytes=10000000"}));
  Http2Client modest(std::make_unique<Client>(port, "127.2.0.1"), unread);
  const auto kept = modest.ask({.path = "/?bytes=1000000"});
  // The rest is less than half of the memory that is then left for others.
  EXPECT_TRUE(
      becomes_true([&] { return dribble(client, streams) + dribble(modest, {kept}) == 2; }));
  EXPECT_LE(server->stats().exchange_bytes, 32'000'000U);
  for (int i = 0; i < 3; ++i) dribble(client, streams);
  for (const auto stream : streams) {
    const Http2Answer& answer = client.answer(stream);
    EXPECT_TRUE(!answer.is_closed || answer.error == std::uint32_t{NGHTTP2_CANCEL});
  }
  modest.open_window(kept, 1'000'000);
  EXPECT_EQ(modest.read(kept).body.size(), 1'000'000U);
}

TEST_F(Http2LimitsTest, AnAnswerWhoseWindowIsNeverOpenedIsReset) {
  options.send_time_max = Span::millis(40);
  start();
  Http2Client client(port, unread);
  const auto stream = client.ask({.path = "/?bytes=1000000"});
  EXPECT_EQ(client.read(stream).error, std::uint32_t{NGHTTP2_CANCEL});
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
  EXPECT_EQ(client.get("/none").status(), "204");
}

TEST_F(Http2LimitsTest, ABodyThatComesTooSlowlyIsRefused) {
  options.body_time_max = Span::millis(40);
  start();
  Http2Client client(port);
  const auto stream = client.ask({.method = "POST", .body = "begin", .ends = false});
  EXPECT_EQ(client.read(stream).status(), "408");
  EXPECT_EQ(client.get("/").status(), "200");
}

TEST_F(Http2LimitsTest, AHeadThatComesTooSlowlyEndsTheConnection) {
  start_with_fine_ticks();
  auto client = begin();
  client->send(frame(NGHTTP2_HEADERS, NGHTTP2_FLAG_END_STREAM, 1, packed_head("/")));
  EXPECT_TRUE(client->gets_closed());
}

TEST_F(Http2LimitsTest, APrefaceThatComesTooSlowlyIsRefused) {
  start_with_fine_ticks();
  Client client(port);
  client.send(http2_hello.substr(0, 10));
  EXPECT_EQ(client.read().substr(0, 12), "HTTP/1.1 408");
}

}  // namespace
}  // namespace mayfly::net
