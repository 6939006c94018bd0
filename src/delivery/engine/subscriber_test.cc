// The stored progress of a subscriber: its position, and which events before it are left.
#include "delivery/engine/subscriber.h"

#include <gtest/gtest.h>

#include "delivery/engine/database_subscribers.h"

namespace mayfly::delivery {
namespace {

FeedPosition position_at(std::int64_t micros) {
  return {Instant{micros}, 0};
}

MessagePtr message_at(std::int64_t micros) {
  const std::string id = std::to_string(micros);
  return std::make_shared<Message>(
      Message{.id = id, .position = position_at(micros), .document = id, .payload = "{}"});
}

// A subscriber that has read up to 9; events 3, 5 and 8 are left.
Subscriber subscriber_with_three_left() {
  return Subscriber({},
                    {.position = position_at(2),
                     .read = position_at(9),
                     .left = {position_at(3), position_at(5), position_at(8)}},
                    1);
}

TEST(Subscriber, NeedsEventsThatAreLeftOrNew) {
  const Subscriber subscriber = subscriber_with_three_left();
  for (const int left : {3, 5, 8, 10, 11}) EXPECT_TRUE(subscriber.needs(position_at(left))) << left;
  for (const int done : {1, 2, 4, 6, 7, 9}) {
    EXPECT_FALSE(subscriber.needs(position_at(done))) << done;
  }
}

TEST(Subscriber, EventsThatAreNotReadAgainYetStayLeft) {
  Subscriber subscriber = subscriber_with_three_left();
  EXPECT_EQ(subscriber.progress().left,
            (std::vector{position_at(3), position_at(5), position_at(8)}));
  EXPECT_EQ(subscriber.progress().read, position_at(9));
  subscriber.window().add(message_at(3));
  subscriber.window().add(message_at(5));
  subscriber.window().set_read(position_at(6));
  EXPECT_EQ(subscriber.progress().left,
            (std::vector{position_at(3), position_at(5), position_at(8)}));
  const auto first = subscriber.window().next(Instant{10});
  subscriber.begin(*first);
  subscriber.window().finish(*first);
  EXPECT_EQ(subscriber.progress().left, (std::vector{position_at(5), position_at(8)}));
  EXPECT_EQ(subscriber.progress().read, position_at(9));
  subscriber.window().set_read(position_at(20));
  EXPECT_EQ(subscriber.progress().left, (std::vector{position_at(5)}));
  EXPECT_EQ(subscriber.progress().read, position_at(20));
  EXPECT_LT(subscriber.progress().position, position_at(5));
}

// Messages of one commit share a position.
TEST(Subscriber, APositionIsLeftUntilAllItsMessagesAreDone) {
  Subscriber subscriber({}, {.position = position_at(0)}, 1);
  for (int n = 0; n < 2; ++n) {
    auto one = std::make_shared<Message>(*message_at(4));
    one->document += std::to_string(n);
    subscriber.window().add(std::move(one));
  }
  subscriber.window().set_read(position_at(6));
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(subscriber.progress().left, std::vector{position_at(4)});
    const auto next = subscriber.window().next(Instant{10});
    subscriber.begin(*next);
    subscriber.window().finish(*next);
  }
  EXPECT_TRUE(subscriber.progress().left.empty());
}

TEST(Subscriber, ProgressSurvivesEncodingAndDecoding) {
  const SubscriptionProgress written = subscriber_with_three_left().progress();
  const auto bytes = pack(*written.encode());
  const Document document{.body = Packed(*bytes)};
  const auto read = SubscriptionProgress::decode(document);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->read, written.read);
  EXPECT_EQ(read->left, written.left);
}

TEST(WindowBytes, CountsEachPayloadOnceAndLeavesALittleToAll) {
  const WindowBytes bytes;
  const auto payload_of = [](std::size_t size) {
    return Message{.document = "a", .payload = std::string(size, 'x')};
  };
  Window empty(position_at(0)), some(position_at(0)), more(position_at(0));
  some.add(bytes.hold(payload_of(limits::window_bytes_min - limits::window_place_bytes - 1)));
  const MessagePtr shared = bytes.hold(payload_of(limits::window_bytes_min));
  for (int i = 0; i < 8; ++i) more.add(bytes.place(shared));
  std::vector<MessagePtr> held;
  EXPECT_TRUE(bytes.admits(more));
  for (int i = 0; i < 4; ++i) held.push_back(bytes.hold(payload_of(limits::windows_bytes_max / 4)));
  EXPECT_FALSE(bytes.admits(more));
  EXPECT_TRUE(bytes.admits(some));
  EXPECT_TRUE(bytes.admits(empty));
  held.clear();
  EXPECT_TRUE(bytes.admits(more));
}

TEST(WindowBytes, CountsTheUseOfAMessageInEachWindow) {
  const WindowBytes bytes;
  const MessagePtr small = bytes.hold({.document = "a", .payload = "x"});
  Window window(position_at(0)), other(position_at(0));
  std::vector<MessagePtr> places;
  for (std::size_t i = 0; i < limits::windows_bytes_max / limits::window_place_bytes; ++i) {
    places.push_back(bytes.place(small));
  }
  while (window.bytes() < limits::window_bytes_min) window.add(bytes.place(small));
  EXPECT_FALSE(bytes.admits(window));
  EXPECT_TRUE(bytes.admits(other));
  places.clear();
  EXPECT_TRUE(bytes.admits(window));
}

}  // namespace
}  // namespace mayfly::delivery
