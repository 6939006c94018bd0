// Several edits of one document in one transaction.
#include "db/write/transaction.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "db/testing.h"
#include "db/write/revive.h"

namespace mayfly {
namespace {

using testing::after;
using testing::must;
using testing::second;
using testing::World;

Result<bool> put(Transaction& t, const CollectionPtr& c, const std::string& id,
                 PutOptions options) {
  return t.put(c, DocumentKey::of(id), TRY(pack_json("{}")), options);
}
PutOptions dead_at(Instant death) {
  return {.lifetime = Lifetime{At{death}}};
}

TEST(TransactionEditsTest, AVersionMayBeginANewLifeAndItsRevisionGoesOn) {
  using VersionOrigin = PutOptions::VersionOrigin;
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::infinite()});
  const DocumentKey key = DocumentKey::of("a");
  const auto write = [&](const std::string& author, VersionOrigin origin) {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      if (TRY(t.view().get_removed(*c, key))) TRY(t.restore(c, key, {}));
      TRY(put(t, c, "a", {.author = author, .origin = origin}));
      return {};
    }));
    w.clock.advance(Span::seconds(1));
    const Document d = **w.database->get(c, key);
    return std::string(d.author) + " " + std::string(d.updater) + " " + std::to_string(d.revision) +
           " " + std::to_string(d.created_at.whole_seconds()) + " " +
           render_json(metadata(d, "updated_at"));
  };
  EXPECT_EQ(write("u1", VersionOrigin::creation), "u1 u1 1 1000 null");
  EXPECT_EQ(write("u2", VersionOrigin::by_itself), R"(u1 u2 2 1000 "1970-01-01T00:16:41.000001Z")");
  EXPECT_EQ(write("u3", VersionOrigin::replacement),
            R"(u3 u3 3 1002 "1970-01-01T00:16:42.000001Z")");
  EXPECT_EQ(write("u4", VersionOrigin::creation), "u4 u4 4 1003 null");
  must(w.remove(c, "a"));
  EXPECT_EQ(write("u5", VersionOrigin::creation), "u5 u5 5 1004 null");
  EXPECT_EQ(w.trash(c), "");
}

TEST(TransactionEditsTest, AWriteExpiredFromTheStartReservesNothing) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(10)});
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    EXPECT_TRUE(TRY(put(t, c, "a", dead_at(second(900)))));
    EXPECT_EQ(t.remove(c, DocumentKey::of("a"), {}).error().code, Code::not_found);
    EXPECT_EQ(put(t, c, "a", {.expect = PutOptions::Expect::present}).error().code,
              Code::not_found);
    EXPECT_TRUE(TRY(put(t, c, "a", {.expect = PutOptions::Expect::absent})));
    return {};
  }));
  EXPECT_EQ(w.get(c, "a"), "{}");
}

TEST(TransactionEditsTest, WhatItRestoresAndWritesGoesOnAsTheSameLife) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(100)});
  const Instant created = must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  w.clock.set(second(1'050));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.restore(c, DocumentKey::of("a"), {}));
    EXPECT_FALSE(TRY(put(t, c, "a", {})));
    return {};
  }));
  const auto found = must(w.database->get(c, DocumentKey::of("a")));
  EXPECT_EQ(found->created_at, created);
  EXPECT_EQ(found->revision, 2u);
}

TEST(TransactionEditsTest, WhatItRemovesAndWritesTwiceIsANewLife) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}"));
  const Instant at = must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.remove(c, DocumentKey::of("a"), {}));
    TRY(put(t, c, "a", {}));
    TRY(put(t, c, "a", {}));
    return {};
  }));
  const auto found = must(w.database->get(c, DocumentKey::of("a")));
  EXPECT_EQ(found->created_at, at);
  EXPECT_EQ(found->revision, 1u);
}

// Its end would be put into the queue before rows that have already been published.
TEST(TransactionEditsTest, ALifetimeIsAtLeastASecond) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default{Never{}}});
  EXPECT_EQ(w.put(c, "a", "{}", Lifetime{after(0)}).error().code, Code::invalid);
  must(w.put(c, "a", "{}", Lifetime{after(1)}));
}

