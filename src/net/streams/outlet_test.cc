// What a connection takes out of its outlet, and when.
#include "net/streams/outlet.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "net/streams/shared_text.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

class OutletTest : public ::testing::Test {
 protected:
  // The bytes of what comes next; "wait" where that is not durable, "none" where there is nothing.
  std::string take() {
    const auto piece = outlet.take(durability.durable());
    if (!piece) return "none";
    if (piece->must_wait) return "wait";
    const std::string bytes = piece->bytes + (piece->shared ? piece->shared->text() : "");
    outlet.sent();
    return bytes;
  }

  FakeDurability durability;
  bool has_memory = true;
  Outlet outlet{&durability,
                [] {},
                {.add = [this](std::size_t, std::size_t) { return has_memory; },
                 .remove = [](std::size_t, std::size_t) {}},
                [](const std::function<void()>&) { return false; }};
};

TEST_F(OutletTest, WhatIsNotDurableWaitsAndWhatComesLaterDoesNotPutItOff) {
  durability.write();
  EXPECT_TRUE(outlet.send("one"));
  EXPECT_EQ(take(), "wait");
  durability.write();
  EXPECT_TRUE(outlet.send("two"));
  durability.pass_to(1);
  EXPECT_EQ(take(), "one");
  EXPECT_EQ(take(), "wait");
  durability.pass_to(2);
  EXPECT_EQ(take(), "two");
  EXPECT_EQ(take(), "none");
}

TEST_F(OutletTest, WhatIsFirstOvertakesWhatWaits) {
  durability.write();
  EXPECT_TRUE(outlet.send("one"));
  EXPECT_TRUE(outlet.send_first("pong"));
  EXPECT_EQ(outlet.unsent_bytes(), 7U);
  EXPECT_EQ(take(), "pong");
  EXPECT_EQ(outlet.unsent_bytes(), 3U);
  EXPECT_EQ(take(), "wait");
  durability.pass_to(1);
  EXPECT_EQ(take(), "one");
  EXPECT_EQ(outlet.unsent_bytes(), 0U);
}

TEST_F(OutletTest, WhereThereIsNoMemoryWhatIsFirstIsDroppedAndWhatWaitsStays) {
  const std::string answer(limits::outlet_uncounted_bytes_max + 1, 'x');
  EXPECT_TRUE(outlet.send_answer(answer));
  has_memory = false;
  EXPECT_FALSE(outlet.send_first("pong"));
  EXPECT_FALSE(outlet.look());
  EXPECT_TRUE(outlet.is_open());
  EXPECT_EQ(outlet.unsent_bytes(), answer.size());
  EXPECT_EQ(take().size(), answer.size());
  EXPECT_TRUE(outlet.send_first("pong"));  // so little is not counted
  EXPECT_EQ(take(), "pong");
}

TEST_F(OutletTest, AClientThatTakesNothingOfWhatIsFirstIsTooSlow) {
  EXPECT_TRUE(outlet.send_first(std::string(limits::stream_unsent_bytes_max, 'x')));
  EXPECT_FALSE(outlet.send_first("pong"));
  EXPECT_TRUE(outlet.look());
  EXPECT_FALSE(outlet.is_open());
}

TEST_F(OutletTest, NothingComesBetweenThePartsOfAPieceWhichLeaveTogether) {
  const SharedText shared = make_shared_text("shared");
  EXPECT_TRUE(outlet.send_shared("(", shared, ")"));
  durability.write();
  EXPECT_TRUE(outlet.send_shared("[", shared, "]"));
  EXPECT_EQ(take(), "(shared");
  EXPECT_TRUE(outlet.send_first("pong"));
  EXPECT_EQ(take(), ")");
  EXPECT_EQ(take(), "pong");
  EXPECT_EQ(take(), "wait");
  durability.pass_to(1);
  EXPECT_EQ(take(), "[shared");
  EXPECT_EQ(take(), "]");
  EXPECT_EQ(outlet.unsent_bytes(), 0U);
}

}  // namespace
}  // namespace mayfly::net
