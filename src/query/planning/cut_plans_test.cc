// Plans over indexes of truncated values, and when they are used.
#include <gtest/gtest.h>

#include "query/explain.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::World;

constexpr Instant cut_now{1'000'000};

Index cut(IndexId id, std::string name, std::vector<IndexField> fields) {
  fields.push_back({Field::metadata("created_at")});
  return {.id = id,
          .name = std::move(name),
          .fields = std::move(fields),
          .entries = Entries::cut,
          .is_ready = true};
}

CollectionPtr cut_products() {
  Collection c;
  c.id = 7;
  c.name = "products";
  c.indexes = {{.id = 1,
                .name = "by creation",
                .fields = {{Field::metadata("created_at")}},
                .is_ready = true},
               cut(2, "by n", {{Field::body("n")}}),
               cut(3, "by k, n", {{Field::body("k")}, {Field::body("n"), true}})};
  return std::make_shared<const Collection>(std::move(c));
}

ExprPtr cut_is(std::string_view name, Value value) {
  return expr::equal(body(name), literal(std::move(value)));
}
ExprPtr cut_above(std::string_view name, Value value) {
  return expr::greater(body(name), literal(std::move(value)));
}
QueryPtr cut_where(ExprPtr condition, std::optional<Bytes> routing = std::nullopt) {
  return filter(scan(cut_products(), Lens::live(cut_now), std::move(routing)),
                std::move(condition));
}
QueryPtr by_creation(QueryPtr query) {
  return sort(std::move(query), {{expr::metadata("created_at")}}, Ties::ascending);
}
std::string cut_plan_of(const QueryPtr& query, Guesses guesses = Guesses::none) {
  const Result<Plan> made = plan(query, {cut_now, std::nullopt, guesses});
  return made ? "\n" + render(*made->root) : made.error().message;
}

TEST(CutPlansTest, EqualityGivesTheOrderOfCreation) {
  EXPECT_EQ(cut_plan_of(by_creation(cut_where(cut_is("n", 3)))), R"(
index by n of products of all routings: .n = 3
)");
  EXPECT_EQ(cut_plan_of(by_creation(cut_where(expr::all_of({cut_is("n", 3), cut_is("k", "x")})))),
            R"(
index by k, n of products of all routings: .k = "x" and .n = 3
)");
  EXPECT_EQ(cut_plan_of(by_creation(cut_where(cut_is("n", 3), "p"))), R"(
index by n of products of routing "p": .n = 3
)");
}

