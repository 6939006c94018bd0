// Deaths that are published by a watermark instead of a removal for each: exactly once, whatever
// happens in between.
#include "db/expiry/watermarks.h"

#include <gtest/gtest.h>

#include "db/testing.h"
#include "store/wrappers/counting.h"

namespace mayfly {
namespace {

using testing::after;
using testing::Lent;
using testing::must;
using testing::second;
using testing::World;

const CollectionChange with_feed{.keep_feed_for = Span::infinite()};

// A store whose database comes and goes, and for which the test decides what is durable.
class Disk final : public store::Forward {
 public:
  using Forward::Forward;
  store::Version durable() const override { return is_slow ? durable_ : Forward::durable(); }
  void sync(store::Version version) override {
    durable_ = std::max(durable_, version);
    Forward::sync(version);
  }
  Result<void> commit(const store::CommitBatch& batch) override {
    last = batch;
    return Forward::commit(batch);
  }

  bool is_slow = false;
  store::CommitBatch last;

 private:
  store::Version durable_ = 0;
};

class WatermarksTest : public ::testing::Test {
 protected:
  WatermarksTest()
      : counter_(new store::CountingStore(store::open_memory())),
        disk_(std::unique_ptr<store::Store>(counter_)),
        w_(std::make_unique<Lent>(disk_)) {}

