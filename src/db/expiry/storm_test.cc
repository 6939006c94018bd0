// Many expirations at one instant: answers are exact immediately, whatever happens to the rows.
#include "db/limits.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

constexpr int storm = 3'000;

CollectionPtr with_storm(World& w, CollectionChange promises, std::vector<IndexSpec> indexes = {}) {
  const auto c = w.collection("c", std::move(promises), std::move(indexes));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (int i = 0; i < storm; ++i) {
      TRY(t.put(w.now(c), DocumentKey::of("d" + std::to_string(i)), TRY(pack_json(R"({"n":1})")),
                {.lifetime = Lifetime(At{second(2'000)})}));
    }
    return {};
  }));
  must(w.put(c, "stays", R"({"n":2})"));
  w.clock.set(second(2'000));
  return c;
}

TEST(Storm, IsLeftToCompactionWithoutAFeed) {
  World w;
  const auto c = with_storm(w, {}, {{"n", {{Field::body("n"), false}}}});
  EXPECT_EQ(w.list(c), "stays");
  EXPECT_GE(w.sweep(), std::size_t{storm});
  EXPECT_EQ(w.list(c), "stays");
  const SweeperState state = w.database->sweeper().state();
  EXPECT_EQ(state.expired, std::uint64_t{storm});
  EXPECT_EQ(state.left_to_compaction, std::uint64_t{storm});
  EXPECT_TRUE(state.next_due.is_never());
  EXPECT_EQ(w.rows(keys::Table::head, c), std::size_t{storm} + 1);
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 1U);
  EXPECT_EQ(w.rows(keys::Table::index, c), 1U);
  EXPECT_EQ(w.rows(keys::Table::queue, c), 1U);
}

TEST(Storm, LeavesIdsAndUniqueValuesFree) {
  World w;
  const auto c = with_storm(w, {});
  w.sweep();
  EXPECT_EQ(w.get(c, "d7"), "-");
  must(w.put(c, "d7", R"({"n":7})", PutOptions{.expect = PutOptions::Expect::absent}));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.list(c), "d7 stays");
}

TEST(Storm, IsPublishedWithoutARowForEachEvent) {
  World w;
  const auto c = with_storm(w, {.keep_feed_for = Span::infinite()});
  EXPECT_EQ(w.sweep(), std::size_t{storm});
  EXPECT_EQ(w.database->sweeper().state().left_to_compaction, std::uint64_t{storm});
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 1U);
  EXPECT_EQ(w.rows(keys::Table::queue, c), std::size_t{storm + 1});  // the feed is made of them
  EXPECT_EQ(w.rows(keys::Table::feed, c), std::size_t{storm + 1});   // the creations
  EXPECT_LE(w.rows(keys::Table::logged_ends, c), std::size_t{storm / limits::logged_ends_max + 9});
}

TEST(Storm, OfThePastIsNotPublishedWhenAFeedStartsLater) {
  World w;
  const auto c = with_storm(w, {});
  w.sweep();
  w.change(c, {.keep_feed_for = Span::infinite()});
  must(w.put(c, "new", "{}", Lifetime(At{second(2'100)})));
  w.clock.set(second(2'100));
  w.sweep();
  EXPECT_EQ(w.events(c), "created:new expired:new");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 1U);
}

}  // namespace
}  // namespace mayfly
