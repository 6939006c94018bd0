// Leases: one of several servers has a job, and a server that lost it commits nothing more.
#include "db/jobs/leases.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/jobs/jobs.h"
#include "db/jobs/limits.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

constexpr Span longer = Span::seconds(60);  // than a lease has time

class LeasesTest : public ::testing::Test {
 protected:
  Result<Instant> write_under(const Leases& leases, std::uint64_t term, const std::string& id) {
    return world.database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(leases.check(transaction, "job", term));
      TRY(transaction.put(c, DocumentKey::of(id), must(pack_json("{}")), {}));
      return {};
    });
  }
  void pass(Span time) { world.clock.advance(time); }

  World world;
  CollectionPtr c = world.collection("c");
  Leases first{*world.database, "first"};
  Leases second{*world.database, "second"};
};

TEST_F(LeasesTest, TheFirstThatTakesALeaseHasItUntilItsTimeIsOver) {
  const Leases::Term term = must(first.take("job"));
  EXPECT_TRUE(term.is_ours);
  EXPECT_EQ(term.number, 1U);
  const Leases::Term seen = must(second.take("job"));
  EXPECT_FALSE(seen.is_ours);
  EXPECT_EQ(seen.until, term.until);
  world.clock.set(term.until - Span{1});
  EXPECT_FALSE(must(second.take("job")).is_ours);
  world.clock.set(term.until);
  const Leases::Term next = must(second.take("job"));
  EXPECT_TRUE(next.is_ours);
  EXPECT_EQ(next.number, 2U);
  EXPECT_FALSE(must(first.take("job")).is_ours);
}

TEST_F(LeasesTest, ARenewedLeaseKeepsItsNumber) {
  const Leases::Term term = must(first.take("job"));
  EXPECT_EQ(must(first.take("job")).until, term.until) << "too early to renew it";
  pass(Span{limits::lease_time.micros - limits::lease_renewed_below.micros + 1'000});
  const Leases::Term renewed = must(first.take("job"));
  EXPECT_EQ(renewed.number, term.number);
  EXPECT_GT(renewed.until, term.until);
  pass(longer);
  EXPECT_EQ(must(first.take("job")).number, term.number) << "no other server had it meanwhile";
}

TEST_F(LeasesTest, LeasesOfOtherNamesAreOthers) {
  EXPECT_TRUE(must(first.take("job")).is_ours);
  EXPECT_TRUE(must(second.take("another")).is_ours);
}

TEST_F(LeasesTest, ACommitFailsOnceAnotherServerHasTakenTheLease) {
  const std::uint64_t term = must(first.take("job")).number;
  must(write_under(first, term, "a"));
  pass(longer);
  must(write_under(first, term, "b"));  // its time is over, but no other server has it
  must(second.take("job"));
  const auto late = write_under(first, term, "c");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::stale);
  EXPECT_FALSE(must(world.database->get(c, DocumentKey::of("c"))));
  pass(longer);
  must(first.take("job"));
  EXPECT_FALSE(write_under(first, term, "d")) << "the term is a later one";
}

TEST_F(LeasesTest, ATakeoverBetweenTheCheckAndTheCommitIsSeenByTheCommit) {
  const std::uint64_t term = must(first.take("job")).number;
  pass(longer);
  int runs = 0;
  const auto late = world.database->transact([&](Transaction& transaction) -> Result<void> {
    TRY(first.check(transaction, "job", term));
    if (++runs == 1) must(second.take("job"));
    TRY(transaction.put(c, DocumentKey::of("a"), must(pack_json("{}")), {}));
    return {};
  });
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::stale);
  EXPECT_EQ(runs, 1) << "the check of the second run has failed";
}

TEST_F(LeasesTest, OneOfManyThatTakeItTogetherHasIt) {
  must(first.take("job"));
  for (int round = 0; round < 20; ++round) {
    pass(longer);
    std::atomic<int> holders = 0;
    std::vector<std::thread> servers;
    for (int i = 0; i < 8; ++i) {
      servers.emplace_back([&, i] {
        Leases own(*world.database, "server " + std::to_string(i));
        if (must(own.take("job")).is_ours) ++holders;
      });
    }
    for (std::thread& server : servers) server.join();
    EXPECT_EQ(holders, 1);
  }
}

class SharedJobsTest : public LeasesTest {
 protected:
  SharedJobsTest() {
    jobs_of_first.share(first);
    jobs_of_second.share(second);
  }
  JobSpec noting(std::string server) {
    return {.name = "job",
            .lease = "job",
            .run = [this, server](const JobRun& run) -> Result<NextRun> {
              noted += server + std::to_string(run.term()) + " ";
              TRY(world.database->transact(
                  [&](Transaction& transaction) { return run.check_lease(transaction); }));
              return NextRun::immediately();
            },
            .first_due = Instant::beginning()};
  }
  Jobs jobs_of_first{[this] { return world.database->now(); }, true};
  Jobs jobs_of_second{[this] { return world.database->now(); }, true};
  std::string noted;
};

TEST_F(SharedJobsTest, AJobRunsWhereItsLeaseIs) {
  const JobHandle of_first = jobs_of_first.add(noting("first "));
  const JobHandle of_second = jobs_of_second.add(noting("second "));
  jobs_of_first.run_due();
  jobs_of_second.run_due();
  jobs_of_first.run_due();
  EXPECT_EQ(std::exchange(noted, ""), "first 1 first 1 ");
  EXPECT_EQ(jobs_of_second.states()[0].failures, 0U) << "to have no lease is no failure";
  const Instant until = jobs_of_second.states()[0].due;
  world.clock.set(until);  // the first server stands still
  jobs_of_second.run_due();
  jobs_of_first.run_due();
  EXPECT_EQ(noted, "second 2 ");
}

TEST_F(SharedJobsTest, AJobWithoutALeaseRunsOnEachServer) {
  JobSpec spec = noting("each ");
  spec.lease.clear();
  const JobHandle of_first = jobs_of_first.add(spec);
  const JobHandle of_second = jobs_of_second.add(spec);
  jobs_of_first.run_due();
  jobs_of_second.run_due();
  EXPECT_EQ(noted, "each 0 each 0 ");
}

}  // namespace
}  // namespace mayfly
