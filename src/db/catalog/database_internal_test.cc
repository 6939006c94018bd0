// Internal databases: what finds them, and what happens to names from earlier versions.
#include "db/rows/records.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;

TEST(InternalDatabaseTest, IsInNoListAndFoundByNoNameFromOutside) {
  testing::World w;
  const DatabaseInfoPtr made = must(w.database->create_internal_database("#own"));
  const CatalogPtr catalog = w.database->catalog();
  EXPECT_EQ(catalog->find_database("#own"), nullptr);
  ASSERT_NE(catalog->find_internal_database("#own"), nullptr);
  EXPECT_EQ(catalog->find_internal_database("#own")->id, made->id);
  EXPECT_EQ(catalog->find_internal_database("test"), nullptr);
  ASSERT_EQ(catalog->databases().size(), 1U);
  EXPECT_EQ(catalog->databases()[0]->name, "test");
  EXPECT_NE(catalog->any_database(made->id), nullptr);
  EXPECT_EQ(catalog->database(made->id), nullptr);
}

TEST(InternalDatabaseTest, WhatLiesInItIsFoundByNoNameOrIdFromOutside) {
  testing::World w;
  const DatabaseInfoPtr own = must(w.database->create_internal_database("#own"));
  const CollectionSpec spec{.name = "c", .promises = {}, .indexes = {}, .is_internal = true};
  const CollectionPtr c = must(w.database->ensure_collection(own->id, spec));
  EXPECT_EQ(must(w.database->ensure_collection(own->id, spec)), c);
  const CatalogPtr catalog = w.database->catalog();
  EXPECT_EQ(catalog->find_collection(own->id, "c"), nullptr);
  EXPECT_EQ(catalog->collection(c->id), nullptr);
  EXPECT_TRUE(catalog->collections(own->id).empty());
  EXPECT_EQ(catalog->find_internal(own->id, "c"), c);
  EXPECT_EQ(catalog->internal_collections(own->id), std::vector<CollectionPtr>{c});
  EXPECT_EQ(catalog->any_collection(c->id), c);
  const auto refused = w.database->create_collection(own->id, {.name = "d"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "name");
}

TEST(InternalDatabaseTest, NoOtherDatabaseBearsItsName) {
  testing::World w;
  const auto refused = w.database->create_database("#own");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid);
  EXPECT_EQ(refused.error().field, "name");
}

TEST(InternalDatabaseTest, AUsersNameFromBeforeIsChangedSoThatItIsFound) {
  auto store = store::open_memory();
  ManualClock clock(second(1'000));
  {
    store::CommitBatch batch{.version = records::to_version(second(900))};
    const DatabaseInfo mine{.id = 7, .name = "#mine", .created_at = second(900)};
    batch.puts.push_back({keys::database(7), encode(mine)});
    batch.puts.push_back({keys::format(), Bytes("mayfly 1")});
    must(store->commit(batch));
  }
  const auto database = must(Database::open(std::move(store), clock));
  ASSERT_NE(database->catalog()->find_database("_#mine"), nullptr);
  EXPECT_EQ(database->catalog()->find_database("_#mine")->id, 7U);
  EXPECT_EQ(database->catalog()->find_internal_database("#mine"), nullptr);
}

}  // namespace
}  // namespace mayfly
