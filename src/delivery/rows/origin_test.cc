// The ids of messages, and what distinguishes those of one data directory from those of others.
#include "delivery/rows/origin.h"

#include "delivery/testing.h"

namespace mayfly::delivery {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

class OriginTest : public ::testing::Test, public DeliveryWorld {
 protected:
  void SetUp() override { c = world.collection("c", with_feed); }

  CollectionPtr c;
};

// As of servers with virtual clocks that begin at the same instant.
TEST_F(OriginTest, EventsOfTheSameInstantInOtherDataHaveOtherIds) {
  DeliveryWorld other;
  other.random.uuid();  // what follows differs
  const auto id_in = [](DeliveryWorld& w, const CollectionPtr& collection) {
    w.put(w.subscription());
    w.run();
    must(w.world.put(collection, "a", "{}"));
    w.run();
    return w.target->sent.at(0).id;
  };
  const std::string own = id_in(*this, c);
  const std::string others = id_in(other, other.world.collection("c", with_feed));
  EXPECT_EQ(own.substr(own.find('-')), others.substr(others.find('-')));
  EXPECT_NE(own, others);
  start();
  EXPECT_EQ(must(read_origin(*world.database)), own.substr(0, own.find('-')));
}

TEST_F(OriginTest, DataWithSubscriptionsOfAnEarlierVersionKeepsItsIds) {
  must(PrivateTable<Subscription>::ensure(*world.database, world.place));
  start();
  put(subscription());
  run();
  must(world.put(c, "a", "{}"));
  run();
  const std::string id = target->sent.at(0).id;
  EXPECT_EQ(id.substr(0, id.find('-')), std::to_string(c->id));
}

}  // namespace
}  // namespace mayfly::delivery
