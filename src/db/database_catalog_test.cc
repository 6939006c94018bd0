// Changes of the catalog that are one commit, and what is kept with a picture of a collection.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

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

TEST(DatabaseCatalogTest, WhatIsDerivedFromACollectionIsMadeOnceForEachPictureOfIt) {
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

}  // namespace
}  // namespace mayfly
