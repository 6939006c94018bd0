// Sorts over an index that gives the order run by run, or over keys that give it.
#include <gtest/gtest.h>

#include "query/explain.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::literal;
using expr::metadata;
using mayfly::testing::must;
using mayfly::testing::World;

class SortedRunsTest : public ::testing::Test {
 protected:
  void make(std::vector<std::vector<IndexField>> indexes) {
    std::vector<IndexSpec> specs;
    for (std::vector<IndexField>& fields : indexes) {
      specs.push_back({.name = "i" + std::to_string(specs.size()),
                       .fields = std::move(fields),
                       .entries = Entries::cut});
    }
    c = w.collection("c", {}, specs);
  }
  void put(const std::string& id, const std::string& json, const std::string& routing = "") {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      TRY(t.put(w.now(c), {routing, id}, TRY(pack_json(json)), {}));
      return {};
    }));
  }
  QueryPtr all(std::optional<Bytes> routing = Bytes()) {
    return scan(w.now(c), Lens::live(w.database->now()), std::move(routing));
  }
  // The rows of pages of one row each.
  std::string pages(const QueryPtr& query) {
    View view = w.database->view();
    return pages_of(query, view, 1);
  }
  std::string plan_of(const QueryPtr& query, std::optional<PlanChoice> keep = {}) {
    return "\n" + render(*must(plan(query, {w.database->now(), keep})).root);
  }

  World w;
  CollectionPtr c;
};

QueryPtr each_value(QueryPtr input, ExprPtr value) {
  return distinct(project(std::move(input), std::move(value)));
}

TEST_F(SortedRunsTest, KeysThatGiveTheOrderAreReadInOrder) {
  make({});
  for (const char* id : {"b", "a", "c"}) put(id, "{}", "p");
  put("d", "{}", "q");
  for (const bool goes_down : {false, true}) {
    const auto by_id = [&] { return sort(all(Bytes("p")), {{metadata("id"), goes_down}}); };
    const std::string ids = goes_down ? R"(c:"c" b:"b" a:"a")" : R"(a:"a" b:"b" c:"c")";
    EXPECT_EQ(pages(each_value(by_id(), metadata("id"))), ids);
    const PlanChoice sorted{0, Ties::ascending};
    View view = w.database->view();
    const Plan kept = must(plan(by_id(), {view.now(), sorted}));
    EXPECT_TRUE(kept.root->as<PlannedSort>()->sorts_runs);
    const RowsPage first = must(run(kept, view, {.rows_max = 2}));
    const RowsPage second = must(run(kept, view, {.rows_max = 2, .bookmark = first.next}));
    EXPECT_EQ(joined(texts_of(first.rows)) + " " + joined(texts_of(second.rows)),
              goes_down ? "c b a" : "a b c");
  }
}

// A query may also sort by a fixed field, after the field whose values it returns once.
TEST_F(SortedRunsTest, ADistinctSkipsRepetitionsOnlyWithinItsRange) {
  make({{{Field::body("a")}, {Field::body("b")}, {Field::metadata("created_at")}}});
  for (int i = 0; i < 200; ++i) {
    put("d" + std::to_string(i),
        R"({"a":)" + std::to_string(i % 2) + R"(,"b":)" + std::to_string(i / 40) + "}");
  }
  for (const bool goes_down : {false, true}) {
    const auto query = [&] {
      const QueryPtr some = filter(all(), expr::equal(body("a"), literal(1)));
      const std::vector<SortKey> keys{
          {body("b"), goes_down}, {body("a"), goes_down}, {metadata("created_at"), goes_down}};
      const Ties ties = goes_down ? Ties::descending : Ties::ascending;
      return each_value(sort(some, keys, ties), body("b"));
    };
    std::string values;
    View view = w.database->view();
    const RowsPage page = must(answer(query(), view, {.rows_max = 100}));
    EXPECT_EQ(page.statistics.index, "i0");
    EXPECT_LT(page.statistics.documents_read, 100U);
    for (const QueryRow& row : page.rows) values += render_literal(*row.value);
    EXPECT_EQ(values, goes_down ? "43210" : "01234");
  }
}

TEST_F(SortedRunsTest, OpenTiesDoNotFollowALongerIndex) {
  make({{{Field::body("n")}, {Field::metadata("created_at")}}});
  for (const char* id : {"z", "a", "m"}) put(id, R"({"n":1})");
  EXPECT_EQ(pages(sort(all(), {{body("n")}})), "a m z");
  EXPECT_EQ(plan_of(sort(all(), {{body("n")}})), R"(
sort by .n, then by key
  scan c
)");
}

TEST_F(SortedRunsTest, AnExistenceConditionLeavesAFilterItsIndex) {
  make({{{Field::body("n")}, {Field::metadata("created_at")}},
        {{Field::body("s")}, {Field::metadata("created_at")}}});
  for (int i = 0; i < 100; ++i) {
    put("d" + std::to_string(i), R"({"n":1,"s":)" + std::to_string(i) + "}");
  }
  const ExprPtr is_there = expr::call("exists", {body("n")});
  const ExprPtr is_rare = expr::equal(body("s"), literal(7));
  const auto query = sort(filter(all(), expr::all_of({is_there, is_rare})),
                          {{body("n")}, {metadata("created_at")}}, Ties::ascending);
  View view = w.database->view();
  EXPECT_EQ(must(answer(query, view, {})).statistics.documents_read, 1U);
}

// An index holds the documents of all partitions.
TEST_F(SortedRunsTest, APartitionIsNotReadByAnIndexThatOnlyGivesTheOrder) {
  make({{{Field::body("n")}, {Field::metadata("created_at")}}});
  for (int i = 0; i < 2'000; ++i) put("d" + std::to_string(i), R"({"n":1})", "p");
  const auto query =
      sort(all(Bytes("p")), {{body("n")}, {metadata("created_at")}}, Ties::ascending);
  EXPECT_EQ(plan_of(query), R"(
sort by .n, @created_at, then by key
  scan c of routing "p"
)");
}

}  // namespace
}  // namespace mayfly::query
