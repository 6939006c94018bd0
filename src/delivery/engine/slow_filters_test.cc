// Filters that together need longer than the engine has for one database in turn.
#include "delivery/engine/database_subscribers.h"

#include "delivery/testing.h"

namespace mayfly::delivery {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

class SlowFiltersTest : public ::testing::Test, public DeliveryWorld {
 protected:
  void SetUp() override { c = world.collection("c", with_feed); }

  CollectionPtr c;
};

TEST_F(SlowFiltersTest, HoldUpNoOtherSubscription) {
  std::string list = "0";
  for (int i = 1; i < 100'000; ++i) list += ",0";
  const auto slow = expr::call("array_contains", {expr::body("list"), expr::literal(1)});
  std::set<std::string> slow_ones;
  for (int i = 0; i < 60; ++i) {
    Subscription one = subscription();
    one.filter = must(StoredExpression::of(expr::any_of({slow, slow, slow, slow})));
    slow_ones.insert(one.id);
    put(one);
  }
  const Subscription quick = subscription();
  put(quick);
  run();
  for (const char* id : {"a", "b"}) {
    must(world.put(c, id, R"({"list":[)" + list + "]}"));
    world.database->feed().flush();
    for (int i = 0; i < 3 && engine->state(quick.id)->progress.delivered < (id[0] == 'a' ? 1 : 2);
         ++i) {
      world.database->jobs().run_due();
      // A change of another subscription loses nothing.
      Subscription changed = subscription();
      changed.is_paused = true;
      put(changed);
    }
  }
  EXPECT_EQ(engine->state(quick.id)->progress.delivered, 2);
  EXPECT_EQ(sent(), "created:a created:b");
  for (int i = 0; i < 1'000 && world.database->jobs().run_due() > 0; ++i) {
  }
  EXPECT_EQ(sent(), "");
  for (const std::string& id : slow_ones) {
    EXPECT_EQ(engine->state(id)->oldest, Instant::never()) << "all events have been read";
  }
}

}  // namespace
}  // namespace mayfly::delivery
