// Which WebSocket clients are pinged, and which are disconnected.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "net/test_client.h"
#include "net/websocket/limits.h"
#include "net/websocket/websocket.h"

namespace mayfly::net {
namespace {

constexpr Instant begin = Instant::from_seconds(1'000);
const std::string ping("\x89\0", 2);
const std::string pong("\x8a\x80\0\0\0\0", 6);

class SilentConversation final : public Conversation {
 public:
  bool receive(std::string) override { return true; }
  void answer(Instant) override {}
  void refuse(const Error&) override {}
};

class KeepAliveTest : public ::testing::Test {
 protected:
  // Whether the client stays connected at so many seconds after the beginning.
  bool keeps(int seconds) { return socket.keep_alive(begin + Span::seconds(seconds)); }
  // What is sent next; for a long text its size.
  std::string take() {
    const auto piece = send_queue->take(durability.durable());
    if (!piece) return "none";
    if (piece->must_wait) return "wait";
    send_queue->sent();
    return piece->bytes.size() < 100 ? piece->bytes : std::to_string(piece->bytes.size());
  }
  void hear(std::string_view frames) {
    EXPECT_EQ(socket.read(frames), WebSocket::Step::wait);
    EXPECT_TRUE(frames.empty());
  }

  const std::string much = std::string(limits::unsent_answers_max + 1, 'x');
  bool has_memory = true;
  FakeDurability durability;
  std::shared_ptr<SendQueue> send_queue = std::make_shared<SendQueue>(
      &durability, [] {},
      SharedMemory{.add = [this](std::size_t, std::size_t) { return has_memory; },
                   .remove = [](std::size_t, std::size_t) {}},
      [](const std::function<void()>&) { return false; });
  WebSocket socket{send_queue,
                   [](const std::shared_ptr<WebSocketSender>&) {
                     return std::make_unique<SilentConversation>();
                   },
                   1'000, Span::seconds(60), begin};
};

TEST_F(KeepAliveTest, AClientThatAnswersStaysAndAnotherIsDisconnected) {
  EXPECT_TRUE(keeps(59));
  EXPECT_EQ(take(), "none");
  EXPECT_TRUE(keeps(60));
  EXPECT_EQ(take(), ping);
  hear(pong);
  EXPECT_TRUE(keeps(120));
  EXPECT_EQ(take(), ping);
  EXPECT_TRUE(keeps(179));
  EXPECT_FALSE(keeps(180));
}

TEST_F(KeepAliveTest, AClientThatReadsALongAnswerIsPingedAfterIt) {
  ASSERT_TRUE(send_queue->send_answer(much));
  for (const int seconds : {60, 120, 180}) EXPECT_TRUE(keeps(seconds)) << seconds;
  EXPECT_EQ(take(), std::to_string(much.size()));
  EXPECT_EQ(take(), "none");
  EXPECT_TRUE(keeps(240));
  EXPECT_EQ(take(), ping);
  EXPECT_FALSE(keeps(300));
}

TEST_F(KeepAliveTest, NoPongIsExpectedWhileALongAnswerWaitsForTheDisk) {
  EXPECT_TRUE(keeps(60));
  EXPECT_EQ(take(), ping);
  durability.write();
  ASSERT_TRUE(send_queue->send_answer(much));
  EXPECT_TRUE(keeps(120));
  EXPECT_EQ(take(), "wait");
  EXPECT_TRUE(keeps(180));
  EXPECT_EQ(take(), "wait");
  durability.pass_to(1);
  EXPECT_EQ(take(), std::to_string(much.size()));
  EXPECT_TRUE(keeps(240));
  EXPECT_EQ(take(), ping);
}

TEST_F(KeepAliveTest, NoPongIsExpectedForAPingThatWasNotSent) {
  ASSERT_TRUE(
      send_queue->send_answer(std::string(limits::send_queue_uncounted_bytes_max + 1, 'x')));
  has_memory = false;
  EXPECT_TRUE(keeps(60));
  EXPECT_EQ(take(), std::to_string(limits::send_queue_uncounted_bytes_max + 1));
  EXPECT_EQ(take(), "none");
  EXPECT_TRUE(keeps(120));
  EXPECT_EQ(take(), ping);
  EXPECT_FALSE(keeps(180));
}

}  // namespace
}  // namespace mayfly::net