TEST(TransactionEditsTest, WhatItWritesRemovesAndRestoresIsOneVersion) {
  World w;
  const auto c =
      w.collection("c", {.keep_trash_for = Span::seconds(100), .keep_feed_for = Span::infinite()});
  const auto key = DocumentKey::of("a");
  const auto write_remove_restore = [&](Transaction& t) -> Result<void> {
    TRY(put(t, c, "a", {}));
    TRY(t.remove(c, key, {}));
    return t.restore(c, key, {});
  };
  must(w.database->transact(write_remove_restore));
  EXPECT_EQ(must(w.database->get(c, key))->revision, 1U);
  must(w.database->transact(write_remove_restore));
  EXPECT_EQ(must(w.database->get(c, key))->revision, 2U);
  EXPECT_EQ(w.events(c), "created:a replaced:a");
  EXPECT_EQ(w.trash(c), "");
}

TEST(TransactionEditsTest, WhatItRestoresAndRemovesGoesBackToTheTrash) {
  World w;
  const auto c =
      w.collection("c", {.keep_trash_for = Span::seconds(100), .keep_feed_for = Span::infinite()});
  must(w.put(c, "a", "{}"));
  must(w.remove(c, "a"));
  w.clock.set(second(1'050));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.restore(c, DocumentKey::of("a"), {}));
    return t.remove(c, DocumentKey::of("a"), {});
  }));
  EXPECT_EQ(w.get(c, "a"), "-");
  w.clock.set(second(1'149));
  EXPECT_EQ(w.trash(c), "a");
  EXPECT_EQ(w.events(c), "created:a removed:a");
}

// A null collection, as a catalog answers for one that has been dropped.
TEST(TransactionEditsTest, WithoutACollectionNoneFindsAnything) {
  World w;
  const CollectionPtr none;
  const DocumentKey key = DocumentKey::of("a");
  const auto refused = [](const auto& result) {
    return !result && result.error().code == Code::not_found;
  };
  const Bytes packed = must(pack_json("{}"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    EXPECT_TRUE(refused(t.put(none, key, packed, {})));
    EXPECT_TRUE(refused(t.remove(none, key, {})));
    EXPECT_TRUE(refused(t.restore(none, key, {})));
    EXPECT_TRUE(refused(t.forget(none, key)));
    EXPECT_TRUE(refused(t.check_expirations_flushed(none)));
    EXPECT_TRUE(refused(t.get_removed(none, key)));
    EXPECT_TRUE(refused(t.hold(none, key, {})));
    EXPECT_TRUE(refused(t.release(none, key, "")));
    EXPECT_TRUE(refused(revive(t, none, key, packed, RevivedBody::changed, {})));
    EXPECT_TRUE(refused(remove_again(t, none, key, "")));
    EXPECT_FALSE(t.written(none, key));
    return {};
  }));
}

// One reads everything, while others write one document again and again: without fairness it would
// always lose.
TEST(TransactionRacesTest, ALongTransactionCommitsInTheEnd) {
  World w;
  const auto c = w.collection("c");
  for (int i = 0; i < 300; ++i) must(w.put(c, std::to_string(i), "{}"));
  std::atomic<bool> is_over = false;
  std::vector<std::thread> rivals;
  for (int i = 0; i < 3; ++i) {
    rivals.emplace_back([&] {
      while (!is_over) must(w.put(c, "1", "{}"));
    });
  }
  for (int round = 0; round < 20; ++round) {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      for (int i = 0; i < 300; ++i) {
        TRY(t.view().get(*c, DocumentKey::of(std::to_string(i)), Lens::live(t.view().now())));
      }
      TRY(put(t, c, "sum", {}));
      return {};
    }));
  }
  is_over = true;
  for (std::thread& rival : rivals) rival.join();
}

}  // namespace
}  // namespace mayfly
