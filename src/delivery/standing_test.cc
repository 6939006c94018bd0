// Targets that are closed, and subscriptions that every database has.
#include "delivery/standing.h"

#include <gtest/gtest.h>

#include "delivery/testing.h"

namespace mayfly::delivery {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): helpers of these tests

class StandingTest : public ::testing::Test, public DeliveryWorld {
 protected:
  void SetUp() override { c = world.collection("c", with_feed); }
  // The server after a start whose settings have the standing subscription.
  void start_standing() {
    start();
    engine->add_standing({.id = "all", .format = "test", .target = "fake"});
  }
  DatabaseInfoPtr database(const std::string& name) {
    return world.database->catalog()->find_database(name);
  }
  Subscription own(const DatabaseInfo& place) { return engine->standing(place).at(0); }
  const DatabaseInfo& place() { return *world.database->catalog()->database(world.place); }

  CollectionPtr c;
};

TEST_F(StandingTest, AClosedTargetIsSentNothingAndCostsNoAttempt) {
  Subscription all = subscription();
  all.attempts_max = 1;
  put(all);
  target->closed = "it is not there";
  must(world.put(c, "a", "{}"));
  run();
  advance(86'400);
  EXPECT_EQ(sent(), "");
  EXPECT_EQ(engine->state(all.id)->waiting, 1U);
  EXPECT_EQ(engine->state(all.id)->progress.last_error, "it is not there");
  EXPECT_EQ(engine->closed_targets().at("fake"), "it is not there");
  target->closed.reset();
  target->changed();
  run();
  EXPECT_EQ(sent(), "created:a");
  EXPECT_TRUE(engine->closed_targets().empty());
}

TEST_F(StandingTest, ATargetThatOpensAgainEndsTheRest) {
  const Subscription all = subscription();
  put(all);
  target->answer = [](const SentMessage&) {
    return AttemptOutcome{AttemptOutcome::Kind::interrupted, "the connection broke"};
  };
  must(world.put(c, "a", "{}"));
  run();
  EXPECT_EQ(sent(), "created:a");
  EXPECT_GT(engine->state(all.id)->rests_until, world.database->now());
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  ++target->openings;
  target->changed();
  run();
  EXPECT_EQ(sent(), "created:a");
}

TEST_F(StandingTest, EveryDatabaseHasTheStandingSubscription) {
  must(world.put(c, "before", "{}"));
  world.clock.advance(Span::seconds(1));
  start_standing();
  run();
  must(world.put(c, "a", "{}"));
  const DatabaseInfoPtr other = must(world.database->create_database("other"));
  const CollectionPtr d = must(world.database->create_collection(other->id, {"d", with_feed}));
  must(world.put(d, "b", "{}"));
  run();
  EXPECT_EQ(sent(), "created:a created:b");
  EXPECT_NE(own(place()).id, own(*other).id);
  EXPECT_EQ(engine->state(own(*other).id)->progress.delivered, 1);
  // The feed of a collection begins with the collection.
  EXPECT_FALSE(engine->state(own(*other).id)->progress.has_gap);
  start_standing();
  run();
  EXPECT_EQ(sent(), "");
  must(world.put(d, "e", "{}"));
  run();
  EXPECT_EQ(sent(), "created:e");
}

TEST_F(StandingTest, ADatabaseCreatedShortlyBeforeAStopLosesNothing) {
  start_standing();
  run();
  const DatabaseInfoPtr other = must(world.database->create_database("other"));
  const CollectionPtr d = must(world.database->create_collection(other->id, {"d", with_feed}));
  must(world.put(d, "b", "{}"));
  world.clock.advance(Span::seconds(10));
  start_standing();
  run();
  EXPECT_EQ(sent(), "created:b");
}

TEST_F(StandingTest, MessagesThatItGivesUpAreDeadLetters) {
  start_standing();
  target->answer = [](const SentMessage&) {
    return AttemptOutcome{AttemptOutcome::Kind::refused, "no"};
  };
  must(world.put(c, "a", "{}"));
  run();
  for (int i = 0; i < 20; ++i) advance(7'200);
  ASSERT_EQ(dead_letters().size(), 1U);
  EXPECT_EQ(dead_letters()[0].subscription, own(place()).id);
}

TEST_F(StandingTest, EndsWithItsDatabase) {
  start_standing();
  run();
  const DatabaseInfoPtr other = must(world.database->create_database("other"));
  must(world.put(must(world.database->create_collection(other->id, {"d", with_feed})), "b", "{}"));
  run();
  EXPECT_TRUE(engine->state(own(*other).id));
  must(world.database->drop_database(other->id));
  run();
  EXPECT_FALSE(engine->state(own(*other).id));
}

// The tables of its progress are dropped before the outcome of its messages is known.
TEST_F(StandingTest, ADatabaseThatIsDroppedDuringAnAttemptBlocksNoOther) {
  start_standing();
  const DatabaseInfoPtr other = must(world.database->create_database("other"));
  const CollectionPtr d = must(world.database->create_collection(other->id, {"d", with_feed}));
  run();
  target->answer = [](const SentMessage&) { return std::nullopt; };
  must(world.put(d, "under way", "{}"));
  run();
  ASSERT_EQ(target->in_flight.size(), 1U);
  must(world.database->drop_database(other->id));
  target->answer = [](const SentMessage&) { return AttemptOutcome{}; };
  target->in_flight[0]({AttemptOutcome::Kind::refused, "no"});
  must(world.put(c, "a", "{}"));
  run();
  EXPECT_EQ(sent(), "created:under way created:a");
  for (const JobState& job : world.database->jobs().states()) EXPECT_EQ(job.failures, 0U);
}

}  // namespace
}  // namespace mayfly::delivery
