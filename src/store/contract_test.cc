// The contract of store.h: reading, snapshots, erasing and compaction. contract_commit_test.cc
// tests commits.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "store/contract_testing.h"

namespace mayfly::store {
namespace {

using testing::everything;
using testing::got;
using testing::put;
using testing::scanned;
using testing::text_of;

class ReadContract : public StoreContract {};

// --- reading ---

TEST_P(ReadContract, ANewStoreIsEmpty) {
  EXPECT_EQ(store().applied(), 0u);
  EXPECT_EQ(store().durable(), 0u);
  EXPECT_EQ(everything(store()), "");
  EXPECT_EQ(got(store(), "a"), "-");
}

TEST_P(ReadContract, ACommitIsVisibleImmediately) {
  put(store(), {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(got(store(), "a"), "a=1@1");
  put(store(), {{"a", "3"}});
  EXPECT_EQ(got(store(), "a"), "a=3@2");
  EXPECT_EQ(everything(store()), "a=3@2 b=2@1");
  EXPECT_EQ(store().applied(), 2u);
}

TEST_P(ReadContract, AnEmptyValueIsARow) {
  ASSERT_TRUE(store().commit({.version = 1, .puts = {{"a", ""}}}));
  EXPECT_EQ(got(store(), "a"), "a=@1");
}

TEST_P(ReadContract, KeysAndValuesMayHaveAnyBytes) {
  const Bytes zero("\0", 1);
  const Bytes high("\xFF\xFF\xFF", 3);
  put(store(), {{zero, zero}, {high, high}, {"m", "1"}});
  EXPECT_EQ(everything(store()), zero + "=" + zero + "@1 m=1@1 " + high + "=" + high + "@1");
  EXPECT_EQ(got(store(), high), high + "=" + high + "@1");
}

TEST_P(ReadContract, GetsAreAnsweredInTheirOrder) {
  put(store(), {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const auto reply = store().read({.gets = {"c", "x", "a", "c"}}, nullptr);
  ASSERT_TRUE(reply);
  EXPECT_EQ(text_of(reply->gets), "c=3@1 - a=1@1 c=3@1");
  EXPECT_EQ(reply->gets[1].key, "x");
}

TEST_P(ReadContract, OneReadMayHaveGetsAndScans) {
  put(store(), {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const auto reply = store().read(
      {.gets = {"b"}, .scans = {{.lo = "b"}, {.lo = "a", .hi = "b"}, {.lo = "x", .hi = "y"}}},
      nullptr);
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->scans.size(), 3u);
  EXPECT_EQ(text_of(reply->gets), "b=2@1");
  EXPECT_EQ(text_of(reply->scans[0]), "b=2@1 c=3@1");
  EXPECT_EQ(text_of(reply->scans[1]), "a=1@1");
  EXPECT_EQ(text_of(reply->scans[2]), "");
}

TEST_P(ReadContract, AnEmptyReadGivesAnEmptyReply) {
  const auto reply = store().read({}, nullptr);
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->gets.empty());
  EXPECT_TRUE(reply->scans.empty());
}

TEST_P(ReadContract, PagesEndAtTheirBoundsAndSayWhereToContinue) {
  put(store(), {{"a", "1"}, {"b", "22"}, {"c", "3"}, {"d", "4"}});
  struct Case {
    Range range;
    const char* page;
  };
  const std::vector<Case> cases = {
      {{.rows_max = 2}, "a=1@1 b=22@1 | c"},
      {{.rows_max = 4}, "a=1@1 b=22@1 c=3@1 d=4@1"},  // no row is left, so there is no `next`
      {{.lo = "b", .hi = "d", .rows_max = 2}, "b=22@1 c=3@1"},
      {{.lo = "b", .hi = "d", .rows_max = 1}, "b=22@1 | c"},
      {{.lo = "aa", .hi = "bb"}, "b=22@1"},
      {{.lo = "c", .hi = "c"}, ""},
      {{.bytes_max = 1}, "a=1@1 | b"},
      {{.bytes_max = 3}, "a=1@1 b=22@1 | c"},  // the row that exceeds the bound is the last
      {{.bytes_max = 0}, "a=1@1 | b"},         // every page makes progress
      {{.reverse = true}, "d=4@1 c=3@1 b=22@1 a=1@1"},
      {{.rows_max = 2, .reverse = true}, "d=4@1 c=3@1 | c"},
      {{.rows_max = 4, .reverse = true}, "d=4@1 c=3@1 b=22@1 a=1@1"},
      {{.lo = "b", .hi = "d", .rows_max = 1, .reverse = true}, "c=3@1 | c"},
      {{.lo = "b", .hi = "c", .rows_max = 1, .reverse = true}, "b=22@1"},
      {{.lo = "bb", .reverse = true}, "d=4@1 c=3@1"},
      {{.keys_only = true}, "a=@1 b=@1 c=@1 d=@1"},
      {{.bytes_max = 2, .keys_only = true}, "a=@1 b=@1 | c"},
      {{.rows_max = 1, .reverse = true, .keys_only = true}, "d=@1 | d"},
  };
  for (const Case& c : cases) EXPECT_EQ(scanned(store(), c.range), c.page);
}

TEST_P(ReadContract, FollowingNextReadsEachRowOnce) {
  std::vector<std::pair<Bytes, Bytes>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({"k" + std::to_string(i), "v"});
  put(store(), rows);
  for (const bool reverse : {false, true}) {
    Range range{.rows_max = 7, .reverse = reverse};
    std::vector<Bytes> keys;
    for (bool more = true; more;) {
      const auto reply = store().read({.scans = {range}}, nullptr);
      ASSERT_TRUE(reply);
      const Page& page = reply->scans[0];
      for (std::size_t i = 0; i < page.rows.size(); ++i) keys.emplace_back(page.rows[i].key);
      more = page.next.has_value();
      if (more) (reverse ? range.hi : range.lo) = *page.next;
    }
    EXPECT_EQ(keys.size(), 100u);
    if (reverse) std::reverse(keys.begin(), keys.end());
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
  }
}

// --- snapshots ---

TEST_P(ReadContract, ASnapshotKeepsItsState) {
  put(store(), {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const SnapshotPtr before = store().snapshot();
  put(store(), {{"a", "4"}, {"b", ""}, {"d", "5"}});
  const SnapshotPtr between = store().snapshot();
  put(store(), {{"a", ""}, {"b", "6"}});
  EXPECT_EQ(before->version(), 1u);
  EXPECT_EQ(between->version(), 2u);
  EXPECT_EQ(everything(store(), before.get()), "a=1@1 b=2@1 c=3@1");
  EXPECT_EQ(everything(store(), between.get()), "a=4@2 c=3@1 d=5@2");
  EXPECT_EQ(everything(store()), "b=6@3 c=3@1 d=5@2");
  EXPECT_EQ(got(store(), "b", before.get()), "b=2@1");
  EXPECT_EQ(got(store(), "b", between.get()), "-");
  EXPECT_EQ(got(store(), "d", before.get()), "-");
  const auto reply = store().read({.gets = {"a", "d"}, .scans = {{.reverse = true}}}, before.get());
  ASSERT_TRUE(reply);
  EXPECT_EQ(text_of(reply->gets), "a=1@1 -");
  EXPECT_EQ(text_of(reply->scans[0]), "c=3@1 b=2@1 a=1@1");
}

TEST_P(ReadContract, SnapshotsCloseInAnyOrder) {
  put(store(), {{"a", "1"}});
  SnapshotPtr first = store().snapshot();
  put(store(), {{"a", "2"}});
  SnapshotPtr second = store().snapshot();
  SnapshotPtr twin = store().snapshot();
  put(store(), {{"a", ""}});
  second.reset();
  EXPECT_EQ(everything(store(), twin.get()), "a=2@2");
  EXPECT_EQ(everything(store(), first.get()), "a=1@1");
  first.reset();
  EXPECT_EQ(everything(store(), twin.get()), "a=2@2");
  twin.reset();
  EXPECT_EQ(everything(store()), "");
}

TEST_P(ReadContract, EachReadSeesOneState) {
  put(store(), {{"a", "0"}, {"z", "0"}});
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 1; !stop && i < 20'000; ++i) {
      put(store(), {{"a", std::to_string(i)}, {"z", std::to_string(i)}});
    }
  });
  for (int i = 0; i < 2'000; ++i) {
    const SnapshotPtr snapshot = i % 2 ? store().snapshot() : nullptr;
    const auto reply = store().read({.gets = {"a", "z"}, .scans = {{.lo = "a"}}}, snapshot.get());
    if (!reply || reply->gets.size() != 2 || reply->scans[0].rows.size() != 2) {
      ADD_FAILURE() << "a read failed";
      break;
    }
    const Version version = reply->gets[0].version;
    EXPECT_EQ(reply->gets[1].version, version);
    EXPECT_EQ(reply->scans[0].rows[0].version, version);
    EXPECT_EQ(reply->scans[0].rows[1].version, version);
    EXPECT_EQ(snapshot ? snapshot->version() : version, version);
  }
  stop = true;
  writer.join();
}

// --- erasing and compaction ---

TEST_P(ReadContract, EraseRangeRemovesOnlyTheRange) {
  struct Case {
    Bytes lo, hi;
    const char* left;
  };
  for (const Case& c : std::vector<Case>{{"b", "d", "a=1 d=4"},
                                         {"", "b", "b=2 c=3 d=4"},
                                         {"c", "", "a=1 b=2"},
                                         {"x", "", "a=1 b=2 c=3 d=4"},
                                         {"", "", ""}}) {
    put(store(), {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}});
    ASSERT_TRUE(store().erase_range(c.lo, c.hi));
    std::string left = everything(store());
    const std::string version = "@" + std::to_string(store().applied());
    for (std::size_t at; (at = left.find(version)) != left.npos;) left.erase(at, version.size());
    EXPECT_EQ(left, c.left);
  }
  put(store(), {{"b", "again"}});
  EXPECT_EQ(got(store(), "b"), "b=again@6");
}

// Rows and erased ranges with the same key prefix, again and again: an engine that keeps both in
// memory must not confuse them.
TEST_P(ReadContract, RowsAreWrittenAmongErasedRanges) {
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 10; ++i) put(store(), {{"likewise" + std::to_string(i), "1"}});
    ASSERT_TRUE(store().erase_range("likewise3", "likewise6"));
    put(store(), {{"likewise4", "2"}});
    ASSERT_TRUE(store().erase_range("likewise0", "likewise2"));
  }
  std::string rows = everything(store());
  const std::string last = std::to_string(store().applied());
  EXPECT_EQ(got(store(), "likewise4"), "likewise4=2@" + last);
  EXPECT_EQ(got(store(), "likewise3"), "-");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '='), 6);
}

