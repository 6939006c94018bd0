// What is written down of a line: where it stands, and what behind that is left.
#include "delivery/line.h"

#include <gtest/gtest.h>

namespace mayfly::delivery {
namespace {

FeedPosition at(std::int64_t micros) {
  return {Instant{micros}, 0};
}

MessagePtr message(std::int64_t micros) {
  const std::string id = std::to_string(micros);
  return std::make_shared<Message>(
      Message{.id = id, .position = at(micros), .document = id, .payload = "{}"});
}

// One that has read up to 9, of which 3, 5 and 8 are left.
Line line_with_three_left() {
  return Line({}, {.place = at(2), .read = at(9), .left = {at(3), at(5), at(8)}}, 1);
}

TEST(Line, WantsWhatIsLeftAndWhatIsNew) {
  const Line line = line_with_three_left();
  for (const int left : {3, 5, 8, 10, 11}) EXPECT_TRUE(line.wants(at(left))) << left;
  for (const int done : {1, 2, 4, 6, 7, 9}) EXPECT_FALSE(line.wants(at(done))) << done;
}

TEST(Line, WhatItHasNotReadAgainYetStaysLeft) {
  Line line = line_with_three_left();
  EXPECT_EQ(line.progress().left, (std::vector{at(3), at(5), at(8)}));
  EXPECT_EQ(line.progress().read, at(9));
  line.window().add(message(3));
  line.window().add(message(5));
  line.window().note_read(at(6));
  EXPECT_EQ(line.progress().left, (std::vector{at(3), at(5), at(8)}));
  const auto first = line.window().next(Instant{10});
  line.begin(*first);
  line.window().finish(*first);
  EXPECT_EQ(line.progress().left, (std::vector{at(5), at(8)}));
  EXPECT_EQ(line.progress().read, at(9));
  line.window().note_read(at(20));
  EXPECT_EQ(line.progress().left, (std::vector{at(5)}));
  EXPECT_EQ(line.progress().read, at(20));
  EXPECT_LT(line.progress().place, at(5));
}

// Messages of one commit have one place.
TEST(Line, APlaceIsLeftUntilAllItsMessagesAreDone) {
  Line line({}, {.place = at(0)}, 1);
  for (int n = 0; n < 2; ++n) {
    auto one = std::make_shared<Message>(*message(4));
    one->document += std::to_string(n);
    line.window().add(std::move(one));
  }
  line.window().note_read(at(6));
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(line.progress().left, std::vector{at(4)});
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

}  // namespace
}  // namespace mayfly::delivery
