#include "db/purge/purge_log.h"

#include <functional>
#include <utility>

#include "db/testing.h"
#include "store/wrappers/faulty.h"
#include "store/wrappers/forward.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

PurgePage read(World& w, const CollectionPtr& c, std::uint64_t after = 0) {
  return must(PurgeLog::read(w.database->store(), *w.now(c), w.database->now(), after, 1'000));
}
CollectionChange keeping_purges(Span purges) {
  return {.keep_purges_for = purges};
}

TEST(PurgeLog, RecordsEachExpirationRemovalAndErasureOnce) {
  World w;
  auto change = keeping_purges(Span::infinite());
  change.keep_trash_for = Span::seconds(100);
  const auto c = w.collection("c", change);
  for (const std::string id : {"a", "b", "d", "e"}) must(w.put(c, id, "{}"));
  must(w.put(c, "x", "{}", At{second(1'010)}));
  must(w.remove(c, "a", {.author = "ann", .is_final = true}));
  must(w.remove(c, "b"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.forget(w.now(c), DocumentKey::of("b"), "bob");
  }));
  must(w.remove(c, "d"));
  w.clock.set(second(5'000));
  w.sweep();
  w.sweep();
  std::string recorded_text;
  const PurgePage page = read(w, c);
  for (const PurgeRecord& record : page.records) {
    const Value row = must(parse_json(record.line));
    for (const Value& version : row.member("versions").array()) {
      recorded_text += std::to_string(record.number) + version.member("how").text() + ":" +
                       version.member("id").text() +
                       (version.member("by").is_null() ? "" : "/" + version.member("by").text()) +
                       " ";
    }
  }
  EXPECT_EQ(recorded_text, "1removed:a/ann 2erased:b/bob 3expired:x 3out_of_trash:d ");
  EXPECT_TRUE(PurgeLog::verify(page.records));
}

// A store in which something may happen right after a flush.
class BusyStore final : public store::Forward {
 public:
  using Forward::Forward;
  store::Version durable() const override { return durable_; }
  void sync(store::Version version) override {
    durable_ = std::max(durable_, version);
    if (behind_flush) std::exchange(behind_flush, nullptr)();
  }

  std::function<void()> behind_flush;

 private:
  store::Version durable_ = 0;
};

TEST(PurgeLog, ShowsOnlyWhatALossOfPowerLeaves) {
  auto owned = std::make_unique<BusyStore>(store::open_memory());
  BusyStore& disk = *owned;
  World w(std::move(owned), second(1'000));
  const auto c = w.collection("c", keeping_purges(Span::infinite()));
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.put(c, "b", "{}", At{second(1'020)}));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_LT(disk.durable(), disk.applied());
  disk.behind_flush = [&] {
    w.clock.set(second(1'020));
    w.sweep();
  };
  const PurgePage page = read(w, c);  // makes the first record durable; the second comes after it
  EXPECT_EQ(page.records.size(), 1U);
  EXPECT_FALSE(page.has_more);
  EXPECT_EQ(disk.behind_flush, nullptr);
  EXPECT_EQ(read(w, c).records.size(), 2U);
}

TEST(PurgeLog, BindsEachRecordToTheOneBeforeAndShowsEveryChange) {
  World w;
  const auto c = w.collection("c", keeping_purges(Span::infinite()));
  for (int i = 0; i < 4; ++i) {
    must(w.put(c, "a", "{}"));
    must(w.remove(c, "a"));
  }
  const auto records = read(w, c).records;
  ASSERT_EQ(records.size(), 4U);
  EXPECT_TRUE(PurgeLog::verify(records));
  auto left_out = records;
  left_out.erase(left_out.begin() + 1);
  EXPECT_FALSE(PurgeLog::verify(left_out));
  for (std::size_t i = 0; i < records[2].line.size(); ++i) {
    auto changed = records;
    changed[2].line[i] = static_cast<char>(changed[2].line[i] ^ 1);
    EXPECT_FALSE(PurgeLog::verify(changed)) << i;
  }
}

TEST(PurgeLog, GoesOnAfterARestart) {
  World w;
  const auto c = w.collection("c", keeping_purges(Span::infinite()));
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  PurgeLog fresh;
  store::CommitBatch batch;
  must(fresh.append(w.database->store(), *w.now(c), w.database->now(), {}, batch));
  ASSERT_EQ(batch.puts.size(), 1U);
  auto records = read(w, c).records;
  records.push_back({2, batch.puts.front().value});
  EXPECT_TRUE(PurgeLog::verify(records));
}

TEST(PurgeLog, IsKeptForItsRetentionAndItsChainGoesOn) {
  World w;
  const auto c = w.collection("c", keeping_purges(Span::seconds(100)));
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  w.clock.set(second(2'000));
  EXPECT_TRUE(read(w, c).records.empty());
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  ASSERT_EQ(read(w, c).records.size(), 1U);
  EXPECT_EQ(read(w, c).records.front().number, 2U);
  EXPECT_EQ(w.rows(keys::Table::purge, c), 1U);
}

TEST(PurgeLog, IsNotKeptWithoutARetention) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  EXPECT_EQ(w.rows(keys::Table::purge, c), 0U);
}

// The records, as "how:id@written_at-ended_at/by" with the instants in seconds.
std::string recorded_text(World& w, const CollectionPtr& c) {
  std::string text;
  for (const PurgeRecord& record : read(w, c).records) {
    const Value row = must(parse_json(record.line));
    for (const Value& version : row.member("versions").array()) {
      const auto seconds = [&](const char* name) {
        const Instant t = must(parse_rfc3339(version.member(name).text()));
        return std::to_string(t.micros / 1'000'000);
      };
      text += (text.empty() ? "" : " ") + version.member("how").text() + ":" +
              version.member("id").text() + "@" + seconds("written_at") + "-" + seconds("ended_at");
      if (!version.member("by").is_null()) text += "/" + version.member("by").text();
    }
  }
  return text;
}
CollectionPtr purged_with_trash(World& w) {
  auto change = keeping_purges(Span::infinite());
  change.keep_trash_for = Span::seconds(100);
  return w.collection("c", change);
}

TEST(PurgeLog, RecordsARestoreThatIsFollowedByARemovalInOneTransaction) {
  World w;
  const auto c = purged_with_trash(w);
  must(w.put(c, "a", "{}"));
  w.clock.set(second(1'010));
  must(w.remove(c, "a"));
  w.clock.set(second(1'020));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.restore(c, DocumentKey::of("a"), {}));
    return t.remove(c, DocumentKey::of("a"), {.author = "ann", .is_final = true});
  }));
  EXPECT_EQ(recorded_text(w, c), "erased:a@1000-1010/ann");
  EXPECT_EQ(w.trash(c), "");
}

TEST(PurgeLog, RecordsWhenAnErasedVersionWasWritten) {
  World w;
  auto change = keeping_purges(Span::infinite());
  change.keep_trash_for = Span::infinite();
  change.expires_to_trash = true;
  const auto c = w.collection("c", change);
  must(w.put(c, "a", "{}"));
  must(w.put(c, "b", "{}", At{second(1'020)}));
  w.clock.set(second(1'010));
  must(w.remove(c, "a"));
  w.clock.set(second(1'030));
  w.sweep();
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.forget(c, DocumentKey::of("a"), "ann"));
    return t.forget(c, DocumentKey::of("b"), "bob");
  }));
  EXPECT_EQ(recorded_text(w, c), "erased:a@1000-1010/ann erased:b@1000-1020/bob");
}

TEST(PurgeLog, RecordsARemovalThatIsFollowedByAWriteInOneTransaction) {
  World w;
  const auto c = purged_with_trash(w);
  must(w.put(c, "a", "{}"));
  w.clock.set(second(1'010));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c, DocumentKey::of("a"), {.author = "ann", .is_final = true}));
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json("{}")), {.author = "bob"}));
    return {};
  }));
  EXPECT_EQ(recorded_text(w, c), "removed:a@1000-1010/ann");
}

TEST(PurgeLog, NamesTheUserOfEachPurgeOfATransaction) {
  World w;
  const auto c = purged_with_trash(w);
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  must(w.put(c, "a", "{}"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c, DocumentKey::of("a"), {.author = "ann", .is_final = true}));
    return t.forget(c, DocumentKey::of("a"), "bob");
  }));
  EXPECT_EQ(recorded_text(w, c), "removed:a@1000-1000/ann erased:a@1000-1000/bob");
}

TEST(PurgeLog, RecordsWhenAVersionCameIntoTheTrash) {
  World w;
  auto change = keeping_purges(Span::infinite());
  change.keep_trash_for = Span::seconds(100);
  change.expires_to_trash = true;
  const auto c = w.collection("c", change);
  must(w.put(c, "a", "{}"));
  must(w.put(c, "b", "{}", At{second(1'020)}));
  w.clock.set(second(1'010));
  must(w.remove(c, "a"));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.hold(c, DocumentKey::of("a"), {}); }));
  w.clock.set(second(1'030));
  w.sweep();
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.release(c, DocumentKey::of("a"), "ann"); }));
  w.clock.set(second(5'000));
  w.sweep();
  EXPECT_EQ(recorded_text(w, c), "out_of_trash:a@1010-1010 out_of_trash:b@1020-1020");
}

TEST(PurgeLog, HasNoPageWithoutRecordsBeforeTheEnd) {
  World w;
  const auto c = w.collection("c", keeping_purges(Span::seconds(100)));
  for (int i = 0; i < 100; ++i) {
    must(w.put(c, "a", "{}"));
    must(w.remove(c, "a"));
  }
  w.clock.set(second(2'000));
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  const PurgePage page =
      must(PurgeLog::read(w.database->store(), *w.now(c), w.database->now(), 0, 2));
  ASSERT_EQ(page.records.size(), 1U);
  EXPECT_EQ(page.records.front().number, 101U);
}

// Whichever read fails, later purges continue the chain behind the last record.
TEST(PurgeLog, GoesOnUnbrokenAfterAnyReadThatFails) {
  const auto remove = [](World& w, const CollectionPtr& c, const std::string& id) {
    return w.database->transact([&](Transaction& t) -> Result<void> {
      return t.remove(w.now(c), DocumentKey::of(id), {.is_final = true});
    });
  };
  std::uint64_t failed = 0;
  for (std::uint64_t nth = 1; failed + 1 == nth; ++nth) {
    auto faulty = std::make_unique<store::FaultyStore>(store::open_memory());
    store::FaultyStore& faults = *faulty;
    World w(std::move(faulty));
    const auto c = w.collection("c", keeping_purges(Span::infinite()));
    for (const char* id : {"a", "b", "d"}) must(w.put(c, id, "{}"));
    must(remove(w, c, "a"));
    faults.fail_nth(store::StoreOperation::read, nth, Code::corrupt);
    const bool is_removed = remove(w, c, "b").has_value();
    failed += faults.failures();
    faults.clear();
    must(remove(w, c, "d"));
    const PurgePage page = read(w, c);
    EXPECT_EQ(page.records.size(), is_removed ? 3U : 2U) << "read " << nth;
    EXPECT_TRUE(PurgeLog::verify(page.records)) << "read " << nth;
    for (std::size_t i = 0; i < page.records.size(); ++i) {
      EXPECT_EQ(page.records[i].number, i + 1) << "read " << nth;
    }
  }
  EXPECT_GE(failed, 2U);
}

// One commit purges from several collections: if the last record of one cannot be read, no chain
// moves.
TEST(PurgeLog, GoesOnUnbrokenInEveryCollectionOfACommitThatFails) {
  std::uint64_t failed = 0;
  for (std::uint64_t nth = 1; failed + 1 == nth; ++nth) {
    auto faulty = std::make_unique<store::FaultyStore>(store::open_memory());
    store::FaultyStore& faults = *faulty;
    World w(std::move(faulty));
    const auto c = w.collection("c", keeping_purges(Span::infinite()));
    const auto d = w.collection("d", keeping_purges(Span::infinite()));
    const auto remove_of_both = [&](const std::string& id) {
      return w.database->transact([&](Transaction& t) -> Result<void> {
        TRY(t.remove(w.now(c), DocumentKey::of(id), {.is_final = true}));
        return t.remove(w.now(d), DocumentKey::of(id), {.is_final = true});
      });
    };
    for (const char* id : {"a", "b"}) {
      must(w.put(c, id, "{}"));
      must(w.put(d, id, "{}"));
    }
    faults.fail_nth(store::StoreOperation::read, nth, Code::corrupt);
    const bool is_removed = remove_of_both("a").has_value();
    failed += faults.failures();
    faults.clear();
    must(remove_of_both("b"));
    for (const auto& each : {c, d}) {
      const PurgePage page = read(w, each);
      ASSERT_EQ(page.records.size(), is_removed ? 2U : 1U) << "read " << nth;
      EXPECT_EQ(page.records.front().number, 1U) << "read " << nth;
      EXPECT_TRUE(PurgeLog::verify(page.records)) << "read " << nth;
    }
  }
  EXPECT_GE(failed, 4U);
}

TEST(PurgeLog, KeepsNothingInMemoryOfADroppedCollection) {
  World w;
  const auto c = w.collection("c", keeping_purges(Span::infinite()));
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a", {.is_final = true}));
  PurgeLog log;
  const auto next_row = [&] {
    store::CommitBatch batch;
    must(log.append(w.database->store(), *c, w.database->now(), {}, batch));
    log.confirm(c->id, true);
    return batch.puts.front().key;
  };
  EXPECT_EQ(next_row(), keys::purge(c->id, 2));
  EXPECT_EQ(next_row(), keys::purge(c->id, 3));
  log.forget(c->id);
  EXPECT_EQ(next_row(), keys::purge(c->id, 2));  // as the store has it
}

}  // namespace
}  // namespace mayfly
