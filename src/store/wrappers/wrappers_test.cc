// Tests of the wrappers: checked, faulty, counting.
#include <gtest/gtest.h>

#include <functional>

#include "store/memory/memory_store.h"
#include "store/testing.h"
#include "store/wrappers/checked.h"
#include "store/wrappers/counting.h"
#include "store/wrappers/faulty.h"

namespace mayfly::store {
namespace {

using testing::everything;
using testing::got;
using testing::outcome;
using testing::put;

TEST(CountingStoreTest, EveryCallIsCountedAndAGetIsARead) {
  CountingStore store(open_memory());
  put(store, {{"a", "1"}, {"b", "2"}});
  store.sync(1);
  Bytes value;
  const SnapshotPtr snapshot = store.snapshot();
  ASSERT_TRUE(store.get("a", value, snapshot.get()));
  ASSERT_TRUE(store.read({.gets = {"a", "b"}, .scans = {{}, {.lo = "b"}}}, nullptr));
  const Counts expected{
      .reads = 2, .gets = 3, .scans = 2, .rows = 3, .snapshots = 1, .commits = 1, .syncs = 1};
  EXPECT_EQ(store.counts(), expected);
  store.reset();
  EXPECT_EQ(store.counts(), Counts{});
}

TEST(FaultyStoreTest, TheNthCallFailsOnceAndDoesNothing) {
  FaultyStore store(open_memory());
  put(store, {{"a", "1"}});
  store.fail_nth(StoreOperation::read, 2, Code::corrupt);
  EXPECT_EQ(got(store, "a"), "a=1@1");
  EXPECT_EQ(got(store, "a"), "corrupt");
  EXPECT_EQ(got(store, "a"), "a=1@1");
  store.fail_nth(StoreOperation::read, 1, Code::internal);
  EXPECT_EQ(everything(store), "internal");
  store.fail_nth(StoreOperation::commit, 1, Code::no_space);
  EXPECT_EQ(outcome(store.commit({.version = 2, .puts = {{"b", "2"}}})), "no_space");
  EXPECT_EQ(everything(store), "a=1@1");
  EXPECT_EQ(store.failures(), 3u);
}

TEST(FaultyStoreTest, AllCallsFailUntilCleared) {
  FaultyStore store(open_memory());
  store.fail_all(StoreOperation::commit, Code::contended);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome(store.commit({.version = 1, .puts = {{"b", "2"}}})), "contended");
  }
  EXPECT_EQ(everything(store), "");
  store.clear();
  put(store, {{"b", "2"}});
  EXPECT_EQ(everything(store), "b=2@1");
}

// An engine with fixed replies.
class FixedReplyStore final : public Forward {
 public:
  FixedReplyStore() : Forward(open_memory()) {}
  Result<ReadReply> read(const ReadBatch&, const Snapshot*) override { return std::move(reply); }
  ReadReply reply;
};

TEST(CheckedStoreDeathTest, ViolationsByTheCallerStopTheProgram) {
  CheckedStore store(open_memory());
  put(store, {{"a", "1"}});
  const Bytes long_key(store.limits().key_bytes_max + 1, 'k');
  const auto commit = [&](CommitBatch batch) { (void)store.commit(batch); };
  const std::vector<std::function<void()>> broken = {
      [&] { commit({.version = 1, .puts = {{"b", "1"}}}); },
      [&] { commit({.version = 2, .puts = {{"", "1"}}}); },
      [&] { commit({.version = 2, .puts = {{long_key, "1"}}}); },
      [&] { commit({.version = 2, .puts = {{"b", "1"}, {"b", "2"}}}); },
      [&] { commit({.version = 2, .puts = {{"b", "1"}}, .removals = {"b"}}); },
      [&] { commit({.version = 2, .since = 2}); },
      [&] { commit({.version = 2, .points = {{"a", 2}}}); },
      [&] { commit({.version = 2, .ranges = {{.lo = "b", .hi = "a"}}}); },
      [&] { (void)store.read({.gets = {""}}, nullptr); },
      [&] { (void)store.read({.scans = {{.rows_max = 0}}}, nullptr); },
      [&] { store.sync(2); },
      [&] { (void)store.erase_range("b", "a"); },
  };
  for (const auto& call : broken) EXPECT_DEATH(call(), "broken promise");
}

TEST(CheckedStoreDeathTest, ViolationsByTheEngineStopTheProgram) {
  const auto answer = [](const std::vector<Row>& rows, const Range& range) {
    auto liar = std::make_unique<FixedReplyStore>();
    put(*liar, {{"z", "1"}});
    Page page;
    for (const Row& row : rows) page.rows.append(row.key, row.value, row.version);
    liar->reply.scans.push_back(std::move(page));
    CheckedStore store(std::move(liar));
    const SnapshotPtr snapshot = store.snapshot();
    (void)store.read({.scans = {range}}, snapshot.get());
  };
  answer({{"a", "1", 1}, {"b", "1", 1}}, {});
  EXPECT_DEATH(answer({{"b", "1", 1}, {"a", "1", 1}}, {}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 1}, {"b", "1", 1}}, {.reverse = true}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 1}, {"a", "1", 1}}, {}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 1}}, {.lo = "b"}), "broken promise");
  EXPECT_DEATH(answer({{"b", "1", 1}}, {.hi = "b"}), "broken promise");
  EXPECT_DEATH(answer({{"a", "", 0}}, {}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 2}}, {}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 1}}, {.keys_only = true}), "broken promise");
  EXPECT_DEATH(answer({{"a", "1", 1}, {"b", "1", 1}}, {.rows_max = 1}), "broken promise");
}

}  // namespace
}  // namespace mayfly::store