TEST_P(ReadContract, GuardsSeeErasedRanges) {
  put(store(), {{"a", "1"}, {"b", "2"}});
  const Version since = store().applied();
  const RangeGuard whole = guard_of("a", "c");
  ASSERT_TRUE(store().erase_range("b", "c"));
  EXPECT_EQ(guarded(since, {{"b", 1}}), "contended");
  EXPECT_EQ(guarded(since, {}, {whole}), "contended");
  EXPECT_EQ(guarded(since, {{"a", 1}, {"b", 0}}), "done");
}

// Forgets the rows whose value begins with this letter.
class ForgetLetter final : public ForgetFilterMaker {
 public:
  explicit ForgetLetter(char letter) : letter_(letter) {}
  std::unique_ptr<ForgetFilter> make() override { return std::make_unique<Filter>(letter_); }

 private:
  class Filter final : public ForgetFilter {
   public:
    explicit Filter(char letter) : letter_(letter) {}
    bool forgettable(BytesView key, BytesView value, Version version) const override {
      EXPECT_FALSE(key.empty());
      EXPECT_GT(version, 0u);
      return !value.empty() && value[0] == letter_;
    }

   private:
    char letter_;
  };
  char letter_;
};

class ForgetNothing final : public ForgetFilterMaker {
 public:
  std::unique_ptr<ForgetFilter> make() override { return nullptr; }
};

