// A follower misses no event, and is not woken for events that its next round has anyway.
#include "db/feed/follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "db/testing.h"

namespace mayfly::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FollowerTest : public ::testing::Test {
 protected:
  void run_watches() { world.database->jobs().run_due(JobLane::events); }

  World world;
  CollectionPtr a = world.collection("a", {.keep_feed_for = Span::seconds(100)});
  CollectionPtr b = world.collection("b", {.keep_feed_for = Span::seconds(100)});
  int wakes = 0;
  Follower follower{*world.database, [this] { ++wakes; }};
};

TEST_F(FollowerTest, ARoundHasWhatChangedSinceTheLastOne) {
  follower.follow(a->id);
  follower.follow(b->id);
  EXPECT_TRUE(follower.has_more());
  EXPECT_THAT(follower.next().due, ElementsAre(a->id, b->id));  // their earlier events
  EXPECT_THAT(follower.next().due, IsEmpty());
  const Instant at = must(world.put(b, "x", "{}"));
  const Follower::Round round = follower.next();
  EXPECT_THAT(round.due, ElementsAre(b->id));
  EXPECT_GE(round.through, at);
  EXPECT_FALSE(follower.has_more());
}

TEST_F(FollowerTest, ItIsWokenByTheWatchesOfTheFeedAndNotByItsOwnRound) {
  follower.follow(a->id);
  follower.next();
  must(world.put(a, "x", "{}"));
  follower.next();
  EXPECT_EQ(wakes, 0);
  must(world.put(a, "y", "{}"));
  run_watches();
  EXPECT_EQ(wakes, 1);
  EXPECT_TRUE(follower.has_more());
  EXPECT_THAT(follower.next().due, ElementsAre(a->id));
}

// Other threads commit and flush meanwhile, so a round is woken for later commits.
TEST_F(FollowerTest, NoEventIsMissedBesideOtherThreads) {
  constexpr int writes = 500;
  std::atomic<int> writing = 2;
  const auto write = [&](const CollectionPtr& c) {
    for (int i = 0; i < writes; ++i) {
      must(world.put(c, std::to_string(i), "{}"));
      world.database->feed().flush();
    }
    --writing;
  };
  std::thread first(write, a);
  std::thread second(write, b);
  follower.follow(a->id);
  follower.follow(b->id);
  std::map<CollectionId, FeedPosition> read;
  std::size_t events = 0;
  for (bool is_last = false; !is_last;) {
    is_last = writing == 0 && !follower.has_more();
    const Follower::Round round = follower.next();
    for (const CollectionId id : round.due) {
      const FeedPage page = must(world.database->feed().read(*world.now(id == a->id ? a : b),
                                                             read[id], 10'000, round.through));
      read[id] = page.last;
      events += page.events.size();
    }
  }
  first.join();
  second.join();
  EXPECT_EQ(events, 2U * writes);
}

TEST_F(FollowerTest, AFeedNoLongerFollowedDoesNotWakeIt) {
  follower.follow(a->id);
  follower.follow(b->id);
  follower.follow_only({b->id});
  EXPECT_THAT(follower.next().due, ElementsAre(b->id));
  must(world.put(a, "x", "{}"));
  run_watches();
  EXPECT_EQ(wakes, 0);
  follower.unfollow(b->id);
  EXPECT_FALSE(world.database->feed().is_watched());
  must(world.put(b, "x", "{}"));
  EXPECT_THAT(follower.next().due, IsEmpty());
}

}  // namespace
}  // namespace mayfly::testing
