// What happens to a dialect's own data from before names with '#' were reserved for it.
#include "db/catalog/names_from_before.h"

#include "db/rows/records.h"
#include "db/testing.h"
#include "db/write/transaction.h"
#include "value/packed/packed.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;

constexpr NameFromBefore moves[] = {{.name = "%old", .to = "#old"},
                                    {.name = "hooks", .to = "#hooks", .facet = "own"}};

class NamesFromBeforeTest : public ::testing::Test {
 protected:
  // As an earlier version has left it.
  NamesFromBeforeTest() {
    auto store = store::open_memory();
    store::CommitBatch batch{.version = records::to_version(second(900))};
    batch.puts.push_back({keys::format(), Bytes("mayfly 1")});
    must(store->commit(batch));
    database = must(Database::open(std::move(store), clock));
  }
  CollectionPtr make(const std::string& in, const std::string& name, bool is_own) {
    const DatabaseInfoPtr found = database->catalog()->find_database(in);
    const DatabaseInfoPtr of = found ? found : must(database->create_database(in));
    CollectionSpec spec{.name = name};
    if (is_own) spec.promises.facets["own"] = "{}";
    return must(database->create_collection(of->id, spec));
  }
  void put(const CollectionPtr& collection) {
    must(database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(collection, DocumentKey::of("a"), TRY(pack(Object{{"n", 1}})), {}));
      return {};
    }));
  }
  bool has_row(const CollectionPtr& collection) {
    const CollectionPtr now = database->catalog()->any_collection(collection->id);
    return must(database->get(now, DocumentKey::of("a"))).has_value();
  }
  std::string name_of(const CollectionPtr& collection) {
    return database->catalog()->any_collection(collection->id)->name;
  }

  ManualClock clock{second(1'000)};
  std::unique_ptr<Database> database;
};

TEST_F(NamesFromBeforeTest, ADatabaseIsMovedWithAllThatLiesInIt) {
  const CollectionPtr users = make("%old", "users", false);
  put(users);
  must(database->move_names_from_before(moves));
  const CatalogPtr catalog = database->catalog();
  EXPECT_EQ(catalog->find_database("%old"), nullptr);
  const DatabaseInfoPtr old = catalog->find_internal_database("#old");
  ASSERT_NE(old, nullptr);
  EXPECT_EQ(catalog->find_internal(old->id, "users")->id, users->id);
  EXPECT_TRUE(has_row(users));
}

TEST_F(NamesFromBeforeTest, OfCollectionsThoseThatTheDialectHasMadeAreMoved) {
  const CollectionPtr own = make("a", "hooks", true);
  put(own);
  const CollectionPtr of_a_user = make("b", "hooks", false);
  must(database->move_names_from_before(moves));
  EXPECT_EQ(name_of(own), "#hooks");
  EXPECT_TRUE(has_row(own));
  EXPECT_EQ(name_of(of_a_user), "hooks");
}

TEST_F(NamesFromBeforeTest, ANameThatIsTakenIsFollowedByANumber) {
  const CollectionPtr own = make("a", "hooks", true);
  const CollectionPtr users = make("%old", "users", false);
  must(database->create_internal_database("#old"));
  must(database->ensure_collection(
      own->database, {.name = "#hooks", .promises = {}, .indexes = {}, .is_internal = true}));
  must(database->move_names_from_before(moves));
  EXPECT_EQ(name_of(own), "#hooks.2");
  const auto moved = database->catalog()->find_internal_database("#old.2");
  ASSERT_NE(moved, nullptr);
  EXPECT_EQ(moved->id, users->database);
}

TEST_F(NamesFromBeforeTest, TheyAreMovedOnceInADirectory) {
  must(database->move_names_from_before(moves));
  const CollectionPtr hooks = make("%old", "hooks", true);
  must(database->move_names_from_before(moves));
  EXPECT_EQ(name_of(hooks), "hooks");
  EXPECT_NE(database->catalog()->find_database("%old"), nullptr);
}

TEST_F(NamesFromBeforeTest, ADirectoryOfThisVersionHasNone) {
  testing::World fresh;
  must(fresh.database->create_database("%old"));
  must(fresh.database->move_names_from_before(moves));
  EXPECT_NE(fresh.database->catalog()->find_database("%old"), nullptr);
}

}  // namespace
}  // namespace mayfly
