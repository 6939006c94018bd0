// The contract of store.h: the effect of a commit, its guards, and durability.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "store/contract_testing.h"

namespace mayfly::store {
namespace {

using testing::everything;
using testing::got;
using testing::next_version;
using testing::outcome;
using testing::put;

class CommitContract : public StoreContract {};

TEST_P(CommitContract, RemovalRemoves) {
  put(store(), {{"a", "1"}, {"b", "2"}});
  put(store(), {{"a", ""}, {"absent", ""}});
  EXPECT_EQ(got(store(), "a"), "-");
  EXPECT_EQ(everything(store()), "b=2@1");
  EXPECT_EQ(store().applied(), 2u);
}

TEST_P(CommitContract, ATooLargeBatchIsRefusedAsAWhole) {
  const Bytes large(store().limits().value_bytes_max + 1, 'v');
  const auto done = store().commit({.version = 1, .puts = {{"a", "1"}, {"b", large}}});
  EXPECT_EQ(outcome(done), "too_large");
  EXPECT_EQ(everything(store()), "");
  EXPECT_EQ(store().applied(), 0u);
  const Bytes largest(store().limits().value_bytes_max, 'v');
  ASSERT_TRUE(store().commit({.version = 1, .puts = {{"a", largest}}}));
  const Bytes longest_key(store().limits().key_bytes_max, 'k');
  ASSERT_TRUE(store().commit({.version = 2, .puts = {{longest_key, "1"}}}));
  Bytes value;
  EXPECT_EQ(store().get("a", value, nullptr).value(), 1u);
  EXPECT_TRUE(value == largest);
  EXPECT_EQ(got(store(), longest_key), longest_key + "=1@2");
}

TEST_P(CommitContract, PointGuardsHoldOnlyForTheVersionSeen) {
  put(store(), {{"a", "1"}, {"b", "2"}});            // 1
  const Version since = put(store(), {{"c", "3"}});  // 2
  EXPECT_EQ(guarded(since, {{"a", 1}, {"c", 2}}), "done");
  EXPECT_EQ(guarded(since, {{"absent", 0}}), "done");
  put(store(), {{"a", "changed"}, {"b", ""}, {"new", "1"}});  // 5
  EXPECT_EQ(guarded(since, {{"a", 1}}), "contended");
  EXPECT_EQ(guarded(since, {{"b", 1}}), "contended");
  EXPECT_EQ(guarded(since, {{"new", 0}}), "contended");
  EXPECT_EQ(guarded(since, {{"c", 2}, {"a", 1}}), "contended");
  // Written after `since`, but the guard has the current version.
  EXPECT_EQ(guarded(since, {{"a", 5}, {"b", 0}, {"new", 5}}), "done");
}

TEST_P(CommitContract, RangeGuardsSeeEveryChange) {
  put(store(), {{"a", "1"}, {"c", "2"}, {"e", "3"}});
  struct Case {
    const char* what;
    std::pair<Bytes, Bytes> change;
    const char* outcome;
  };
  const std::vector<Case> cases = {
      {"a phantom", {"d", "1"}, "contended"},  {"a change", {"c", "2"}, "contended"},
      {"a removal", {"c", ""}, "contended"},   {"at the start", {"b", "1"}, "contended"},
      {"at the end", {"e", "1"}, "done"},      {"before the range", {"a", "1"}, "done"},
      {"after the range", {"f", "1"}, "done"}, {"a removal of nothing", {"dd", ""}, "done"},
  };
  for (const Case& c : cases) {
    const RangeGuard guard = guard_of("b", "e");
    const Version since = store().applied();
    put(store(), {c.change});
    EXPECT_EQ(guarded(since, {}, {guard}), c.outcome) << c.what;
  }
}

TEST_P(CommitContract, ARangeGuardMayExtendToTheEndAndMayBeEmpty) {
  put(store(), {{"a", "1"}});
  const Version since = store().applied();
  const RangeGuard all = guard_of("", "");
  const RangeGuard none = guard_of("x", "");
  EXPECT_EQ(guarded(since, {}, {all, none}, "w"), "done");
  EXPECT_EQ(guarded(since, {}, {none}, "y"), "done");
  EXPECT_EQ(guarded(since, {}, {all}), "contended");
  EXPECT_EQ(guarded(since, {}, {none}), "contended");
  EXPECT_EQ(guarded(since, {}, {guard_of("", ""), guard_of("x", "")}), "done");
}

TEST_P(CommitContract, GuardsOlderThanTheRecentWritesAreStillRight) {
  reopen(4);
  const Version first = put(store(), {{"a", "1"}, {"c", "2"}, {"e", "3"}});
  const Version since = store().applied();
  const RangeGuard whole = guard_of("a", "f");
  const RangeGuard part = guard_of("b", "d");
  for (int i = 0; i < 20; ++i) put(store(), {{"x" + std::to_string(i), "1"}});
  EXPECT_EQ(guarded(since, {{"a", first}, {"absent", 0}}, {whole, part}), "done");
  put(store(), {{"e", "changed"}});
  for (int i = 0; i < 20; ++i) put(store(), {{"x" + std::to_string(i), "2"}});
  EXPECT_EQ(guarded(since, {{"a", first}}, {part}), "done");
  EXPECT_EQ(guarded(since, {{"e", first}}), "contended");
  EXPECT_EQ(guarded(since, {}, {whole}), "contended");
  EXPECT_EQ(guarded(0, {{"a", first}}, {part}), "done");
}

TEST_P(CommitContract, ALostRaceChangesNothing) {
  put(store(), {{"a", "1"}, {"b", "1"}});
  put(store(), {{"b", "2"}});
  const auto done = store().commit({.version = 9,
                                    .since = 1,
                                    .points = {{"a", 1}, {"b", 1}},
                                    .puts = {{"a", "x"}, {"n", "x"}},
                                    .removals = {"b"}});
  EXPECT_EQ(outcome(done), "contended");
  EXPECT_EQ(everything(store()), "a=1@1 b=2@2");
  EXPECT_EQ(store().applied(), 2u);
  put(store(), {{"c", "3"}});
  EXPECT_EQ(everything(store()), "a=1@1 b=2@2 c=3@3");
}

TEST_P(CommitContract, ConcurrentCommittersLoseNothing) {
  constexpr int threads = 8;
  constexpr int increments = 100;
  constexpr int counters = 5;
  std::mutex order;  // versions ascend, so taking one and committing it must be one step
  std::atomic<int> lost_races{0};
  const auto increment = [&](const Bytes& key) {
    for (;;) {
      const SnapshotPtr seen = store().snapshot();
      Bytes value;
      const Version version = store().get(key, value, seen.get()).value();
      const std::string next = std::to_string((version ? std::stoi(value) : 0) + 1);
      const std::lock_guard lock(order);
      const Version mine = next_version(store());
      const auto done = store().commit({.version = mine,
                                        .since = seen->version(),
                                        .points = {{key, version}},
                                        .puts = {{key, next}}});
      if (done) return mine;
      ++lost_races;
    }
  };
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < increments; ++i) {
        const Version mine = increment("counter" + std::to_string((t + i) % counters));
        store().sync(mine);
        EXPECT_GE(store().durable(), mine);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  int sum = 0;
  for (int c = 0; c < counters; ++c) {
    Bytes value;
    ASSERT_TRUE(store().get("counter" + std::to_string(c), value, nullptr));
    sum += std::stoi(value);
  }
  EXPECT_EQ(sum, threads * increments);
  EXPECT_EQ(store().stats().commits, static_cast<std::uint64_t>(threads * increments));
}

TEST_P(CommitContract, EverySyncReturnsHoweverManyWait) {
  constexpr int threads = 16;
  constexpr int rounds = 60;
  std::mutex order;
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        Version mine = 0;
        {
          const std::lock_guard lock(order);
          mine = put(store(), {{std::to_string(t), std::to_string(i)}});
        }
        // Some wait for a commit that a flush in progress may have served already.
        if (t % 4 == 0) std::this_thread::yield();
        store().sync(mine);
        EXPECT_GE(store().durable(), mine);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(store().durable(), static_cast<Version>(threads * rounds));
}

TEST_P(CommitContract, SyncMakesDurable) {
  const Version version = put(store(), {{"a", "1"}});
  store().sync(version);
  EXPECT_EQ(store().durable(), version);
  store().sync(version);
  store().sync(0);
  EXPECT_LE(store().stats().syncs, 1u);
}

INSTANTIATE_TEST_SUITE_P(Engines, CommitContract, every_engine(), name_of_engine);

}  // namespace
}  // namespace mayfly::store
