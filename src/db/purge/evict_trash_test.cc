// Evicting the oldest documents of a trash (Database::evict_oldest_trash).
#include "db/purge/purge_log.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

std::size_t trim(World& w, const CollectionPtr& c, std::size_t most) {
  return must(w.database->evict_oldest_trash(c->id, most));
}

// Puts documents of these names into the trash in one commit.
void trash(World& w, const CollectionPtr& c, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) must(w.put(c, id, "{}"));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (const std::string& id : ids) TRY(t.remove(w.now(c), DocumentKey::of(id), {}));
    return {};
  }));
}

CollectionPtr with_trash(World& w, CollectionChange promises = {}) {
  promises.keep_trash_for = Span::infinite();
  return w.collection("c", std::move(promises));
}

void hold(World& w, const CollectionPtr& c, const std::string& id) {
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.hold(w.now(c), DocumentKey::of(id), {.by = "ann", .reason = "case 7"});
  }));
}

TEST(TrimTrashTest, TheOldestDocumentsAreEvicted) {
  World w;
  const auto c = with_trash(w);
  for (const char* id : {"c", "a", "d", "b"}) trash(w, c, {id});
  EXPECT_EQ(trim(w, c, 2), 2u);
  EXPECT_EQ(w.trash(c), "d b");
  EXPECT_FALSE(w.restore(c, "a"));
  EXPECT_EQ(trim(w, c, 0), 0u);
  EXPECT_EQ(trim(w, c, 9), 2u);
  EXPECT_EQ(w.trash(c), "");
  EXPECT_EQ(trim(w, c, 9), 0u);
}

TEST(TrimTrashTest, LeavesTheSweepersWorkUnlessADocumentHasExpiredInTheTrash) {
  World w;
  const auto c = with_trash(w);
  for (const char* id : {"a", "b", "c"}) trash(w, c, {id});
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.database->sweeper().batch_count(), 0u);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 3u);
  must(w.put(w.now(c), "d", "{}", At{second(1'050)}));
  must(w.remove(w.now(c), "d"));
  w.clock.set(second(1'050));
  EXPECT_EQ(trim(w, c, 9), 1u);
  EXPECT_GT(w.database->sweeper().batch_count(), 0u);
  EXPECT_EQ(w.trash(c), "");
}

TEST(TrimTrashTest, OneRowHidesThemAndTheSweeperRemovesTheirRows) {
  World w;
  const auto c = with_trash(w, {.keep_feed_for = Span::infinite()});
  for (const char* id : {"a", "b", "c"}) trash(w, c, {id});
  const store::Version before = w.database->store().applied();
  EXPECT_EQ(trim(w, c, 2), 2u);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 3u);
  // One commit, whose size does not grow with the number of documents.
  EXPECT_EQ(w.trash(c), "c");
  EXPECT_GT(w.database->shown(), before);
  const std::string events_before = w.events(c);
  const store::Version shown = w.database->shown();
  EXPECT_EQ(w.sweep(), 2u);
  EXPECT_EQ(w.database->shown(), shown);  // no answer waits for the sweeper's commits
  EXPECT_EQ(w.rows(keys::Table::trash, c), 1u);
  EXPECT_EQ(w.trash(c), "c");
  EXPECT_EQ(w.events(c), events_before + " forgotten:a forgotten:b");
}

TEST(TrimTrashTest, AtOneInstantNoMoreAreEvictedThanRequested) {
  World w;
  const auto c = with_trash(w);
  trash(w, c, {"a"});
  trash(w, c, {"b", "c", "d", "e"});
  trash(w, c, {"f"});
  EXPECT_EQ(trim(w, c, 3), 3u);
  EXPECT_EQ(w.trash(c), "d e f");
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "e f");
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "f");
}

TEST(TrimTrashTest, AHeldDocumentStaysUntilItIsReleased) {
  World w;
  const auto c = with_trash(w);
  for (const char* id : {"a", "b", "c"}) trash(w, c, {id});
  hold(w, c, "a");
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "a c");
  w.sweep();
  EXPECT_EQ(w.trash(c), "a c");
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.release(w.now(c), DocumentKey::of("a"), "ann");
  }));
  EXPECT_EQ(w.trash(c), "c");
}