TEST(CutPlansTest, ConditionsThatTheIndexCannotDecideAreCheckedAgain) {
  const std::string text(2'000, 'x');
  for (const Value& value : {Value(text), Value(Array{1}), Value(Object())}) {
    const std::string text = render_literal(value);
    EXPECT_EQ(
        cut_plan_of(cut_where(cut_is("n", value))),
        "\nindex by n of products of all routings: .n = " + text + "\n  where .n = " + text + "\n");
  }
  EXPECT_EQ(cut_plan_of(cut_where(
                expr::all_of({cut_above("n", "a"), expr::less(body("n"), literal(text))}))),
            "\nindex by n of products of all routings: .n > \"a\" and .n < \"" + text +
                "\"\n  where .n < \"" + text + "\"\n");
}

TEST(CutPlansTest, AnOrderThatIsNotExactIsGivenInRuns) {
  const auto by_n = [](QueryPtr query) {
    return sort(std::move(query), {{body("n")}, {expr::metadata("created_at")}}, Ties::ascending);
  };
  EXPECT_EQ(cut_plan_of(by_n(cut_where(cut_above("n", 3)))), R"(
index by n of products of all routings: .n > 3
)");
  EXPECT_EQ(cut_plan_of(by_n(cut_where(call("in", {body("n"), literal(Array{"a", "b"})})))), R"(
index by n of products of all routings: .n in ["a", "b"]
)");
  EXPECT_EQ(cut_plan_of(by_n(cut_where(cut_above("n", "a")))), R"(
runs, sort by .n, @created_at, then by key
  index by n of products of all routings: .n > "a"
)");
  EXPECT_EQ(cut_plan_of(by_n(scan(cut_products(), Lens::live(cut_now), std::nullopt))), R"(
runs, sort by .n, @created_at, then by key
  index by n of products of all routings
)");
}

TEST(CutPlansTest, ARangeThatNeedsASortIsAGuess) {
  const QueryPtr query = by_creation(cut_where(cut_above("n", 3)));
  EXPECT_EQ(cut_plan_of(query), R"(
index by creation of products of all routings
  where .n > 3
)");
  EXPECT_EQ(cut_plan_of(query, Guesses::all), R"(
sort by @created_at, then by key
  index by n of products of all routings: .n > 3
)");
}

TEST(CutPlansTest, LeavingThePartitionIsAGuess) {
  const QueryPtr query = cut_where(cut_is("n", 3), "p");
  EXPECT_EQ(cut_plan_of(query), R"(
scan products of routing "p"
  where .n = 3
)");
  EXPECT_EQ(cut_plan_of(query, Guesses::all), R"(
index by n of products of routing "p": .n = 3
)");
  EXPECT_EQ(cut_plan_of(query, Guesses::partitions), cut_plan_of(query));
}

TEST(CutPlansTest, AnIndexOfAllPartitionsIsNotReadForASmallPartition) {
  const QueryPtr query = by_creation(cut_where(cut_is("x", 3), "p"));
  EXPECT_EQ(cut_plan_of(query), R"(
index by creation of products of routing "p"
  where .x = 3
)");
  for (const Guesses guesses : {Guesses::partitions, Guesses::all}) {
    EXPECT_EQ(cut_plan_of(query, guesses), R"(
sort by @created_at, then by key
  scan products of routing "p"
    where .x = 3
)");
  }
}

TEST(CutPlansTest, ASmallPartitionIsReadWhole) {
  World w;
  const auto c = w.collection("c", {}, {{"by creation", {{Field::metadata("created_at")}}}});
  const auto put = [&](const Bytes& routing, std::size_t count) {
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      for (std::size_t i = 0; i < count; ++i) {
        TRY(t.put(w.now(c), {routing, "d" + std::to_string(i)}, TRY(pack_json("{}")), {}));
      }
      return {};
    }));
  };
  put("small", 100);
  put("large", 4 * limits::store_page_rows_max + 1);
  View view = w.database->view();
  const auto plan_for = [&](const Bytes& routing) {
    const QueryPtr all = by_creation(scan(w.now(c), view.live(), routing));
    return "\n" + explain(must(plan_on(all, view)));
  };
  EXPECT_EQ(plan_for("small"), R"(
sort by @created_at, then by key
  scan c of routing "small"
    because few documents lie in the partition
)");
  EXPECT_EQ(plan_for("large"), R"(
index by creation of c of routing "large"
  because it gives the order
)");
}

TEST(CutPlansTest, AGuessIsUsedIfItHasFewEntries) {
  World w;
  const auto c = w.collection("c", {},
                              {{"by creation", {{Field::metadata("created_at")}}},
                               {"by n", {{Field::body("n")}}, Uniqueness::none, Entries::cut}});
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = 0; i <= limits::guessed_entries_max; ++i) {
      const std::string n = std::to_string(i);
      TRY(t.put(w.now(c), DocumentKey::of("d" + n), TRY(pack_json(R"({"n":)" + n + "}")), {}));
    }
    return {};
  }));
  View view = w.database->view();
  const auto plan_from = [&](std::int64_t n) {
    const QueryPtr all = scan(w.now(c), view.live());
    return "\n" + explain(must(plan_on(by_creation(filter(all, cut_above("n", n))), view)));
  };
  EXPECT_EQ(plan_from(0), R"(
sort by @created_at, then by key
  index by n of c: .n > 0
    because it serves .n > 0, and few entries are to be read
)");
  EXPECT_EQ(plan_from(-1), R"(
index by creation of c
  where .n > -1
  because it gives the order
)");
}

}  // namespace
}  // namespace mayfly::query
