// What becomes of a dialect's own data from before names with '#' were kept for it.
#include "db/names_from_before.h"

#include "db/records.h"
#include "db/testing.h"

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
  std::string name_of(const CollectionPtr& collection) {
    return database->catalog()->any_collection(collection->id)->name;
  }

  ManualClock clock{second(1'000)};
  std::unique_ptr<Database> database;
};

TEST_F(NamesFromBeforeTest, ADatabaseIsMovedWithAllThatLiesInIt) {
  const CollectionPtr users = make("%old", "users", false);
  must(move_names_from_before(*database, moves));
  const CatalogPtr catalog = database->catalog();
  EXPECT_EQ(catalog->find_database("%old"), nullptr);
  const DatabaseInfoPtr old = catalog->find_internal_database("#old");
  ASSERT_NE(old, nullptr);
  EXPECT_EQ(catalog->find_internal(old->id, "users")->id, users->id);
}

TEST_F(NamesFromBeforeTest, OfCollectionsThoseThatTheDialectHasMadeAreMoved) {
  const CollectionPtr own = make("a", "hooks", true);
  const CollectionPtr of_a_user = make("b", "hooks", false);
  must(move_names_from_before(*database, moves));
  EXPECT_EQ(name_of(own), "#hooks");
  EXPECT_EQ(name_of(of_a_user), "hooks");
}

TEST_F(NamesFromBeforeTest, ANameThatIsTakenIsFollowedByANumber) {
  const CollectionPtr own = make("a", "hooks", true);
  must(database->ensure_collection(
      own->database, {.name = "#hooks", .promises = {}, .indexes = {}, .is_internal = true}));
  must(move_names_from_before(*database, moves));
  EXPECT_EQ(name_of(own), "#hooks.2");
}

TEST_F(NamesFromBeforeTest, TheyAreMovedOnceInADirectory) {
  must(move_names_from_before(*database, moves));
  const CollectionPtr hooks = make("%old", "hooks", true);
  must(move_names_from_before(*database, moves));
  EXPECT_EQ(name_of(hooks), "hooks");
  EXPECT_NE(database->catalog()->find_database("%old"), nullptr);
}

}  // namespace
}  // namespace mayfly
