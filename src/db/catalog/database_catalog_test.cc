// Changes of the catalog in one commit, and the values derived from a version of a collection.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "db/catalog/change_with.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

TEST(DatabaseCatalogTest, ACollectionIsMadeWithItsDatabase) {
  World w;
  const DatabaseSpec fresh{.name = "fresh", .facets = {{"f", "1"}}};
  const CollectionPtr made = must(w.database->create_collection(fresh, {.name = "c"}));
  const CatalogPtr catalog = w.database->catalog();
  const DatabaseInfoPtr database = catalog->find_database("fresh");
  ASSERT_NE(database, nullptr);
  EXPECT_EQ(database->facets.at("f"), "1");
  EXPECT_EQ(database->created_at, made->created_at);
  EXPECT_EQ(catalog->find_collection(database->id, "c"), made);

  const CollectionPtr second = must(w.database->create_collection(fresh, {.name = "d"}));
  EXPECT_EQ(second->database, database->id);
}

TEST(DatabaseCatalogTest, ARefusedCollectionMakesNoDatabase) {
  World w;
  const CollectionSpec wrong{.name = "c", .promises = {.expires_to_trash = true}};
  EXPECT_FALSE(w.database->create_collection(DatabaseSpec{.name = "fresh"}, wrong));
  EXPECT_FALSE(w.database->create_collection(DatabaseSpec{.name = "fresh"}, {.name = "a/b"}));
  EXPECT_FALSE(w.database->create_collection(DatabaseSpec{.name = "#fresh"}, {.name = "c"}));
  EXPECT_EQ(w.database->catalog()->find_database("fresh"), nullptr);
}

TEST(DatabaseCatalogTest, AnEmptiedCollectionKeepsItsDefinitionAndNoDocument) {
  World w;
  CollectionChange promises;
  promises.facets["f"] = "1";
  const CollectionPtr emptied =
      w.collection("emptied", promises, {{.name = "i", .fields = {{.field = Field::body("a")}}}});
  const CollectionPtr dropped = w.collection("dropped");
  must(w.put(emptied, "x", R"({"a":1})"));
  must(w.database->drop(
      {.databases = {}, .collections = {dropped->id}, .emptied = {emptied->id, 999}}));

  const CatalogPtr catalog = w.database->catalog();
  EXPECT_EQ(catalog->find_collection(w.place, "dropped"), nullptr);
  const CollectionPtr empty = catalog->find_collection(w.place, "emptied");
  ASSERT_NE(empty, nullptr);
  EXPECT_NE(empty->id, emptied->id);
  EXPECT_EQ(empty->facets.at("f"), "1");
  EXPECT_NE(empty->find_index("i"), nullptr);
  EXPECT_FALSE(must(w.database->get(empty, DocumentKey::of("x"))));
  must(w.put(empty, "x", R"({"a":2})"));
  EXPECT_TRUE(must(w.database->get(empty, DocumentKey::of("x"))));
}

TEST(DatabaseCatalogTest, DerivedValuesAreMadeOnceForEachVersionOfACollection) {
  World w;
  const CollectionPtr c = w.collection("c");
  int made = 0;
  const auto make = [&]() -> Result<std::shared_ptr<const int>> {
    return std::make_shared<const int>(++made);
  };
  EXPECT_EQ(*must(c->derived.get<int>(make)), 1);
  EXPECT_EQ(*must(c->derived.get<int>(make)), 1);
  w.change(c, {.facets = {{"f", "1"}}});
  EXPECT_EQ(*must(w.now(c)->derived.get<int>(make)), 2);

  const auto refuse = []() -> Result<std::shared_ptr<const long>> {
    return fail(Code::corrupt, "no");
  };
  EXPECT_FALSE(c->derived.get<long>(refuse));
  EXPECT_EQ(*must(c->derived.get<long>(
                [] { return Result<std::shared_ptr<const long>>(std::make_shared<long>(7)); })),
            7);
}

TEST(DatabaseCatalogTest, ACollectionChangesInOneCommitWithWhatATransactionWrites) {
  World w;
  const CollectionPtr changed = w.collection("changed");
  const CollectionPtr written = w.collection("written");
  const auto write = [&](Transaction& t, CollectionChange change) -> Result<void> {
    TRY(t.put(w.now(written), DocumentKey::of("x"), TRY(pack_json("{}")), {}));
    change_with(t, changed->id, std::move(change));
    return {};
  };
  const Instant at = must(
      w.database->transact([&](Transaction& t) { return write(t, {.facets = {{"f", "1"}}}); }));
  EXPECT_EQ(w.now(changed)->changed_at, at);
  EXPECT_EQ(w.now(changed)->facets.at("f"), "1");
  EXPECT_EQ(must(w.database->get(written, DocumentKey::of("x")))->version.written_at, at);

  // A refused change leaves neither.
  const auto refused = w.database->transact([&](Transaction& t) {
    return write(t, {.if_changed_at = changed->changed_at, .facets = {{"f", "2"}}});
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::stale);
  EXPECT_EQ(w.now(changed)->facets.at("f"), "1");
  EXPECT_EQ(must(w.database->get(written, DocumentKey::of("x")))->version.written_at, at);

  // A transaction that writes nothing still changes the collection; one that fails does not.
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    change_with(t, changed->id, {.facets = {{"f", "3"}}});
    return {};
  }));
  EXPECT_EQ(w.now(changed)->facets.at("f"), "3");
  EXPECT_FALSE(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(write(t, {.facets = {{"f", "4"}}}));
    return fail(Code::invalid, "no");
  }));
  EXPECT_EQ(w.now(changed)->facets.at("f"), "3");
}

TEST(DatabaseCatalogTest, DeathsAreRecordedBeforeACollectionChangesWithATransaction) {
  World w;
  const CollectionPtr dying =
      w.collection("dying", {.keep_trash_for = Span::seconds(60), .expires_to_trash = true});
  must(w.put(dying, "d", "{}", At{testing::second(1'001)}));
  w.clock.advance(Span::seconds(2));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    change_with(t, dying->id, {.expires_to_trash = false});
    return {};
  }));
  EXPECT_TRUE(w.now(dying)->policy.expired_to_trash_since.is_never());
  EXPECT_EQ(w.trash(dying), "d");
}

}  // namespace
}  // namespace mayfly