TEST(TrimTrashTest, LivingDocumentsAndLaterArrivalsAreNotEvicted) {
  World w;
  const auto c = with_trash(w);
  must(w.put(c, "a", "{}"));
  trash(w, c, {"b"});
  EXPECT_EQ(trim(w, c, 9), 1u);
  trash(w, c, {"b"});
  EXPECT_EQ(w.get(c, "a"), "{}");
  EXPECT_EQ(w.trash(c), "b");
  EXPECT_EQ(must(w.database->view().get_removed(*w.now(c), DocumentKey::of("b")))->revision, 1u);
  w.sweep();
  w.compact();
  EXPECT_EQ(w.trash(c), "b");
}

TEST(TrimTrashTest, ALongerRetentionRestoresNoEvictedDocument) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(100)});
  for (const char* id : {"a", "b"}) trash(w, c, {id});
  EXPECT_EQ(trim(w, c, 1), 1u);
  w.change(c, {.keep_trash_for = Span::infinite()});
  EXPECT_EQ(w.trash(c), "b");
}

TEST(TrimTrashTest, ADocumentWhoseTimeIsOverIsNotCounted) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(100)});
  trash(w, c, {"a"});
  w.clock.advance(Span::seconds(60));
  trash(w, c, {"b"});
  trash(w, c, {"d"});
  w.clock.advance(Span::seconds(60));
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "d");
}

TEST(TrimTrashTest, AnEndIsPublishedBeforeTheRetentionMoves) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(100)});
  trash(w, c, {"a"});
  w.clock.advance(Span::seconds(50));
  w.change(c, {.keep_feed_for = Span::infinite()});
  trash(w, c, {"b"});
  w.clock.advance(Span::seconds(60));
  EXPECT_EQ(trim(w, c, 1), 1u);
  w.sweep();
  EXPECT_EQ(w.events(w.now(c)), "created:b removed:b forgotten:a forgotten:b");
}

