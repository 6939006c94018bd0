// Which events stay in the feeds longer than the policies keep them, which readers see them, and
// when they go.
#include "db/feed/holds.h"

#include <gtest/gtest.h>

#include "db/rows/keys.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

class FeedHoldsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    c_ = w_.collection("c", {.keep_feed_for = Span::seconds(100)});
    must(w_.put(c_, "a", "{}"));
    written_at_ = w_.database->now();
    w_.clock.advance(Span::seconds(1'000));
    must(w_.put(c_, "b", "{}"));
  }
  FeedHolds& holds() { return w_.database->feed().holds(); }
  void hold(Instant place, bool others = false) {
    holds().set({{w_.place, place}}, others, *w_.database->catalog(), w_.database->now());
  }
  std::string read(FeedScope scope) {
    std::string ids;
    for (const Event& event :
         must(w_.database->feed().read(*c_, {}, 100, Instant::never(), scope)).events) {
      ids += event.key.id;
    }
    return ids;
  }

  World w_;
  CollectionPtr c_;
  Instant written_at_;
};

TEST_F(FeedHoldsTest, HeldEventsStayForReadersThatRequestThem) {
  holds().set({}, true, *w_.database->catalog(), w_.database->now());
  hold(Instant::beginning());
  w_.compact();
  EXPECT_EQ(read(FeedScope::held), "ab");
  EXPECT_EQ(read(FeedScope::retained), "b");
  hold(written_at_);
  EXPECT_EQ(read(FeedScope::held), "b");
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::feed, c_), 1U);
}

TEST_F(FeedHoldsTest, WhatHasBeenReleasedIsNotHeldAgain) {
  EXPECT_EQ(read(FeedScope::held), "b");
  hold(Instant::beginning());
  EXPECT_EQ(read(FeedScope::held), "b");
  w_.clock.advance(Span::seconds(1'000));
  EXPECT_EQ(read(FeedScope::retained), "");
  EXPECT_EQ(read(FeedScope::held), "b");
  hold(w_.database->now());
  EXPECT_EQ(read(FeedScope::held), "");
  hold(Instant::beginning());
  EXPECT_EQ(read(FeedScope::held), "");
}

TEST_F(FeedHoldsTest, WhatIsStillRetainedIsHeldFromThenOn) {
  hold(w_.database->now());
  hold(written_at_);
  w_.clock.advance(Span::seconds(1'000));
  w_.compact();
  EXPECT_EQ(read(FeedScope::held), "b");
}

TEST_F(FeedHoldsTest, NothingIsHeldForMoreThanAYear) {
  hold(Instant::beginning());
  w_.clock.advance(Span::seconds(365 * 86'400));
  EXPECT_EQ(read(FeedScope::held), "b");
  w_.clock.advance(Span::seconds(2 * 86'400));
  EXPECT_EQ(read(FeedScope::held), "");
}

TEST_F(FeedHoldsTest, APlaceBehindTheRetentionRemovesNothing) {
  hold(w_.database->now());
  EXPECT_EQ(read(FeedScope::retained), "b");
  EXPECT_EQ(read(FeedScope::held), "b");
}

TEST_F(FeedHoldsTest, OneThatBeginsHoldsFromThatMomentOn) {
  holds().begin(w_.place, w_.database->now());
  must(w_.put(c_, "d", "{}"));
  w_.clock.advance(Span::seconds(1'000));
  w_.compact();
  EXPECT_EQ(read(FeedScope::held), "d");
}

TEST_F(FeedHoldsTest, ACollectionThatKeptNoFeedGivesNothingBack) {
  hold(Instant::beginning());
  w_.change(c_, {.keep_feed_for = Span{0}});
  w_.change(c_, {.keep_feed_for = Span::seconds(100'000)});
  c_ = w_.database->catalog()->collection(c_->id);
  EXPECT_EQ(read(FeedScope::held), "");
}

}  // namespace
}  // namespace mayfly
