// Removed documents whose own end comes while they lie in the trash (docs/decisions/0007).
#include "db/expiry/sweeper.h"
#include "db/purge/purge_log.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::just_before;
using testing::must;
using testing::second;
using testing::World;

CollectionChange kept_trash(Span span = Span::infinite()) {
  return {.keep_trash_for = span,
          .keep_feed_for = Span::infinite(),
          .keep_purges_for = Span::infinite()};
}

// How often the record of purges has each kind of purge.
std::string purged_ways(World& w, const CollectionPtr& c) {
  std::string text;
  const auto page =
      must(PurgeLog::read(w.database->store(), *w.now(c), w.database->now(), 0, std::size_t{100}));
  for (const PurgeRecord& record : page.records) {
    const Value line = must(parse_json(record.line));
    for (const Value& version : line.member("versions").array()) {
      text += std::string(version.member("how").text()) + ":" +
              std::string(version.member("id").text()) + " ";
    }
  }
  return text;
}

void expect_no_rows(World& w, const CollectionPtr& c) {
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0U);
  w.compact();  // the published rows of living documents
  EXPECT_EQ(w.rows(keys::Table::queue, c), 0U);
}

TEST(OwnEndInTrash, IsRecordedAtTheDeathHoweverLongTheTrashKeeps) {
  World w;
  const auto c = w.collection("c", kept_trash());
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.put(c, "b", "{}", after(20)));
  w.change(c, {.default_lifetime = Default(Never{})});
  w.clock.set(second(1'005));
  must(w.remove(c, "a"));
  must(w.remove(c, "b"));
  w.clock.set(just_before(second(1'010)));
  EXPECT_EQ(w.sweep(), 0U);
  EXPECT_EQ(w.trash(c), "a b");
  w.clock.set(second(1'010));
  EXPECT_EQ(w.trash(c), "b");
  EXPECT_EQ(w.sweep(), 1U);
  EXPECT_EQ(w.events(c), "created:a created:b removed:a removed:b forgotten:a");
  EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ");
  w.clock.set(second(1'020));
  w.sweep();
  EXPECT_EQ(w.events(c), "created:a created:b removed:a removed:b forgotten:a forgotten:b");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, FollowsTheDefaultOfItsCollection) {
  World w;
  const auto c = w.collection("c", kept_trash());
  must(w.put(c, "a", "{}"));
  w.clock.set(second(1'005));
  must(w.remove(c, "a"));
  w.sweep();
  EXPECT_EQ(w.trash(c), "a");
  w.change(c, {.default_lifetime = Default(after(100))});
  w.clock.set(second(1'100));
  w.sweep();
  EXPECT_EQ(w.events(c), "created:a removed:a forgotten:a");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, IsRecordedOnceWhereBothEndsHaveCome) {
  for (const std::int64_t trash_for : {5, 10, 20}) {
    World w;
    const auto c = w.collection("c", kept_trash(Span::seconds(trash_for)));
    must(w.put(c, "a", "{}", At{second(1'010)}));
    must(w.remove(c, "a"));
    w.clock.set(second(2'000));
    w.sweep();
    w.sweep();
    EXPECT_EQ(w.events(c), "created:a removed:a forgotten:a") << trash_for;
    EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ") << trash_for;
    expect_no_rows(w, c);
  }
}

TEST(OwnEndInTrash, IsLeftToCompactionWhereTheTimeInTheTrashIsOver) {
  World w;
  const auto c = w.collection("c", kept_trash(Span::seconds(5)));
  must(w.put(c, "a", "{}", At{second(1'100)}));
  must(w.remove(c, "a"));
  w.clock.set(second(1'050));
  EXPECT_EQ(w.sweep(), 1U);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0U);
  const Bytes own_ends = keys::queue(c->id, keys::Queue::trashed_at);
  const auto own_end_rows = [&] {
    store::ReadBatch batch{{}, {{.lo = own_ends, .hi = after_prefix(own_ends)}}};
    return must(w.database->store().read(batch, nullptr)).scans.front().rows.size();
  };
  EXPECT_EQ(own_end_rows(), 1U);
  // Its own end publishes nothing more, and takes no commit.
  w.clock.set(second(1'100));
  const store::Version before = w.database->store().applied();
  EXPECT_EQ(w.sweep(), 0U);
  EXPECT_EQ(w.database->store().applied(), before);
  w.compact();
  EXPECT_EQ(own_end_rows(), 0U);
  EXPECT_EQ(w.events(c), "created:a removed:a forgotten:a");
  EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ");
  EXPECT_EQ(w.database->sweeper().state().trash_purged, 1U);
}

TEST(OwnEndInTrash, IsRecordedOnceWhereCompactionComesBeforeTheSweep) {
  for (const std::int64_t trash_for : {5, 20, 5'000}) {
    World w;
    const auto c = w.collection("c", kept_trash(Span::seconds(trash_for)));
    must(w.put(c, "a", "{}", At{second(1'010)}));
    must(w.remove(c, "a"));
    w.clock.set(second(2'000));
    const Bytes trash = keys::table(keys::Table::trash, c->id);
    must(w.database->store().compact(trash, after_prefix(trash)));
    EXPECT_EQ(w.rows(keys::Table::trash, c), 0U);
    w.sweep();
    w.sweep();
    EXPECT_EQ(w.events(c), "created:a removed:a forgotten:a") << trash_for;
    EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ") << trash_for;
    expect_no_rows(w, c);
  }
}

TEST(OwnEndInTrash, IsThatOfOneVersionWhereTheIdLivesAgainWithTheSameEnd) {
  World w;
  const auto c = w.collection("c", kept_trash());
  for (int i = 0; i < 2; ++i) {
    must(w.put(c, "a", "{}", At{second(1'010)}));
    must(w.remove(c, "a"));
  }
  must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(purged_ways(w, c), "expired:a out_of_trash:a out_of_trash:a ");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, IsNoneOfWhatHasLeftTheTrash) {
  World w;
  const auto c = w.collection("c", kept_trash());
  for (const char* id : {"restored", "erased"}) {
    must(w.put(c, id, "{}", At{second(1'010)}));
    must(w.remove(c, id));
  }
  must(w.restore(c, "restored"));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.forget(c, DocumentKey::of("erased"), ""); }));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(purged_ways(w, c), "erased:erased expired:restored ");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, WaitsForTheReleaseOfAHold) {
  World w;
  const auto c = w.collection("c", kept_trash());
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.remove(c, "a"));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.hold(c, DocumentKey::of("a"), {}); }));
  w.clock.set(second(1'500));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.trash(c), "a");
  EXPECT_EQ(purged_ways(w, c), "");
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.release(c, DocumentKey::of("a"), ""); }));
  w.sweep();
  EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, IsStillWaitedForWhereAHoldComesAndGoesInOneTransaction) {
  World w;
  const auto c = w.collection("c", kept_trash());
  const DocumentKey a = DocumentKey::of("a");
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.remove(c, "a"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.hold(c, a, {}));
    TRY(t.release(c, a, ""));
    TRY(t.hold(c, a, {}));
    return t.release(c, a, "");
  }));
  EXPECT_EQ(w.rows(keys::Table::queue, c), 2U);
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, OfWhatATransactionMadeAndRemovedIsRecorded) {
  World w;
  const auto c = w.collection("c", kept_trash());
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json("{}")), {.lifetime = At{second(1'010)}}));
    return t.remove(c, DocumentKey::of("a"), {});
  }));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(purged_ways(w, c), "out_of_trash:a ");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, LeavesNothingIfItIsNotPublished) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::infinite()});
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.remove(c, "a"));
  w.clock.set(second(1'010));
  w.sweep();
  expect_no_rows(w, c);
}

// The rows are compacted one table after the other, or one of them alone.
TEST(OwnEndInTrash, LeavesNothingWhereCompactionComesBeforeTheSweep) {
  using enum keys::Table;
  for (const auto& tables : {std::vector{trash}, std::vector{queue}, std::vector{trash, queue}}) {
    World w;
    const auto c = w.collection("c", {.keep_trash_for = Span::infinite()});
    must(w.put(c, "a", "{}", At{second(1'010)}));
    must(w.remove(c, "a"));
    w.clock.set(second(1'010));
    for (const keys::Table table : tables) {
      const Bytes rows = keys::table(table, c->id);
      must(w.database->store().compact(rows, after_prefix(rows)));
      EXPECT_EQ(w.rows(table, c), 0U);
    }
    w.sweep();
    w.compact();
    expect_no_rows(w, c);
  }
}

// One commit removes a version and writes one that has already expired: both have one place in the
// trash.
TEST(OwnEndInTrash, IsNotThatOfAVersionThatTakesItsPlaceInTheTrash) {
  enum class Moved { by_a_sweep, with_its_end, by_a_write };
  for (const Moved moved : {Moved::by_a_sweep, Moved::with_its_end, Moved::by_a_write}) {
    World w;
    CollectionChange change = kept_trash();
    change.expires_to_trash = true;
    const auto c = w.collection("c", change);
    const DocumentKey a = DocumentKey::of("a");
    must(w.put(c, "a", "{}", At{second(1'010)}));
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.remove(c, a, {}));
      TRY(t.put(c, a, TRY(pack_json("{}")), {.lifetime = Lifetime(At{second(900)})}));
      return {};
    }));
    if (moved == Moved::by_a_sweep) w.sweep();
    if (moved == Moved::by_a_write) must(w.put(c, "a", "{}", Never{}));
    // The end of its time in the trash; and before the sweep, its expiration.
    const std::size_t rows = moved == Moved::by_a_write ? 2 : 1;
    EXPECT_EQ(w.rows(keys::Table::queue, c), rows) << static_cast<int>(moved);
    w.clock.set(second(1'010));
    w.sweep();
    EXPECT_EQ(w.trash(c), "a") << static_cast<int>(moved);
    EXPECT_EQ(w.events(c).find("forgotten"), std::string::npos) << w.events(c);
    must(w.database->transact([&](Transaction& t) { return t.forget(c, a, ""); }));
    expect_no_rows(w, c);
  }
}

// A removed version is gone for good if an expired one of the same commit takes its place in the
// trash.
TEST(OwnEndInTrash, IsAPurgeAtTheCommitIfAnExpiredVersionTakesThePlaceInTheTrash) {
  struct Case {
    bool is_to_trash;
    bool is_restored_first;
    const char* purged;
    const char* events;
    const char* body;  // of the document in the trash
  };
  const Case table[] = {
      {true, false, "removed:a ", "created:a replaced:a expired:a", R"({"v":2})"},
      {true, true, "erased:a ", "created:a removed:a created:a forgotten:a expired:a",
       R"({"v":2})"},
      {false, false, "expired:a ", "created:a replaced:a expired:a", R"({"v":1})"},
      {false, true, "expired:a ", "created:a removed:a created:a expired:a", R"({"v":1})"}};
  for (const Case& row : table) {
    World w;
    CollectionChange change = kept_trash();
    change.expires_to_trash = row.is_to_trash;
    const auto c = w.collection("c", change);
    const DocumentKey a = DocumentKey::of("a");
    must(w.put(c, "a", R"({"v":1})"));
    if (row.is_restored_first) must(w.remove(c, "a"));
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      if (row.is_restored_first) TRY(t.restore(c, a, {}));
      TRY(t.remove(c, a, {}));
      const PutOptions dead{.lifetime = Lifetime(At{t.now() + Span{1}})};
      TRY(t.put(c, a, TRY(pack_json(R"({"v":2})")), dead));
      return {};
    }));
    w.sweep();
    EXPECT_EQ(purged_ways(w, c), row.purged);
    EXPECT_EQ(w.events(c), row.events);
    View view = w.database->view();
    const auto kept = must(view.get_removed(*w.now(c), a));
    ASSERT_TRUE(kept);
    EXPECT_EQ(render_json(kept->body.unpack()), row.body);
  }
}

// Both ends come at one instant, that of the commit, whichever the sweeper reads first.
TEST(OwnEndInTrash, IsNoneWhereTheVersionThatTakesItsPlaceDiesAtTheSameInstant) {
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{1'000}}) {
    World w;
    CollectionChange change = kept_trash();
    change.expires_to_trash = true;
    const auto c = w.collection("c", change);
    const DocumentKey a = DocumentKey::of("a");
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      const PutOptions brief{.lifetime = Lifetime(At{t.now() + Span{1}})};
      TRY(t.put(c, a, TRY(pack_json("{}")), brief));
      TRY(t.remove(c, a, {}));
      TRY(t.put(c, a, TRY(pack_json("{}")), brief));
      return {};
    }));
    for (int i = 0; i < 5; ++i) must(w.database->sweeper().run_due(at_once));
    EXPECT_EQ(w.trash(c), "a");
    EXPECT_EQ(w.events(c).find("forgotten"), std::string::npos) << w.events(c);
  }
}

// The feed was off when it ended.
TEST(OwnEndInTrash, IsNotPublishedIfTheFeedStartsAfterIt) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(20)});
  must(w.put(c, "a", "{}", At{second(1'010)}));
  must(w.remove(c, "a"));
  w.clock.set(second(1'011));
  const Bytes trash = keys::table(keys::Table::trash, c->id);
  must(w.database->store().compact(trash, after_prefix(trash)));
  must(w.database->change_collection(c->id, kept_trash()));
  w.clock.set(second(2'000));
  w.sweep();
  EXPECT_EQ(w.events(w.now(c)), "");
  EXPECT_EQ(purged_ways(w, c), "");
  expect_no_rows(w, c);
}

TEST(OwnEndInTrash, IsNotEvictedInsteadOfAnother) {
  World w;
  const auto c = w.collection("c", kept_trash());
  must(w.put(c, "dead", "{}", At{second(1'010)}));
  must(w.put(c, "other", "{}"));
  must(w.remove(c, "dead"));
  must(w.remove(c, "other"));
  w.clock.set(second(1'010));
  EXPECT_EQ(must(w.database->evict_oldest_trash(c->id, 1)), 1U);
  EXPECT_EQ(w.trash(c), "");
}

}  // namespace
}  // namespace mayfly
