// Another server on the same store: a commit guards the rows that it relies on, so a commit with an
// outdated catalog, id or watermark fails and changes nothing.
#include <gtest/gtest.h>

#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "db/testing.h"

namespace mayfly::testing {
namespace {

class ForeignWriterTest : public ::testing::Test {
 protected:
  // The other server writes the row unchanged, or a new value; the clock goes on behind it.
  void write(const Bytes& key, std::optional<Bytes> value = {}) {
    store::Store& store = world.database->store();
    if (!value) {
      value.emplace();
      ASSERT_NE(must(store.get(key, *value, nullptr)), 0U);
    }
    world.clock.advance(Span::seconds(1));
    store::CommitBatch batch{.version = records::to_version(world.clock.now())};
    batch.puts.push_back({key, *value});
    must(store.commit(batch));
    world.clock.advance(Span::seconds(1));
  }

  World world;
};

TEST_F(ForeignWriterTest, ATransactionFailsWhereItsCollectionIsAnotherOne) {
  const auto a = world.collection("a");
  const auto b = world.collection("b");
  must(world.put(a, "x", R"({"n":1})"));
  write(keys::collection(a->id));
  const auto refused = world.put(a, "x", R"({"n":2})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::contended);
  EXPECT_EQ(world.get(a, "x"), R"({"n":1})");
  // Also if the collection was only read.
  const auto copied = world.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.view().get(*world.now(a), DocumentKey::of("x"), t.view().live()));
    TRY(t.put(world.now(b), DocumentKey::of("copy"), TRY(pack_json("{}")), {}));
    return {};
  });
  EXPECT_FALSE(copied);
  EXPECT_EQ(world.get(b, "copy"), "-");
  must(world.put(b, "y", "{}"));  // other collections are not affected
}

TEST_F(ForeignWriterTest, AChangeOfTheCatalogFailsWhereItsRowsAreOthers) {
  const auto a = world.collection("a");
  write(keys::collection(a->id));
  EXPECT_FALSE(world.database->change_collection(a->id, {.keep_feed_for = Span::seconds(5)}));
  EXPECT_FALSE(world.database->drop_collection(a->id));
  EXPECT_EQ(world.now(a)->policy.feed.span, Span{0});
  write(keys::next_id());
  EXPECT_FALSE(world.database->create_collection(a->database, {.name = "b"}));
}

TEST_F(ForeignWriterTest, TheSweeperRecordsNothingBehindAnothersWatermark) {
  const auto a = world.collection("a", {.keep_feed_for = Span::infinite()});
  must(world.put(a, "x", "{}", At{world.clock.now() + Span::seconds(1)}));
  must(world.put(a, "y", "{}", At{world.clock.now() + Span::seconds(100)}));
  world.clock.advance(Span::seconds(2));
  EXPECT_EQ(world.sweep(), 1U);
  world.clock.advance(Span::seconds(100));
  write(keys::watermark(a->id, keys::Queue::at));
  EXPECT_EQ(world.sweep(), 0U);
  EXPECT_EQ(world.events(a), "created:x created:y expired:x");
  EXPECT_EQ(world.get(a, "y"), "-");  // expired all the same
}

}  // namespace
}  // namespace mayfly::testing