  void restart() {
    w_.database.reset();
    w_.database = must(Database::open(std::make_unique<Lent>(disk_), w_.clock));
  }
  void put_many(const CollectionPtr& c, int many, const Lifetime& lifetime) {
    must(w_.database->transact([&](Transaction& t) -> Result<void> {
      for (int i = 0; i < many; ++i) {
        const std::string id = std::to_string(lifetime.index()) + "-" + std::to_string(i);
        TRY(t.put(w_.now(c), DocumentKey::of(id), TRY(pack_json("{}")), {.lifetime = lifetime}));
      }
      return {};
    }));
  }
  std::string expired(const CollectionPtr& c) {
    std::string all;
    for (const Event& e : must(w_.database->feed().read(*w_.now(c), {}, 10'000)).events) {
      if (e.kind == Event::Kind::expired) all += (all.empty() ? "" : " ") + e.key.id;
    }
    return all;
  }
  std::size_t rows_read_by_a_sweep() {
    counter_->reset();
    w_.sweep();
    return counter_->counts().rows;
  }

  store::CountingStore* counter_;
  Disk disk_;
  World w_;
};

TEST_F(WatermarksTest, DeathsArePublishedByLoggedEndsAndTheWatermarkAlone) {
  const auto c =
      w_.collection("c", {.default_lifetime = Default{Never{}}, .keep_feed_for = Span::infinite()});
  put_many(c, 100, At{second(1'010)});
  put_many(c, 100, after(20));
  w_.clock.set(second(1'010));
  counter_->reset();
  EXPECT_EQ(w_.sweep(), 100U);
  EXPECT_EQ(counter_->counts().gets, 0U);
  EXPECT_EQ(disk_.last.puts.size(), 3U);  // 64 ends and 36, and the watermark
  EXPECT_TRUE(disk_.last.removals.empty());
  EXPECT_EQ(disk_.last.points.size(), 2U);  // the watermark, and the collection
  w_.clock.set(second(1'020));
  EXPECT_EQ(w_.sweep(), 100U);
  EXPECT_EQ(disk_.last.puts.size(), 3U);
}

TEST_F(WatermarksTest, PublishedEndsAreNeitherPublishedNorReadAgainAfterARestart) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(5), .keep_feed_for = Span::infinite()});
  put_many(c, 700, At{second(1'010)});
  put_many(c, 700, after(20));
  put_many(c, 700, Inherit{});
  must(w_.put(c, "later", "{}", At{second(2'000)}));
  w_.clock.set(second(1'100));
  EXPECT_EQ(must(w_.database->sweeper().run_due(1'000)), 1'000U);
  restart();
  EXPECT_EQ(w_.sweep(), 1'100U);
  restart();
  EXPECT_LE(rows_read_by_a_sweep(), 1U);
  EXPECT_EQ(w_.database->sweeper().state().next_due, second(2'000));
  EXPECT_EQ(w_.database->sweeper().state().left_to_compaction, 2'100U);
  const std::string all = expired(c);
  EXPECT_EQ(std::count(all.begin(), all.end(), ' '), 2'099);
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 2'101U);  // the feed is made of them
  EXPECT_EQ(expired(c), all);
  w_.change(c, {.keep_feed_for = Span::seconds(1)});
  w_.clock.advance(Span::seconds(2));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 1U);
  EXPECT_EQ(w_.rows(keys::Table::logged_ends, c), 0U);
}

TEST_F(WatermarksTest, AFeedKeepsOnlyTheRowsOfQueuesThatItStillNeeds) {
  const auto c = w_.collection("c", {.keep_feed_for = Span::seconds(100)});
  put_many(c, 10, At{second(1'010)});
  w_.clock.set(second(1'010));
  w_.sweep();
  for (int i = 0; i < 20; ++i) must(w_.put(c, "b" + std::to_string(i), "{}", At{second(1'060)}));
  w_.clock.set(second(1'060));
  w_.sweep();
  w_.clock.set(second(1'109));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 30U);
  w_.clock.set(second(1'120));
  restart();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 20U);
  EXPECT_TRUE(expired(c).starts_with("b0 b1 b10 b11"));
  w_.clock.set(second(1'161));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 0U);
  EXPECT_EQ(expired(c), "");
}

TEST_F(WatermarksTest, UnpublishedDeathsAreNotReadAgainAfterARestart) {
  const auto c = w_.collection("c");
  put_many(c, 700, At{second(1'010)});
  must(w_.put(c, "later", "{}", At{second(2'000)}));
  w_.clock.set(second(1'100));
  restart();
  EXPECT_LE(rows_read_by_a_sweep(), 1U);
  EXPECT_EQ(w_.database->sweeper().state().next_due, second(2'000));
  EXPECT_EQ(w_.database->sweeper().state().left_to_compaction, 700U);
}

TEST_F(WatermarksTest, NoChangeOfPolicyPublishesADeathAgain) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(10), .keep_feed_for = Span::infinite()});
  put_many(c, 3, Inherit{});
  put_many(c, 3, after(10));
  put_many(c, 3, At{second(1'010)});
  w_.clock.set(second(1'010));
  EXPECT_EQ(w_.sweep(), 9U);
  const std::string first = expired(c);
  const std::vector<CollectionChange> changes{
      {.default_lifetime = Default{Unset{}}},
      {.default_lifetime = after(9'000)},
      {.keep_history_for = Span::seconds(1'000), .keep_purges_for = Span::infinite()},
      {.keep_trash_for = Span::infinite(), .expires_to_trash = true},
      {.default_lifetime = Default{Never{}}},
      {.default_lifetime = after(1)},
      {.expires_to_trash = false},
      {.keep_feed_for = Span::seconds(100'000)},
  };
  for (const CollectionChange& change : changes) {
    w_.change(c, change);
    EXPECT_EQ(w_.sweep(), 0U);
    w_.clock.advance(Span::seconds(10));
    restart();
    EXPECT_EQ(w_.sweep(), 0U);
    EXPECT_EQ(expired(c), first);
    EXPECT_EQ(w_.list(c), "");
    EXPECT_EQ(w_.trash(c), "");
  }
  must(w_.database->persist_clock());
  w_.change(c, {.keep_feed_for = Span{0}, .keep_purges_for = Span{0}});
  w_.change(c, {.keep_feed_for = Span::infinite()});
  EXPECT_EQ(w_.sweep(), 0U);
  EXPECT_EQ(expired(c), "");
}

TEST_F(WatermarksTest, APublishedDeathDoesNotGoToATrashThatStartsLater) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(10), .keep_feed_for = Span::infinite()});
  must(w_.put(c, "a", R"({"n":1})", Inherit{}));
  w_.clock.set(second(1'010));
  EXPECT_EQ(w_.sweep(), 1U);
  w_.clock.set(second(1'100));
  w_.change(c, {.keep_trash_for = Span::infinite(), .expires_to_trash = true});
  // Twice, so that the past in which it expired is folded: its death then seems to be later.
  for (const int seconds : {20, 30, 40}) {
    w_.sweep();
    w_.clock.advance(Span::seconds(100));
    w_.change(c, {.default_lifetime = after(seconds)});
  }
  w_.sweep();
  must(w_.put(c, "a", R"({"n":2})", Lifetime{Never{}}));
  EXPECT_EQ(w_.trash(c), "");
  EXPECT_EQ(expired(c), "a");
  must(w_.remove(c, "a", {.is_final = true}));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::head, c), 0U);
}

TEST_F(WatermarksTest, HeadsOfPublishedDeathsDoNotWaitForATrash) {
  const auto c =
      w_.collection("c", {.default_lifetime = after(10), .keep_feed_for = Span::infinite()});
  must(w_.put(c, "a", "{}", Inherit{}));
  w_.clock.set(second(1'010));
  EXPECT_EQ(w_.sweep(), 1U);
  w_.change(c, {.keep_trash_for = Span::infinite(), .expires_to_trash = true});
  for (const int seconds : {20, 30, 40}) {
    w_.sweep();
    w_.clock.advance(Span::seconds(100));
    w_.change(c, {.default_lifetime = after(seconds)});
  }
  w_.clock.advance(Span::seconds(100));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::head, c), 0U);
}

// A compaction may be undone by a crash.
TEST_F(WatermarksTest, AnUnpublishedDeathThatACrashBringsBackIsNotPublished) {
  const auto c = w_.collection("c", {.default_lifetime = after(10)});
  must(w_.put(c, "a", "{}", after(5)));
  must(w_.put(c, "b", "{}", Inherit{}));
  std::vector<store::Put> dropped;
  const Bytes prefix = keys::table(keys::Table::queue, c->id);
  const store::Range queue{.lo = prefix, .hi = after_prefix(prefix)};
  const auto rows = must(disk_.read({{}, {queue}}, nullptr));
  for (std::size_t i = 0; i < rows.scans.front().rows.size(); ++i) {
    dropped.push_back({Bytes(rows.scans.front().rows[i].key), {}});
  }
  ASSERT_EQ(dropped.size(), 2U);
  w_.clock.set(second(1'100));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 0U);
  w_.change(c, {.keep_feed_for = Span::infinite()});
  // The past in which they expired is folded.
  for (const int seconds : {20, 30, 40}) {
    EXPECT_EQ(w_.sweep(), 0U);
    w_.clock.advance(Span::seconds(100));
    w_.change(c, {.default_lifetime = after(seconds)});
  }
  must(disk_.commit({.version = disk_.applied() + 1, .puts = dropped}));
  restart();
  EXPECT_EQ(w_.sweep(), 0U);
  EXPECT_EQ(expired(c), "");
}

TEST_F(WatermarksTest, AVersionExpiredWhenWrittenIsBehindTheWatermark) {
  const auto c = w_.collection("c", with_feed);
  must(w_.put(c, "a", "{}", At{second(1'010)}));
  w_.clock.set(second(1'020));
  EXPECT_EQ(w_.sweep(), 1U);
  // Also if the clock stands still, or the wall clock has gone back.
  w_.clock.set(second(500));
  must(w_.put(c, "b", "{}", At{second(1'005)}));
  must(w_.put(c, "b", "{}", At{second(1)}));
  must(w_.put(c, "d", "{}", At{second(1'010)}));
  EXPECT_EQ(w_.sweep(), 3U);
  EXPECT_EQ(expired(c), "a b b d");
  EXPECT_EQ(w_.sweep(), 0U);
}

TEST_F(WatermarksTest, PublishedRowsAreDroppedOnceTheWatermarkIsDurable) {
  const auto c = w_.collection("c", with_feed);
  must(w_.put(c, "a", "{}", At{second(1'010)}));
  must(w_.put(c, "b", "{}", At{second(1'020)}));
  disk_.is_slow = true;
  disk_.sync(disk_.applied());
  w_.clock.set(second(1'010));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::head, c), 1U);
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 2U);
  disk_.sync(disk_.applied());
  w_.clock.set(second(1'020));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 1U);
  disk_.sync(disk_.applied());
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::queue, c), 0U);
}

TEST_F(WatermarksTest, ADroppedCollectionLeavesNoWatermark) {
  const auto c = w_.collection("c", with_feed);
  must(w_.put(c, "a", "{}", At{second(1'010)}));
  w_.clock.set(second(1'010));
  w_.sweep();
  const Bytes prefix = keys::all_watermarks();
  const auto watermarks = [&] {
    const store::Range all{.lo = prefix, .hi = after_prefix(prefix)};
    return must(disk_.read({{}, {all}}, nullptr)).scans.front().rows.size();
  };
  EXPECT_EQ(watermarks(), 1U);
  must(w_.database->drop_collection(c->id));
  EXPECT_EQ(watermarks(), 0U);
}

TEST_F(WatermarksTest, ADamagedWatermarkIsAnError) {
  w_.database.reset();
  store::CommitBatch batch{.version = disk_.applied() + 1};
  batch.puts.push_back({keys::all_watermarks() + "x", {}});
  must(disk_.commit(batch));
  const auto opened = Database::open(std::make_unique<Lent>(disk_), w_.clock);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::corrupt);
}

TEST_F(WatermarksTest, MovingWatermarksBecomeDurable) {
  Watermarks watermarks;
  const auto at = [](std::int64_t t) { return keys::queue(1, keys::Queue::at, Instant{t}, "a"); };
  for (std::int64_t t = 1; t <= 10; ++t) {
    watermarks.advance(1, {at(t), {}, {}}, static_cast<store::Version>(10 * t));
    // The disk is always three commits behind.
    const auto durable =
        watermarks.durable(static_cast<store::Version>(std::max<std::int64_t>(0, 10 * (t - 3))));
    const bool has_any = durable.contains(1);
    EXPECT_EQ(has_any, t >= 4) << t;
    if (!has_any) continue;
    EXPECT_LE(durable.at(1)[0], at(t - 3));
    EXPECT_GE(durable.at(1)[0], at(t - 6));
  }
  EXPECT_EQ(watermarks.durable(100).at(1)[0], at(10));
  EXPECT_EQ(watermarks.of(1)[0], at(10));
}

}  // namespace
}  // namespace mayfly
