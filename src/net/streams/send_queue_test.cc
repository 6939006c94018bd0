// Which pieces a connection takes from its send queue, and when.
#include "net/streams/send_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "net/streams/shared_text.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

class SendQueueTest : public ::testing::Test {
 protected:
  // The bytes of the next piece; "wait" if it is not durable, "none" if there is none.
  std::string take() {
    const auto piece = send_queue.take(durability.durable());
    if (!piece) return "none";
    if (piece->must_wait) return "wait";
    const std::string bytes = piece->bytes + (piece->shared ? piece->shared->text() : "");
    send_queue.sent();
    return bytes;
  }

  FakeDurability durability;
  bool has_memory = true;
  SendQueue send_queue{&durability,
                       [] {},
                       {.add = [this](std::size_t, std::size_t) { return has_memory; },
                        .remove = [](std::size_t, std::size_t) {}},
                       [](const std::function<void()>&) { return false; }};
};

TEST_F(SendQueueTest, APieceWaitsForItsWatermarkAndLaterOnesDoNotDelayIt) {
  durability.write();
  EXPECT_TRUE(send_queue.send("one"));
  EXPECT_EQ(take(), "wait");
  durability.write();
  EXPECT_TRUE(send_queue.send("two"));
  durability.pass_to(1);
  EXPECT_EQ(take(), "one");
  EXPECT_EQ(take(), "wait");
  durability.pass_to(2);
  EXPECT_EQ(take(), "two");
  EXPECT_EQ(take(), "none");
}

TEST_F(SendQueueTest, AFirstPieceOvertakesQueuedOnes) {
  durability.write();
  EXPECT_TRUE(send_queue.send("one"));
  EXPECT_TRUE(send_queue.send_first("pong"));
  EXPECT_EQ(send_queue.unsent_bytes(), 7U);
  EXPECT_EQ(take(), "pong");
  EXPECT_EQ(send_queue.unsent_bytes(), 3U);
  EXPECT_EQ(take(), "wait");
  durability.pass_to(1);
  EXPECT_EQ(take(), "one");
  EXPECT_EQ(send_queue.unsent_bytes(), 0U);
}

TEST_F(SendQueueTest, WithoutMemoryAFirstPieceIsDroppedAndQueuedOnesStay) {
  const std::string answer(limits::send_queue_uncounted_bytes_max + 1, 'x');
  EXPECT_TRUE(send_queue.send_answer(answer));
  has_memory = false;
  EXPECT_FALSE(send_queue.send_first("pong"));
  EXPECT_FALSE(send_queue.acknowledge_wake());
  EXPECT_TRUE(send_queue.is_open());
  EXPECT_EQ(send_queue.unsent_bytes(), answer.size());
  EXPECT_EQ(take().size(), answer.size());
  EXPECT_TRUE(send_queue.send_first("pong"));  // so few bytes are not counted
  EXPECT_EQ(take(), "pong");
}

TEST_F(SendQueueTest, AClientThatReadsNoFirstPieceIsTooSlow) {
  EXPECT_TRUE(send_queue.send_first(std::string(limits::stream_unsent_bytes_max, 'x')));
  EXPECT_FALSE(send_queue.send_first("pong"));
  EXPECT_TRUE(send_queue.acknowledge_wake());
  EXPECT_FALSE(send_queue.is_open());
}

TEST_F(SendQueueTest, ThePartsOfAPieceAreSentTogether) {
  const SharedText shared = make_shared_text("shared");
  EXPECT_TRUE(send_queue.send_shared("(", shared, ")"));
  durability.write();
  EXPECT_TRUE(send_queue.send_shared("[", shared, "]"));
  EXPECT_EQ(take(), "(shared");
  EXPECT_TRUE(send_queue.send_first("pong"));
  EXPECT_EQ(take(), ")");
  EXPECT_EQ(take(), "pong");
  EXPECT_EQ(take(), "wait");
  durability.pass_to(1);
  EXPECT_EQ(take(), "[shared");
  EXPECT_EQ(take(), "]");
  EXPECT_EQ(send_queue.unsent_bytes(), 0U);
}

}  // namespace
}  // namespace mayfly::net