TEST_P(ReadContract, CompactionDropsOnlyTheRowsOfTheFilter) {
  put(store(), {{"a", "dead"}, {"b", "alive"}, {"c", "dead"}, {"d", "dead"}, {"e", "alive"}});
  put(store(), {{"c", "alive again"}, {"e", "dead"}});
  ASSERT_TRUE(store().compact("", ""));
  EXPECT_EQ(everything(store()), "a=dead@1 b=alive@1 c=alive again@2 d=dead@1 e=dead@2");
  store().set_forget(std::make_shared<ForgetNothing>());
  ASSERT_TRUE(store().compact("", ""));
  store().set_forget(std::make_shared<ForgetLetter>('d'));
  EXPECT_EQ(everything(store()), "a=dead@1 b=alive@1 c=alive again@2 d=dead@1 e=dead@2");
  ASSERT_TRUE(store().compact("", ""));
  EXPECT_EQ(everything(store()), "b=alive@1 c=alive again@2");
  EXPECT_EQ(store().stats().rows_forgotten, 3u);
  EXPECT_EQ(store().applied(), 2u);
  store().set_forget(nullptr);
  put(store(), {{"f", "dead"}});
  ASSERT_TRUE(store().compact("", ""));
  EXPECT_EQ(got(store(), "f"), "f=dead@3");
}

