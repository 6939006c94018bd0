// A collection whose ends cannot be recorded delays no other.
#include <gtest/gtest.h>

#include <algorithm>

#include "db/jobs/jobs.h"
#include "db/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

// A store in which the queues of one collection cannot be read.
class DamagedQueues final : public store::Forward {
 public:
  using Forward::Forward;
  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    for (const store::Range& range : batch.scans) {
      if (damaged != 0 && range.lo.starts_with(keys::table(keys::Table::queue, damaged))) {
        return fail(Code::corrupt, "a file of the store is damaged");
      }
    }
    return Forward::read(batch, snapshot);
  }
  CollectionId damaged = 0;
};

class FailingSweep : public ::testing::Test {
 protected:
  // A collection with an end that has come, and that cannot be recorded.
  CollectionPtr make_bad() {
    const CollectionPtr bad = w.collection("bad");
    must(w.put(bad, "a", "{}", Lifetime(At{second(1'010)})));
    w.clock.set(second(1'010));
    damage.damaged = bad->id;
    return bad;
  }

  std::unique_ptr<DamagedQueues> store = std::make_unique<DamagedQueues>(store::open_memory());
  DamagedQueues& damage = *store;
  World w{std::move(store)};
};

TEST_F(FailingSweep, OfOneCollectionHoldsUpNoOther) {
  const auto bad = w.collection("bad", {.keep_feed_for = Span::infinite()});
  const auto good = w.collection("good", {.keep_feed_for = Span::infinite()});
  for (const auto& c : {bad, good}) must(w.put(c, "a", "{}", Lifetime(At{second(1'010)})));
  w.sweep();
  w.clock.set(second(1'010));
  damage.damaged = bad->id;
  const auto swept = w.database->sweeper().run_due(1'000);
  ASSERT_FALSE(swept);
  EXPECT_EQ(swept.error().code, Code::corrupt);
  EXPECT_EQ(w.events(good), "created:a expired:a");
  EXPECT_EQ(w.events(bad), "created:a");
  const SweeperState failing = w.database->sweeper().state();
  EXPECT_EQ(failing.failing_collections, 1U);
  EXPECT_EQ(failing.failures, 1U);
  EXPECT_EQ(failing.last_failure, "a file of the store is damaged");
  EXPECT_EQ(failing.overdue_collections, 1U);

  damage.damaged = 0;
  EXPECT_EQ(w.sweep(), 1U);
  EXPECT_EQ(w.events(bad), "created:a expired:a");
  EXPECT_EQ(w.database->sweeper().state().failing_collections, 0U);
}

TEST_F(FailingSweep, IsAFailureOfTheJob) {
  make_bad();
  w.database->jobs().run_due();
  const auto jobs = w.database->jobs().states();
  const auto job = std::ranges::find(jobs, "expirations", &JobState::name);
  ASSERT_NE(job, jobs.end());
  EXPECT_EQ(job->last_error, "a file of the store is damaged");
  EXPECT_EQ(job->failures, 1U);
}

TEST_F(FailingSweep, OfADroppedCollectionIsForgotten) {
  const CollectionPtr bad = make_bad();
  EXPECT_FALSE(w.database->sweeper().run_due(1'000));
  must(w.database->drop_collection(bad->id));
  EXPECT_EQ(w.database->sweeper().state().failing_collections, 0U);
  must(w.database->sweeper().run_due(1'000));
}

}  // namespace
}  // namespace mayfly
