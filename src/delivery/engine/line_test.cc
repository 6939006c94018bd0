// What is written down of a line: where it stands, and what behind that is left.
#include "delivery/engine/line.h"

#include <gtest/gtest.h>

#include "delivery/engine/served.h"

namespace mayfly::delivery {
namespace {

FeedPosition place_of(std::int64_t micros) {
  return {Instant{micros}, 0};
}

MessagePtr message_at(std::int64_t micros) {
  const std::string id = std::to_string(micros);
  return std::make_shared<Message>(
      Message{.id = id, .position = place_of(micros), .document = id, .payload = "{}"});
}

// One that has read up to 9, of which 3, 5 and 8 are left.
Line line_with_three_left() {
  return Line(
      {},
      {.place = place_of(2), .read = place_of(9), .left = {place_of(3), place_of(5), place_of(8)}},
      1);
}

TEST(Line, WantsWhatIsLeftAndWhatIsNew) {
  const Line line = line_with_three_left();
  for (const int left : {3, 5, 8, 10, 11}) EXPECT_TRUE(line.wants(place_of(left))) << left;
  for (const int done : {1, 2, 4, 6, 7, 9}) EXPECT_FALSE(line.wants(place_of(done))) << done;
}

TEST(Line, WhatItHasNotReadAgainYetStaysLeft) {
  Line line = line_with_three_left();
  EXPECT_EQ(line.progress().left, (std::vector{place_of(3), place_of(5), place_of(8)}));
  EXPECT_EQ(line.progress().read, place_of(9));
  line.window().add(message_at(3));
  line.window().add(message_at(5));
  line.window().note_read(place_of(6));
  EXPECT_EQ(line.progress().left, (std::vector{place_of(3), place_of(5), place_of(8)}));
  const auto first = line.window().next(Instant{10});
  line.begin(*first);
  line.window().finish(*first);
  EXPECT_EQ(line.progress().left, (std::vector{place_of(5), place_of(8)}));
  EXPECT_EQ(line.progress().read, place_of(9));
  line.window().note_read(place_of(20));
  EXPECT_EQ(line.progress().left, (std::vector{place_of(5)}));
  EXPECT_EQ(line.progress().read, place_of(20));
  EXPECT_LT(line.progress().place, place_of(5));
}

// Messages of one commit have one place.
TEST(Line, APlaceIsLeftUntilAllItsMessagesAreDone) {
  Line line({}, {.place = place_of(0)}, 1);
  for (int n = 0; n < 2; ++n) {
    auto one = std::make_shared<Message>(*message_at(4));
    one->document += std::to_string(n);
    line.window().add(std::move(one));
  }
  line.window().note_read(place_of(6));
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(line.progress().left, std::vector{place_of(4)});
    const auto next = line.window().next(Instant{10});
    line.begin(*next);
    line.window().finish(*next);
  }
  EXPECT_TRUE(line.progress().left.empty());
}

TEST(Line, WhatIsLeftCanBeReadBack) {
  const Progress written = line_with_three_left().progress();
  const auto bytes = pack(*written.encode());
  const Document document{.body = Packed(*bytes)};
  const auto read = Progress::decode(document);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->read, written.read);
  EXPECT_EQ(read->left, written.left);
}

TEST(WindowBytes, CountsEachPayloadOnceAndLeavesALittleToAll) {
  const WindowBytes bytes;
  const auto payload_of = [](std::size_t size) {
    return Message{.document = "a", .payload = std::string(size, 'x')};
  };
  Window empty(place_of(0)), some(place_of(0)), more(place_of(0));
  some.add(bytes.hold(payload_of(limits::window_bytes_min - 1)));
  const MessagePtr shared = bytes.hold(payload_of(limits::window_bytes_min));
  for (int i = 0; i < 8; ++i) more.add(shared);
  std::vector<MessagePtr> held;
  EXPECT_TRUE(bytes.admits(more));
  for (int i = 0; i < 4; ++i) held.push_back(bytes.hold(payload_of(limits::windows_bytes_max / 4)));
  EXPECT_FALSE(bytes.admits(more));
  EXPECT_TRUE(bytes.admits(some));
  EXPECT_TRUE(bytes.admits(empty));
  held.clear();
  EXPECT_TRUE(bytes.admits(more));
}

}  // namespace
}  // namespace mayfly::delivery
