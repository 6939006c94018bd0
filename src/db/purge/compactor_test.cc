// The job that compacts the rows that expired documents have left.
#include "db/purge/compactor.h"

#include <gtest/gtest.h>

#include <thread>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

constexpr int many = limits::expired_rows_before_compaction;

class CompactorTest : public ::testing::TestWithParam<bool> {
 protected:
  CollectionPtr with_dead(int dead, int living) {
    CollectionChange promises;
    if (GetParam()) promises.keep_feed_for = Span::infinite();
    const auto c = w_.collection("c", promises, {{"n", {{Field::body("n"), false}}}});
    put(c, "dies", dead, At{second(2'000)});
    put(c, "stays", living, Never{});
    return c;
  }
  void put(const CollectionPtr& c, const std::string& name, int documents, Lifetime lifetime) {
    for (int done = 0; done < documents;) {
      must(w_.database->transact([&](Transaction& t) -> Result<void> {
        for (int i = 0; i < 1'000 && done < documents; ++i, ++done) {
          TRY(t.put(w_.now(c), DocumentKey::of(name + std::to_string(done)),
                    TRY(pack_json(R"({"n":1})")), {.lifetime = lifetime}));
        }
        return {};
      }));
    }
  }
  bool waits_until_nothing_is_left() {
    const Instant deadline = monotonic_now() + Span::seconds(60);
    while (w_.database->sweeper().state().left_to_compaction > 0 && monotonic_now() < deadline) {
      std::this_thread::yield();
    }
    return w_.database->sweeper().state().left_to_compaction == 0;
  }

  World w_;
};

TEST_P(CompactorTest, RewritesACollectionWithManyExpiredRows) {
  const auto c = with_dead(many, 10);
  w_.clock.set(second(2'000));
  w_.database->jobs().start();
  // The sweeper's thread may have been faster.
  must(w_.database->sweeper().run_due(SIZE_MAX));
  EXPECT_TRUE(waits_until_nothing_is_left());
  w_.database->jobs().stop();
  EXPECT_EQ(w_.rows(keys::Table::head, c), 10U);
  EXPECT_EQ(w_.rows(keys::Table::index, c), 10U);
  // The feed is made of the rows of the queue.
  EXPECT_EQ(w_.rows(keys::Table::queue, c), GetParam() ? std::size_t{many} : 0U);
}

TEST_P(CompactorTest, LeavesFewExpiredRowsToOtherCompactions) {
  const auto c = with_dead(many - 1, 10);
  w_.clock.set(second(2'000));
  EXPECT_EQ(w_.sweep(), std::size_t(many - 1));
  w_.database->jobs().start();
  w_.database->jobs().stop();
  EXPECT_EQ(w_.database->sweeper().state().left_to_compaction, std::uint64_t(many - 1));
  EXPECT_EQ(w_.rows(keys::Table::head, c), std::size_t(many + 9));
}

INSTANTIATE_TEST_SUITE_P(SilentAndTold, CompactorTest, ::testing::Bool());

}  // namespace
}  // namespace mayfly