TEST_P(ReadContract, CompactionOfARangeKeepsOtherRows) {
  put(store(), {{"a", "dead"}, {"b", "dead"}});
  store().set_forget(std::make_shared<ForgetLetter>('d'));
  ASSERT_TRUE(store().compact("b", "c"));
  EXPECT_EQ(got(store(), "b"), "-");
}

TEST_P(ReadContract, AForgottenKeyCanBeWrittenAgain) {
  put(store(), {{"a", "dead"}});
  store().set_forget(std::make_shared<ForgetLetter>('d'));
  ASSERT_TRUE(store().compact("", ""));
  EXPECT_EQ(guarded(0, {{"a", 0}}, {}, "a"), "done");
  ASSERT_TRUE(store().compact("", ""));
  EXPECT_EQ(everything(store()), "a=1@2");
}

TEST_P(ReadContract, RowsOfASnapshotOutliveTheForgettingOfLaterVersions) {
  put(store(), {{"a", "alive"}, {"b", "alive"}});
  const SnapshotPtr snapshot = store().snapshot();
  put(store(), {{"a", "dead"}});
  store().set_forget(std::make_shared<ForgetLetter>('d'));
  ASSERT_TRUE(store().compact("", ""));
  Bytes value;
  EXPECT_EQ(store().get("a", value, snapshot.get()), Version{1});
  EXPECT_EQ(value, "alive");
  EXPECT_EQ(everything(store()), "b=alive@1");
}

// --- reopening ---

class DiskContract : public StoreContract {};

TEST_P(ReadContract, EstimatesOfLargeRangesAreRoughlyRight) {
  constexpr std::uint64_t rows = 20'000;
  for (std::uint64_t n = 0; n < rows;) {
    CommitBatch batch{.version = testing::next_version(store())};
    for (const std::uint64_t end = n + 2'000; n < end; ++n) {
      Bytes key = "k";
      put_u64(key, n);
      batch.puts.push_back({key, "a value of some bytes"});
    }
    ASSERT_EQ(testing::outcome(store().commit(batch)), "done");
    if (n == rows / 2) {
      ASSERT_TRUE(store().compact({}, {}));
    }
  }
  const auto about = [this](const Bytes& lo, const Bytes& hi) {
    const auto estimate = store().estimate(lo, hi);
    EXPECT_TRUE(estimate);
    return estimate.value_or(0);
  };
  Bytes middle = "k";
  put_u64(middle, rows / 4);
  EXPECT_NEAR(double(about("k", "l")), double(rows), rows * 0.3);
  EXPECT_NEAR(double(about("k", middle)), double(rows) / 4, rows * 0.2);
  EXPECT_NEAR(double(about("", "")), double(rows), rows * 0.3);
  EXPECT_EQ(about("x", "y"), 0U);
  EXPECT_EQ(about("l", "k"), 0U);
}

TEST_P(DiskContract, RowsAndVersionsPersist) {
  put(store(), {{"a", "1"}, {"b", "2"}});
  put(store(), {{"b", ""}});  // a commit that leaves no row
  reopen();
  EXPECT_EQ(store().applied(), 2u);
  EXPECT_EQ(store().durable(), 2u);
  EXPECT_EQ(store().snapshot()->version(), 2u);
  EXPECT_EQ(everything(store()), "a=1@1");
  EXPECT_EQ(guarded(2, {{"a", 1}}), "done");
  reopen();
  EXPECT_EQ(store().applied(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Engines, ReadContract, every_engine(), name_of_engine);
INSTANTIATE_TEST_SUITE_P(Engines, DiskContract, engines_on_disk(), name_of_engine);

}  // namespace
}  // namespace mayfly::store
