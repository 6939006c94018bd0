// Tests of the measurements once a second for the metrics, and of their bounds.
#include "app/metrics/inspection.h"

#include <gtest/gtest.h>

#include "app/limits.h"
#include "db/rows/keys.h"
#include "db/write/transaction.h"
#include "store/memory/memory_store.h"
#include "value/packed/packed.h"

namespace mayfly::app {
namespace {

class InspectionTest : public ::testing::Test {
 protected:
  DatabaseId make(const std::string& name) {
    const auto made = database->create_database(name);
    EXPECT_TRUE(made) << made.error().message;
    return (*made)->id;
  }
  // Creates a collection with this number of documents.
  CollectionPtr fill(DatabaseId id, const std::string& name, std::size_t documents) {
    const CollectionPtr collection = *database->create_collection(id, {.name = name});
    for (std::size_t i = 0; i < documents; ++i) {
      const auto work = [&](Transaction& transaction) -> Result<void> {
        const auto key = DocumentKey::of("d" + std::to_string(i));
        TRY(transaction.put(collection, key, *pack_json("{}"), {}));
        return {};
      };
      EXPECT_TRUE(database->transact(work));
    }
    return collection;
  }
  std::map<std::string, std::uint64_t> look() {
    inspection.look();
    return inspection.documents();
  }

  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database = *Database::open(store::open_memory(), clock);
  Inspection inspection{*database, Span::seconds(600)};
};

using Documents = std::map<std::string, std::uint64_t>;

TEST_F(InspectionTest, DocumentsAreCountedByDatabaseAndDroppedOnesAreNot) {
  const DatabaseId app = make("app");
  const DatabaseId other = make("shop");
  const CollectionPtr first = fill(app, "a", 2);
  fill(app, "b", 3);
  fill(other, "a", 1);
  EXPECT_EQ(look(), (Documents{{"app", 5}, {"shop", 1}}));
  ASSERT_TRUE(database->drop_collection(first->id));
  ASSERT_TRUE(database->drop_database(other));
  EXPECT_EQ(look(), (Documents{{"app", 3}}));
}

TEST_F(InspectionTest, BeyondTheBoundACollectionIsEstimated) {
  fill(make("app"), "a", limits::counted_documents_max + 10);
  EXPECT_GE(look().at("app"), limits::counted_documents_max);
}

TEST_F(InspectionTest, OneLookCountsABoundedNumberOfCollectionsAndTheNextContinues) {
  const DatabaseId app = make("app");
  for (std::size_t i = 0; i <= limits::collections_per_look_max; ++i) {
    fill(app, "c" + std::to_string(i), 1);
  }
  EXPECT_EQ(look().at("app"), limits::collections_per_look_max);
  EXPECT_EQ(look().at("app"), limits::collections_per_look_max + 1);
}

TEST_F(InspectionTest, WithoutTimeOnePageOfOneCollectionIsCountedAndTheRestEstimated) {
  const DatabaseId app = make("app");
  fill(app, "a", limits::counted_page_rows_max);
  fill(app, "b", 3 * limits::counted_page_rows_max);
  fill(app, "c", 1);
  Inspection hurried(*database, Span{0});
  const auto next = [&] {
    hurried.look();
    return hurried.documents().at("app");
  };
  EXPECT_EQ(next(), limits::counted_page_rows_max);
  const std::uint64_t both = next();
  EXPECT_GE(both, 2 * limits::counted_page_rows_max);
  EXPECT_EQ(next(), both + 1);
}

TEST_F(InspectionTest, WithoutCommitsItCountsAtIntervals) {
  const DatabaseId app = make("app");
  fill(app, "a", 1);
  EXPECT_EQ(look().at("app"), 1U);
  fill(app, "b", 1);
  EXPECT_EQ(look().at("app"), 2U);
  for (const auto& [id, collection] : database->catalog()->all_collections()) {
    const Bytes lo = keys::table(keys::Table::head, id);
    ASSERT_TRUE(database->store().erase_range(lo, after_prefix(lo)));  // as compaction does
  }
  for (int i = 2; i < limits::full_look_every; ++i) EXPECT_EQ(look().at("app"), 2U);
  EXPECT_EQ(look().at("app"), 0U);
}

TEST_F(InspectionTest, TheLastOfManyDatabasesShareOneSeries) {
  for (std::size_t i = 0; i < limits::metered_databases_max + 5; ++i) {
    make("d" + std::to_string(1'000 + i));
  }
  fill(database->catalog()->find_database("d1104")->id, "c", 2);
  const Documents documents = look();
  EXPECT_EQ(documents.size(), limits::metered_databases_max + 1);
  EXPECT_EQ(documents.at("other"), 2U);
}

TEST_F(InspectionTest, TheHeapIsMeasuredAtIntervals) {
  EXPECT_EQ(inspection.heap_bytes(), 0U);
  look();
  const std::uint64_t first = inspection.heap_bytes();
  EXPECT_GT(first, 0U);
  const std::string much(1 << 20, 'x');
  for (int i = 1; i < limits::full_look_every; ++i) look();
  EXPECT_EQ(inspection.heap_bytes(), first);
  look();
  EXPECT_GE(inspection.heap_bytes(), much.size());
}

}  // namespace
}  // namespace mayfly::app
