// Legal holds (docs/decisions/0006).
#include <functional>

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::just_before;
using testing::must;
using testing::second;
using testing::World;

Result<Instant> hold(World& w, const CollectionPtr& c, const std::string& id,
                     HoldOptions options = {.by = "ann", .reason = "case 7"}) {
  return w.database->transact([&](Transaction& t) -> Result<void> {
    return t.hold(w.now(c), DocumentKey::of(id), options);
  });
}
Result<Instant> release(World& w, const CollectionPtr& c, const std::string& id) {
  return w.database->transact([&](Transaction& t) -> Result<void> {
    return t.release(w.now(c), DocumentKey::of(id), "ann");
  });
}
Code code_of(const Result<Instant>& result) {
  return result ? Code::internal : result.error().code;
}
std::string held(World& w, const CollectionPtr& c) {
  View view = w.database->view();
  std::string ids;
  for (const Document& d : must(view.scan_holds(*w.now(c), {}, 100)).documents) {
    ids += (ids.empty() ? "" : " ") + std::string(d.id);
  }
  return ids;
}
CollectionChange trash_retention(Span trash) {
  return {.keep_trash_for = trash, .keep_feed_for = Span::infinite()};
}

TEST(Hold, KeepsADocumentAliveBeyondItsDeathAndTheSweeper) {
  World w;
  const auto c = w.collection("c", trash_retention(Span{0}));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  must(hold(w, c, "a"));
  w.clock.set(second(5'000));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  EXPECT_EQ(w.list(c), "a");
  EXPECT_EQ(w.events(c), "created:a replaced:a");
  EXPECT_EQ(held(w, c), "a");
}

TEST(Hold, EndsADocumentWithTheReleaseWhereItsDeathHasPassed) {
  World w;
  const auto c = w.collection("c", trash_retention(Span{0}));
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  must(hold(w, c, "a"));
  w.clock.set(second(5'000));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  must(release(w, c, "a"));
  EXPECT_EQ(w.get(c, "a"), "-");
  EXPECT_EQ(held(w, c), "");
  w.sweep();
  EXPECT_EQ(w.events(c), "created:a replaced:a replaced:a expired:a");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 0);
}

TEST(Hold, RemovesTheLifetimeFromTheBodyIfItHasPassedAtTheRelease) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(Never{}),
                                    .keep_trash_for = Span::infinite(),
                                    .expires_to_trash = true});
  must(w.put(c, "a", R"({"n":1,"ttl":60})", PutOptions{.lifetime = FromBody{}}));
  must(hold(w, c, "a"));
  w.clock.set(second(1'100));
  must(release(w, c, "a"));
  w.sweep();
  must(w.restore(c, "a"));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
}

TEST(Hold, GivesTheLifetimeBackWhereItHasNotPassed) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = Default(after(100))});
  must(w.put(c, "at", R"({"n":1})", At{second(2'000)}));
  must(w.put(c, "inherits", R"({"n":2})"));
  must(hold(w, c, "at"));
  must(hold(w, c, "inherits"));
  w.clock.set(second(1'050));
  must(release(w, c, "at"));
  must(release(w, c, "inherits"));
  w.clock.set(just_before(second(1'150)));
  EXPECT_EQ(w.list(c), "at inherits");
  w.clock.set(second(1'150));  // counted from the release
  EXPECT_EQ(w.list(c), "at");
  w.clock.set(second(2'000));
  EXPECT_EQ(w.list(c), "");
}

TEST(Hold, GoesOnToTheNextVersionAndStoresTheRequestedLifetime) {
  World w;
  const auto c = w.collection("c", trash_retention(Span{0}));
  must(w.put(c, "a", R"({"n":1})"));
  must(hold(w, c, "a"));
  must(w.put(c, "a", R"({"n":2})", At{second(1'100)}));
  w.clock.set(second(1'200));
  EXPECT_EQ(w.get(c, "a"), R"({"n":2})");
  EXPECT_EQ(held(w, c), "a");
  must(release(w, c, "a"));
  EXPECT_EQ(w.get(c, "a"), "-");
}

TEST(Hold, RefusesRemovalAndASecondHold) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(hold(w, c, "a"));
  EXPECT_EQ(code_of(w.remove(c, "a")), Code::forbidden);
  EXPECT_EQ(code_of(w.remove(c, "a", {.is_final = true})), Code::forbidden);
  EXPECT_EQ(code_of(hold(w, c, "a")), Code::exists);
  must(release(w, c, "a"));
  EXPECT_EQ(code_of(release(w, c, "a")), Code::not_found);
  must(w.remove(c, "a"));
}

TEST(Hold, DoesNotApplyToExpiredOrAbsentDocuments) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(just_before(second(1'010)));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  w.clock.set(second(1'010));
  EXPECT_EQ(code_of(hold(w, c, "a")), Code::not_found);
  EXPECT_EQ(code_of(hold(w, c, "b")), Code::not_found);
  EXPECT_EQ(code_of(release(w, c, "a")), Code::not_found);
}

TEST(Hold, KeepsARemovedDocumentInTheTrashBeyondItsRetention) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(w.put(c, "b", R"({"n":2})"));
  must(w.remove(c, "a"));
  must(w.remove(c, "b"));
  must(hold(w, c, "a"));
  EXPECT_EQ(held(w, c), "a");
  w.clock.set(second(5'000));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.trash(c), "a");
  w.change(c, {.keep_trash_for = Span{0}});
  w.sweep();
  w.compact();
  EXPECT_EQ(w.trash(c), "a");
  EXPECT_EQ(code_of(w.database->transact([&](Transaction& t) -> Result<void> {
              return t.forget(w.now(c), DocumentKey::of("a"));
            })),
            Code::forbidden);
  must(release(w, c, "a"));
  EXPECT_EQ(w.trash(c), "");
  w.sweep();
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0);
  EXPECT_EQ(w.rows(keys::Table::queue, c), 0);
  EXPECT_EQ(w.rows(keys::Table::hold, c), 0);
}

TEST(Hold, StaysOnADocumentThatIsRestored) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'050)}));
  must(w.remove(c, "a"));
  must(hold(w, c, "a"));
  must(w.restore(c, "a"));
  w.clock.set(second(5'000));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  EXPECT_EQ(held(w, c), "a");
  EXPECT_EQ(w.rows(keys::Table::hold, c), 1);
}

TEST(Hold, KeepsItsCollectionAndDatabaseFromBeingDropped) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})"));
  must(hold(w, c, "a"));
  EXPECT_EQ(w.database->drop_collection(c->id).error().code, Code::forbidden);
  EXPECT_EQ(w.database->drop_database(w.place).error().code, Code::forbidden);
  must(release(w, c, "a"));
  must(w.database->drop_database(w.place));
}

TEST(Hold, InOneOfSeveralCollectionsKeepsAllFromBeingDropped) {
  World w;
  const auto first = w.collection("first");
  const auto second_one = w.collection("second");
  const auto other = must(w.database->create_database("other"));
  must(w.put(second_one, "a", R"({"n":1})"));
  must(hold(w, second_one, "a"));
  const CatalogParts all{{other->id}, {first->id, second_one->id}, false};
  EXPECT_EQ(w.database->drop(all).error().code, Code::forbidden);
  EXPECT_TRUE(w.now(first));
  EXPECT_TRUE(w.database->catalog()->database(other->id));
  must(release(w, second_one, "a"));
  const CatalogParts dropped = must(w.database->drop({{other->id}, {first->id, 999}, false}));
  EXPECT_EQ(dropped.collections, std::set{first->id});
  EXPECT_FALSE(w.now(first));
  EXPECT_TRUE(w.now(second_one));
  EXPECT_EQ(w.database->drop({{other->id}, {first->id}, false}).error().code, Code::not_found);
}

TEST(Drop, LeavesADatabaseThatHasMoreThanWasNamed) {
  World w;
  const auto seen = w.collection("seen");
  const auto late = w.collection("late");
  const CatalogParts dropped = must(w.database->drop({{w.place}, {seen->id}, true}));
  EXPECT_EQ(dropped.databases.size(), 0U);
  EXPECT_FALSE(w.now(seen));
  EXPECT_TRUE(w.now(late));
  must(w.database->drop({{w.place}, {late->id}, true}));
  EXPECT_FALSE(w.database->catalog()->database(w.place));
}

// A transaction that goes on after a refusal commits nothing of the refused edit.
TEST(Hold, OfOneInTheTrashLeavesTheOthersOfItsKeyWhereAllAreToBeErased) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(w.remove(c, "a"));
  must(hold(w, c, "a"));
  must(w.put(c, "a", R"({"n":2})"));
  must(w.remove(c, "a"));
  const std::size_t rows = w.rows(keys::Table::trash, c);
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    EXPECT_EQ(t.forget(w.now(c), DocumentKey::of("a")).error().code, Code::forbidden);
    return {};
  }));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::trash, c), rows);
}

TEST(Hold, HasBoundsOnWhatItSays) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})"));
  const HoldOptions long_reason{.reason = std::string(limits::hold_reason_bytes_max + 1, 'x')};
  EXPECT_EQ(code_of(hold(w, c, "a", long_reason)), Code::invalid);
  const HoldOptions long_name{.by = std::string(limits::author_bytes_max + 1, 'x')};
  EXPECT_EQ(code_of(hold(w, c, "a", long_name)), Code::invalid);
}

TEST(Hold, OfManyAtTheFrontOfTheTrashDoesNotBlockTheSweeper) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  constexpr int count = 600;  // more than one batch
  for (int i = 0; i < count; ++i) {
    const std::string id = "h" + std::to_string(i);
    must(w.put(c, id, "{}"));
    must(w.remove(c, id));
    must(hold(w, c, id));
  }
  must(w.put(c, "z", "{}"));
  must(w.remove(c, "z"));
  w.clock.set(second(9'000));
  EXPECT_EQ(w.sweep(), 1);
  EXPECT_EQ(w.rows(keys::Table::trash, c), std::size_t{count});
  must(release(w, c, "h0"));
  EXPECT_EQ(w.sweep(), 1);
}

TEST(Hold, KeepsARemovedDocumentInTheTrashBeyondItsDeath) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(1'000)));
  must(w.put(c, "a", R"({"n":1})", At{second(1'050)}));
  must(w.put(c, "b", R"({"n":2})", At{second(1'050)}));
  for (const std::string id : {"a", "b"}) {
    must(w.remove(c, id));
    must(hold(w, c, id));
  }
  w.clock.set(second(1'060));
  w.sweep();
  w.compact();
  EXPECT_EQ(w.trash(c), "a b");
  must(release(w, c, "a"));
  EXPECT_EQ(w.trash(c), "b");
  EXPECT_EQ(held(w, c), "b");
  must(w.restore(c, "b"));
  EXPECT_EQ(w.get(c, "b"), R"({"n":2})");
  must(release(w, c, "b"));
  EXPECT_EQ(w.get(c, "b"), "-");
  must(w.database->drop_collection(c->id));
}

// Several edits of a document in the trash, as one commit.
Result<Instant> act(World& w,
                    const std::function<Result<void>(Transaction&, const DocumentKey&)>& acts) {
  return w.database->transact(
      [&](Transaction& t) -> Result<void> { return acts(t, DocumentKey::of("a")); });
}

TEST(Hold, CanBeSetOnWhatTheSameTransactionRestores) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(w.remove(c, "a"));
  must(act(w, [&](Transaction& t, const DocumentKey& key) -> Result<void> {
    TRY(t.hold(c, key, {}));
    return t.restore(c, key, {});
  }));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  EXPECT_EQ(held(w, c), "a");
  EXPECT_EQ(w.trash(c), "");
  EXPECT_EQ(w.rows(keys::Table::hold, c), 1U);
}

TEST(Hold, CanBeReleasedFromWhatTheSameTransactionRestores) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(w.remove(c, "a"));
  must(hold(w, c, "a"));
  must(act(w, [&](Transaction& t, const DocumentKey& key) -> Result<void> {
    TRY(t.restore(c, key, {}));
    return t.release(c, key, "ann");
  }));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  EXPECT_EQ(w.rows(keys::Table::hold, c), 0U);
  must(w.database->drop_collection(c->id));
}

TEST(Hold, CanBeReleasedFromWhatTheSameTransactionErases) {
  World w;
  const auto c = w.collection("c", trash_retention(Span::seconds(100)));
  must(w.put(c, "a", R"({"n":1})"));
  must(w.remove(c, "a"));
  must(hold(w, c, "a"));
  must(act(w, [&](Transaction& t, const DocumentKey& key) -> Result<void> {
    TRY(t.release(c, key, "ann"));
    return t.forget(c, key);
  }));
  EXPECT_EQ(w.trash(c), "");
  for (const auto table : {keys::Table::trash, keys::Table::queue, keys::Table::hold}) {
    EXPECT_EQ(w.rows(table, c), 0U);
  }
}

}  // namespace
}  // namespace mayfly