TEST(TrimTrashTest, ADocumentWhoseOwnEndIsNotRecordedIsNoObstacle) {
  World w;
  const auto c = with_trash(w);
  must(w.put(c, "a", "{}", At{second(1'050)}));
  trash(w, c, {"b", "a"});
  w.clock.set(second(1'050));
  const Bytes own_ends = keys::queue(c->id, keys::Queue::trashed_at);
  must(w.database->store().compact(own_ends, after_prefix(own_ends)));
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "");
}

TEST(TrimTrashTest, AnEndByAnInheritedSpanIsNotCounted) {
  World w;
  const auto c = with_trash(w, {.default_lifetime = Default{After{Span::seconds(30)}}});
  must(w.put(c, "a", "{}"));
  must(w.put(c, "b", "{}", Never{}));
  must(w.remove(c, "a"));
  must(w.remove(c, "b"));
  w.clock.advance(Span::seconds(40));
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "");
}

TEST(TrimTrashTest, ExpiredDocumentsInTheTrashAreEvictedToo) {
  World w;
  const auto c = with_trash(w, {.expires_to_trash = true});
  must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.advance(Span::seconds(20));
  trash(w, c, {"b"});
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "b");
}

TEST(TrimTrashTest, DocumentsThatCameBeforeTheFeedArePublished) {
  World w;
  const auto c = with_trash(w);
  trash(w, c, {"a"});
  w.change(c, {.keep_feed_for = Span::infinite(), .keep_purges_for = Span::infinite()});
  trash(w, c, {"b"});
  EXPECT_EQ(trim(w, c, 2), 2u);
  w.sweep();
  EXPECT_NE(w.events(c).find("forgotten:a"), std::string::npos) << w.events(c);
  EXPECT_NE(w.events(c).find("forgotten:b"), std::string::npos) << w.events(c);
  EXPECT_EQ(w.trash(c), "");
}

// Advances by a microsecond each time it is read.
class TickingClock final : public Clock {
 public:
  Instant now() const override { return {++micros_}; }
  bool is_virtual() const override { return true; }
  void set(Instant t) { micros_ = t.micros; }

 private:
  mutable std::atomic<std::int64_t> micros_ = second(1'000).micros;
};

TEST(TrimTrashTest, AnEndThatComesWhileEndsAreRecordedIsPublished) {
  // Each time the end comes at another moment of the work.
  for (std::int64_t moment = 1; moment <= 40; ++moment) {
    TickingClock clock;
    World w;
    w.database =
        must(Database::open(std::make_unique<store::CheckedStore>(store::open_memory()), clock));
    w.place = must(w.database->create_database("test"))->id;
    const auto c = w.collection("c", {.keep_trash_for = Span::seconds(60)});
    trash(w, c, {"a"});
    clock.set(clock.now() + Span::millis(1));
    must(w.put(c, "b", "{}"));
    const Instant removed = must(w.remove(c, "b"));
    w.change(c, {.keep_feed_for = Span::infinite()});
    clock.set(removed + Span::seconds(1));
    trash(w, c, {"c"});
    clock.set(removed + Span{60'000'000 - moment});
    trim(w, c, 2);
    clock.set(removed + Span::seconds(100));
    w.sweep();
    EXPECT_EQ(w.trash(c), "");
    for (const char* event : {"forgotten:a", "forgotten:b", "forgotten:c"}) {
      EXPECT_NE(w.events(c).find(event), std::string::npos) << moment << " " << w.events(c);
    }
  }
}

TEST(TrimTrashTest, OfTwoVersionsOfADocumentTheOlderIsEvicted) {
  World w;
  const auto c = with_trash(w);
  trash(w, c, {"a"});
  w.change(c, {.keep_feed_for = Span::infinite()});
  trash(w, c, {"b"});
  trash(w, c, {"a"});
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "b a");
  EXPECT_TRUE(w.restore(c, "a"));
}

TEST(TrimTrashTest, ADocumentThatHasExpiredThereIsNotCounted) {
  World w;
  const auto c = with_trash(w);
  for (const char* id : {"a", "b"}) must(w.put(c, id, "{}", At{second(1'010)}));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (const char* id : {"a", "b"}) TRY(t.remove(w.now(c), DocumentKey::of(id), {}));
    return {};
  }));
  w.change(c, {.keep_feed_for = Span::infinite()});
  trash(w, c, {"d"});
  w.clock.advance(Span::seconds(60));
  EXPECT_EQ(trim(w, c, 1), 1u);
  EXPECT_EQ(w.trash(c), "");
  EXPECT_EQ(trim(w, c, SIZE_MAX), 0u);
}

TEST(TrimTrashTest, AFeedThatStartsLaterFindsEarlierEndsPublished) {
  World w;
  const auto c = with_trash(w, {.keep_feed_for = Span::seconds(10)});
  trash(w, c, {"a"});
  w.clock.advance(Span::seconds(5));
  EXPECT_EQ(trim(w, c, 1), 1u);
  w.clock.advance(Span::seconds(7));
  w.change(c, {.keep_feed_for = Span::infinite()});
  w.sweep();
  EXPECT_NE(w.events(c).find("forgotten:a"), std::string::npos) << w.events(c);
}

TEST(TrimTrashTest, MoreThanAreTakenAtOnceGoInOneCall) {
  World w;
  const auto c = with_trash(w);
  constexpr std::size_t in_one_commit = 1'000;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < in_one_commit; ++i) ids.push_back(std::to_string(i));
  constexpr std::size_t commits = limits::trim_batch_max / in_one_commit + 1;
  for (std::size_t i = 0; i < commits; ++i) trash(w, c, ids);
  EXPECT_EQ(trim(w, c, SIZE_MAX), commits * in_one_commit);
  EXPECT_EQ(w.trash(c), "");
}

TEST(TrimTrashTest, ATransactionThatReadTheTrashMeanwhileRunsAgain) {
  World w;
  const auto c = with_trash(w);
  trash(w, c, {"a"});
  int attempts = 0;
  const auto restored = w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.restore(t.view().catalog().collection(c->id), DocumentKey::of("a"), {}));
    if (++attempts == 1) {
      EXPECT_EQ(trim(w, c, 1), 1u);
    }
    return {};
  });
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().code, Code::not_found);
  EXPECT_EQ(attempts, 1);
  EXPECT_EQ(w.get(c, "a"), "-");
}

TEST(TrimTrashTest, OfAMissingCollectionNothingIsEvicted) {
  World w;
  const auto gone = w.database->evict_oldest_trash(4'711, 1);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Code::not_found);
}

}  // namespace
}  // namespace mayfly
