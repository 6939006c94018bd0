// An event whose document stays unreadable: it holds up no other event, and a subscription that may
// lack it says so.
#include "db/rows/keys.h"
#include "delivery/testing.h"

namespace mayfly::delivery {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

class UnreadableEventTest : public ::testing::Test, public DeliveryWorld {
 protected:
  void SetUp() override { c = world.collection("c", with_feed); }

  Subscription with_filter(const ExprPtr& filter) {
    Subscription one = subscription();
    one.filter = must(StoredExpression::of(filter));
    put(one);
    return one;
  }
  void damage(const std::string& id) { damage_row(head_of(id)); }
  Bytes head_of(const std::string& id) {
    return keys::head(c->id, keys::encode(DocumentKey::of(id)));
  }
  void damage_row(const Bytes& row) {
    world.clock.advance(Span::millis(1));
    store::CommitBatch batch{.version = static_cast<store::Version>(world.database->now().micros)};
    batch.puts.push_back({row, "damaged"});
    must(world.database->store().commit(batch));
    world.clock.advance(Span::millis(1));
  }

  CollectionPtr c;
};

TEST_F(UnreadableEventTest, IsAGapOfEachSubscriptionWhoseFilterMayMatchIt) {
  const Subscription by_value = with_filter(expr::equal(expr::body("n"), expr::literal(1)));
  const Subscription by_order = with_filter(expr::less(expr::literal(0), expr::body("n")));
  Subscription others = subscription();
  others.filter = by_value.filter;
  others.collections = {"d"};
  put(others);
  const Subscription all = subscription();
  put(all);
  run();
  must(world.put(c, "a", R"({"n":1})"));
  damage("a");
  must(world.put(c, "b", R"({"n":1})"));
  for (int i = 0; i < 20; ++i) advance(10);
  EXPECT_THAT(sent(), ::testing::HasSubstr("created:b"));
  const auto has_gap = [&](const Subscription& one) {
    return engine->state(one.id)->progress.has_gap;
  };
  EXPECT_TRUE(has_gap(by_value));
  EXPECT_TRUE(has_gap(by_order));
  EXPECT_FALSE(has_gap(others));
  EXPECT_FALSE(has_gap(all)) << "its message needs no document";
  for (const Subscription& one : {by_value, by_order, all}) {
    EXPECT_EQ(engine->state(one.id)->oldest, Instant::never()) << "all events have been read";
  }
}

// The version before the one that cannot be read is another document.
TEST_F(UnreadableEventTest, IsNotJudgedByTheVersionBefore) {
  const Subscription filtered = with_filter(expr::equal(expr::body("n"), expr::literal(2)));
  run();
  must(world.put(c, "a", R"({"n":2})"));
  const Instant second_version = must(world.put(c, "a", R"({"n":1})"));
  must(world.put(c, "a", R"({"n":3})"));
  damage_row(keys::history(c->id, keys::encode(DocumentKey::of("a")), second_version));
  for (int i = 0; i < 20; ++i) advance(10);
  EXPECT_EQ(sent(), "created:a");
  EXPECT_TRUE(engine->state(filtered.id)->progress.has_gap);
}

}  // namespace
}  // namespace mayfly::delivery
