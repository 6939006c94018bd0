// A watch of the feed is woken by every change of its collection, and by nothing else.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "db/testing.h"

namespace mayfly::testing {
namespace {

const CollectionChange feed_kept{.keep_feed_for = Span::seconds(100)};

class FeedWatchTest : public ::testing::Test {
 protected:
  FeedWatchTest() { world.database->jobs().start(JobLane::events); }
  // How often the watch was woken since the last call.
  struct Watched {
    std::atomic<int> times = 0;
    std::unique_ptr<FeedWatch> watch;
  };
  std::unique_ptr<Watched> watch(const CollectionPtr& c) {
    auto watched = std::make_unique<Watched>();
    watched->watch = feed().watch(c->id, [w = watched.get()] { ++w->times; });
    return watched;
  }
  bool was_woken(Watched& watched) {
    feed().flush();
    return watched.times.exchange(0) > 0;
  }
  Feed& feed() { return world.database->feed(); }

  World world;
};

TEST_F(FeedWatchTest, WritesWakeTheWatchesOfTheirCollection) {
  const auto a = world.collection("a", {.keep_trash_for = Span::seconds(10)});
  const auto b = world.collection("b");
  EXPECT_FALSE(feed().is_watched());
  const auto first = watch(a);
  const auto second = watch(a);
  const auto other = watch(b);
  EXPECT_TRUE(feed().is_watched());
  EXPECT_FALSE(was_woken(*first));
  must(world.put(a, "x", "{}"));
  EXPECT_TRUE(was_woken(*first));
  EXPECT_TRUE(was_woken(*second));
  EXPECT_FALSE(was_woken(*other));
  must(world.remove(a, "x"));
  EXPECT_TRUE(was_woken(*first));
  must(world.restore(a, "x"));
  EXPECT_TRUE(was_woken(*first));
  EXPECT_FALSE(world.remove(a, "nothing"));
  EXPECT_FALSE(was_woken(*first));
}

TEST_F(FeedWatchTest, DeathsAndEndsOfTheTrashWakeWhenTheyAreRecorded) {
  const auto c = world.collection(
      "c", {.keep_trash_for = Span::seconds(10), .keep_feed_for = Span::infinite()});
  must(world.put(c, "dies", "{}", At{second(1'005)}));
  must(world.put(c, "goes", "{}"));
  must(world.remove(c, "goes"));
  const auto watched = watch(c);
  world.clock.advance(Span::seconds(6));
  EXPECT_FALSE(was_woken(*watched));
  EXPECT_EQ(world.sweep(), 1U);
  EXPECT_TRUE(was_woken(*watched));
  world.clock.advance(Span::seconds(6));
  EXPECT_EQ(world.sweep(), 1U);
  EXPECT_TRUE(was_woken(*watched));
}

TEST_F(FeedWatchTest, ChangingOrDroppingACollectionWakes) {
  const auto c = world.collection("c");
  const auto d = world.collection("d");
  const auto watched = watch(c);
  const auto other = watch(d);
  world.change(c, {.keep_feed_for = Span::seconds(5)});
  EXPECT_TRUE(was_woken(*watched));
  must(world.database->drop_collection(c->id));
  EXPECT_TRUE(was_woken(*watched));
  EXPECT_FALSE(was_woken(*other));
  must(world.database->drop_database(world.place));
  EXPECT_TRUE(was_woken(*other));
}

TEST_F(FeedWatchTest, ADestroyedWatchIsNotWoken) {
  const auto c = world.collection("c");
  const auto watched = watch(c);
  watched->watch.reset();
  EXPECT_FALSE(feed().is_watched());
  must(world.put(c, "x", "{}"));
  EXPECT_FALSE(was_woken(*watched));
  // Also from inside the callback.
  int times = 0;
  std::unique_ptr<FeedWatch> own;
  own = feed().watch(c->id, [&] {
    ++times;
    own.reset();
  });
  must(world.put(c, "x", "{}"));
  feed().flush();
  must(world.put(c, "x", "{}"));
  feed().flush();
  EXPECT_EQ(times, 1);
}

TEST_F(FeedWatchTest, AWatchMayOutliveItsDatabase) {
  const auto watched = watch(world.collection("c"));
  world.database.reset();
  watched->watch.reset();
}

TEST_F(FeedWatchTest, FlushedEventsCanBeReadAndNoEventComesBeforeThem) {
  const auto c = world.collection("c", feed_kept);
  must(world.put(c, "x", "{}"));
  const Instant settled = feed().flush();
  EXPECT_EQ(must(feed().read(*c, {}, 10)).last.committed_at, settled);
  const Instant later = must(world.put(c, "y", "{}"));
  EXPECT_GT(later, settled);
  EXPECT_EQ(must(feed().read(*c, {}, 10, settled)).events.size(), 1U);
  EXPECT_EQ(must(feed().read(*c, {settled, 0}, 10, settled)).events.size(), 0U);
  EXPECT_EQ(must(feed().read(*c, {}, 10, feed().flush())).events.size(), 2U);
}

// Reads the feed whenever it is woken, in the feed's own thread.
class Woken {
 public:
  Woken(World& world, const CollectionPtr& c) : world_(world), collection_(c) {
    watch_ = world.database->feed().watch(c->id, [this] {
      const std::lock_guard lock(mutex_);
      is_woken_ = true;
      changed_.notify_all();
    });
  }
  // Whether this many events arrive.
  bool sees(std::size_t events) {
    for (;;) {
      const FeedPage page = must(world_.database->feed().read(*collection_, last_, 100));
      last_ = page.last;
      seen_ += page.events.size();
      if (seen_ >= events) return seen_ == events;
      if (page.has_more) continue;
      std::unique_lock lock(mutex_);
      const auto timeout = std::chrono::seconds(20);
      if (!changed_.wait_for(lock, timeout, [this] { return is_woken_; })) return false;
      is_woken_ = false;
    }
  }

 private:
  World& world_;
  CollectionPtr collection_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_woken_ = false;
  FeedPosition last_;
  std::size_t seen_ = 0;
  std::unique_ptr<FeedWatch> watch_;
};

TEST_F(FeedWatchTest, NoWakeUpIsLostHoweverWatchingAndWritingMeet) {
  for (int round = 0; round < 100; ++round) {
    const auto c = world.collection("c" + std::to_string(round), feed_kept);
    std::thread writer([&] { must(world.put(c, "x", "{}")); });
    Woken follower(world, c);
    EXPECT_TRUE(follower.sees(1));
    writer.join();
  }
}

TEST_F(FeedWatchTest, ManyWritersAndFollowersMissNothing) {
  constexpr int writers = 3;
  constexpr int writes = 100;
  const auto c = world.collection("c", feed_kept);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int f = 0; f < 3; ++f) {
    threads.emplace_back([&] { right += Woken(world, c).sees(writers * writes) ? 1 : 0; });
  }
  for (int w = 0; w < writers; ++w) {
    threads.emplace_back([this, &c, w] {
      for (int i = 0; i < writes; ++i) {
        must(world.put(c, std::to_string(w) + "." + std::to_string(i), "{}"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 3);
}

// At the instant of a reader's position, some events may be gone that it has not read.
TEST_F(FeedWatchTest, AReaderAtTheFloorOfTheFeedGetsAGap) {
  const auto c = world.collection("c", feed_kept);
  const Instant at = must(world.database->transact([&](Transaction& t) -> Result<void> {
    for (const char* id : {"a", "b", "c"}) {
      TRY(t.put(c, DocumentKey::of(id), TRY(pack_json("{}")), {}));
    }
    return {};
  }));
  const FeedPage first = must(feed().read(*c, {Instant{1}, 0}, 1));
  ASSERT_EQ(first.events.size(), 1U);
  EXPECT_TRUE(first.has_more);
  for (const Span over : {Span{0}, Span{1}}) {
    world.clock.set(at + Span::seconds(100) + over);
    const FeedPage rest = must(feed().read(*c, first.last, 10));
    EXPECT_TRUE(rest.events.empty());
    EXPECT_TRUE(rest.has_gap);
  }
}

}  // namespace
}  // namespace mayfly::testing
