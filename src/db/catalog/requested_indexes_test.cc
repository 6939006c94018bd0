// Requested indexes are made in the background, as long as there is room for them.
#include <gtest/gtest.h>

#include "db/limits.h"
#include "db/testing.h"
#include "store/wrappers/faulty.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

IndexSpec by(const std::string& name) {
  return {.name = "by " + name, .fields = {{Field::body(name)}}, .entries = Entries::cut};
}

std::string names_of(const Collection& collection) {
  std::string names;
  for (const Index& index : collection.indexes) {
    names += index.name + (index.is_ready ? ";" : " (being filled);");
  }
  return names;
}

TEST(RequestedIndexesTest, AnIndexIsMadeByTheJob) {
  World w;
  const auto c = w.collection("c");
  for (int i = 0; i < 500; ++i) must(w.put(c, "d" + std::to_string(i), R"({"n":1})"));
  w.database->request_index(*c, by("n"));
  w.database->request_index(*c, by("n"));
  EXPECT_EQ(names_of(*w.now(c)), "");
  while (w.database->jobs().run_due(JobLane::lengthy) > 0) {
  }
  EXPECT_EQ(names_of(*w.now(c)), "by n;");
  View view = w.database->view();
  const IndexPage page =
      must(view.scan_index(*w.now(c), w.now(c)->indexes.front(), IndexRange{}, view.live()));
  EXPECT_EQ(page.entries.size(), 500U);
}

TEST(RequestedIndexesTest, ThereAreNoMoreThanTheBound) {
  World w;
  const auto c = w.collection("c", {}, {{"own", {{Field::body("own")}}}});
  const auto run = [&] {
    while (w.database->jobs().run_due(JobLane::lengthy) > 0) {
    }
  };
  // The number of waiting requests is bounded, too.
  for (std::size_t i = 0; i < limits::index_requests_max + 10; ++i) {
    w.database->request_index(*w.now(c), by("p" + std::to_string(i)));
  }
  run();
  EXPECT_EQ(w.now(c)->indexes.size(), 1 + limits::requested_indexes_per_collection_max);
  w.database->request_index(*w.now(c), by("late"));
  run();
  EXPECT_EQ(w.now(c)->indexes.size(), 1 + limits::requested_indexes_per_collection_max);
  must(w.database->drop_index(c->id, "by p3"));
  w.database->request_index(*w.now(c), by("late"));
  run();
  EXPECT_NE(w.now(c)->find_index("by late"), nullptr);
}

TEST(RequestedIndexesTest, ADroppedCollectionAndATakenNameAreNoFailures) {
  World w;
  const auto c = w.collection("c");
  const auto gone = w.collection("gone");
  w.database->request_index(*gone, by("n"));
  w.database->request_index(*c, by("n"));
  must(w.database->drop_collection(gone->id));
  must(w.database->create_index(c->id, by("n")));
  while (w.database->jobs().run_due(JobLane::lengthy) > 0) {
  }
  EXPECT_EQ(names_of(*w.now(c)), "by n;");
  for (const JobState& job : w.database->jobs().states()) EXPECT_EQ(job.failures, 0U) << job.name;
}

TEST(RequestedIndexesTest, OneThatMayNotGoOnLeavesNothing) {
  World w;
  const auto c = w.collection("c");
  for (int i = 0; i < 500; ++i) must(w.put(c, "d" + std::to_string(i), R"({"n":1})"));
  int commits = 0;
  const auto made = w.database->create_index(c->id, by("n"), [&] { return ++commits < 2; });
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::contended);
  EXPECT_EQ(names_of(*w.now(c)), "");
}

TEST(RequestedIndexesTest, OneThatIsBeingFilledIsReadyOnceAnotherThatMakesItIsAnswered) {
  World w;
  const auto c = w.collection("c");
  for (int i = 0; i < 1'000; ++i) must(w.put(c, "d" + std::to_string(i), R"({"n":1})"));
  for (const bool goes_on : {true, false}) {
    int commits = 0;
    const auto interrupt = [&] {
      if (++commits != 3) return goes_on || commits < 3;
      EXPECT_EQ(names_of(*w.now(c)), "by n (being filled);");
      const CollectionPtr made = must(w.database->create_index(c->id, by("n")));
      EXPECT_EQ(names_of(*made), "by n;");
      EXPECT_EQ(names_of(*w.now(c)), "by n;");
      return goes_on;
    };
    const auto made = w.database->create_index(c->id, by("n"), interrupt);
    EXPECT_EQ(made.has_value(), goes_on);
    EXPECT_EQ(names_of(*w.now(c)), "by n;");
    View view = w.database->view();
    const CollectionPtr now = w.now(c);
    IndexRange range;
    std::size_t entries = 0;
    for (bool more = true; more;) {
      const IndexPage page = must(view.scan_index(*now, now->indexes.front(), range, view.live()));
      entries += page.entries.size();
      more = page.next.has_value();
      if (more) range.from = *page.next;
    }
    EXPECT_EQ(entries, 1'000U);
    must(w.database->drop_index(c->id, "by n"));
  }
}

std::uint64_t failures(Database& database) {
  for (const JobState& job : database.jobs().states()) {
    if (job.name == "requested indexes") return job.failures;
  }
  return 0;
}

TEST(RequestedIndexesTest, OneThatAlwaysFailsIsGivenUpUntilTheDefinitionChanges) {
  World w;
  const auto c = w.collection("c");
  std::string many = "[0";
  for (std::size_t i = 1; i <= limits::entries_per_document_max; ++i)
    many += "," + std::to_string(i);
  must(w.put(c, "d", R"({"n":1,"tags":)" + many + "]}"));
  IndexSpec of_items = by("tags");
  of_items.fields.front().is_each = true;
  const auto run = [&] {
    for (std::size_t i = 0; i < 3 * limits::index_request_tries_max; ++i)
      w.database->jobs().run_due();
  };
  w.database->request_index(*w.now(c), of_items);
  w.database->request_index(*w.now(c), by("n"));
  run();
  EXPECT_EQ(names_of(*w.now(c)), "by n;");
  EXPECT_EQ(failures(*w.database), limits::index_request_tries_max);
  w.database->request_index(*w.now(c), of_items);
  run();
  EXPECT_EQ(failures(*w.database), limits::index_request_tries_max);
  w.change(c, {.facets = {{"definition", "another"}}});
  w.database->request_index(*w.now(c), of_items);
  run();
  EXPECT_EQ(failures(*w.database), 2 * limits::index_request_tries_max);
}

TEST(RequestedIndexesTest, OneIsMadeOnceTheDiskHasSpaceAgain) {
  auto faulty = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& disk = *faulty;
  World w(std::move(faulty));
  const auto c = w.collection("c");
  must(w.put(c, "d", R"({"n":1})"));
  w.database->request_index(*c, by("n"));
  disk.fail_all(store::StoreOperation::commit, Code::no_space);
  for (std::size_t i = 0; i < 3 * limits::index_request_tries_max; ++i)
    w.database->jobs().run_due();
  EXPECT_EQ(names_of(*w.now(c)), "");
  disk.clear();
  w.database->jobs().run_due();
  EXPECT_EQ(names_of(*w.now(c)), "by n;");
}

}  // namespace
}  // namespace mayfly
