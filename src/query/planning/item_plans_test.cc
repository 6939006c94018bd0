// Plans over index fields with an entry for each item, and over fields that sort null last.
#include <gtest/gtest.h>

#include "query/explain.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::all_of;
using expr::any_of;
using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

IndexField items(std::string_view name) {
  return {.field = Field::body(name), .is_each = true};
}
IndexField nulls_last(std::string_view name, bool is_descending = false) {
  return {.field = Field::body(name), .is_descending = is_descending, .null_is_greatest = true};
}

ExprPtr any_item(std::string_view name, Value value) {
  return expr::each(expr::Each::Mode::any, 1, body(name),
                    expr::equal(expr::slot(1), literal(std::move(value))));
}
// An item of the array, or the value itself.
ExprPtr has(std::string_view name, const Value& value) {
  return any_of({any_item(name, value), expr::equal(body(name), literal(value))});
}
// A missing value counts as null.
ExprPtr or_null(std::string_view name) {
  return expr::if_missing(body(name), literal(nullptr));
}

class ItemPlansTest : public ::testing::Test {
 protected:
  void make(std::vector<IndexSpec> specs) {
    c_ = w_.collection("c", {.keep_history_for = Span::infinite()}, std::move(specs));
  }
  void put(const std::string& id, const std::string& json) { must(w_.put(c_, id, json)); }
  QueryPtr all() { return scan(w_.now(c_), Lens::live(w_.database->now())); }
  QueryPtr where(ExprPtr condition) { return filter(all(), std::move(condition)); }
  std::string plan_of(const QueryPtr& query) {
    const View view = w_.database->view();
    return "\n" + render(*must(plan(query, {view.now(), std::nullopt})).root);
  }
  // The rows of the plan. They are checked against pages of two rows and against a count.
  std::string rows(const QueryPtr& query) {
    View view = w_.database->view();
    const std::string all = rows_of(query, view);
    EXPECT_EQ(pages_of(query, view, 2), all);
    const auto counted = must(count(must(plan(query, {view.now(), std::nullopt})), view));
    EXPECT_EQ(counted.rows, all.empty() ? 0U : 1U + std::count(all.begin(), all.end(), ' '));
    return all;
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(ItemPlansTest, AnIndexOfItemsFindsAnArrayByOneOfThem) {
  make({{"by_tag_n", {items("tags"), {Field::body("n")}}}});
  put("a", R"({"tags":["x","y"],"n":3})");
  put("b", R"({"tags":["y","x","y"],"n":1})");
  put("c", R"({"tags":"x","n":2})");
  put("d", R"({"tags":[["x"]],"n":0})");
  EXPECT_EQ(plan_of(where(any_item("tags", "x"))), R"(
index by_tag_n of c: any($1 in .tags: $1 = "x")
  where any($1 in .tags: $1 = "x")
)");
  EXPECT_EQ(rows(where(any_item("tags", "x"))), "b a");
  EXPECT_EQ(rows(where(call("array_contains", {body("tags"), literal("x")}))), "b a");
  EXPECT_EQ(plan_of(sort(where(has("tags", "x")), {{body("n"), true}})), R"(
index by_tag_n of c, backwards: any($1 in .tags: $1 = "x") or .tags = "x"
)");
  EXPECT_EQ(rows(sort(where(has("tags", "x")), {{body("n"), true}})), "a c b");
  EXPECT_EQ(rows(where(has("tags", "y"))), "b a");
  EXPECT_EQ(rows(where(any_item("tags", Array{"x"}))), "d");
  EXPECT_EQ(rows(where(expr::equal(body("tags"), literal("x")))), "c");
}

TEST_F(ItemPlansTest, AWholeArrayIsNotFoundByItsItems) {
  make({{"by_tag", {items("tags")}}});
  put("a", R"({"tags":["x"]})");
  put("b", R"({"tags":[["x"]]})");
  const QueryPtr whole = where(expr::equal(body("tags"), literal(Array{"x"})));
  EXPECT_EQ(plan_of(whole), R"(
scan c
  where .tags = ["x"]
)");
  EXPECT_EQ(rows(whole), "a");
  EXPECT_EQ(rows(where(has("tags", Array{"x"}))), "a b");
  EXPECT_EQ(rows(where(call("is_missing", {body("tags")}))), "");
  EXPECT_EQ(plan_of(sort(all(), {{body("tags")}})), R"(
sort by .tags, then by key
  scan c
)");
}

TEST_F(ItemPlansTest, ADocumentWithSeveralEntriesInTheRangesIsReturnedOnce) {
  make({{"by_n_tag", {{Field::body("n")}, items("tags")}}, {"by_tag", {items("tags")}}});
  put("a", R"({"n":1,"tags":[1,5,9]})");
  put("b", R"({"n":1,"tags":[2,3]})");
  put("c", R"({"n":1,"tags":[]})");
  put("d", R"({"n":2,"tags":[4]})");
  put("e", R"({"n":2,"tags":4})");
  const QueryPtr of_n = where(expr::equal(body("n"), literal(1)));
  EXPECT_EQ(plan_of(of_n), R"(
index by_n_tag of c, each document once: .n = 1
)");
  EXPECT_EQ(rows(of_n), "c a b");
  EXPECT_EQ(rows(sort(of_n, {{expr::metadata("id"), true}})), "c b a");
  EXPECT_EQ(rows(sort(all(), {{body("n"), true}})), "e d a b c");
  const auto any_of_items = [](ExprPtr condition) {
    return expr::each(expr::Each::Mode::any, 1, body("tags"), std::move(condition));
  };
  const QueryPtr in =
      where(any_of_items(call("in", {expr::slot(1), literal(Array{9, 2, 3, 4, 1})})));
  EXPECT_EQ(plan_of(in), R"(
index by_tag of c, each document once: any($1 in .tags: $1 in [9, 2, 3, 4, 1])
  where any($1 in .tags: $1 in [9, 2, 3, 4, 1])
)");
  EXPECT_EQ(rows(in), "a b d");
  const ExprPtr above = any_of_items(expr::greater(expr::slot(1), literal(2)));
  const ExprPtr below = any_of_items(expr::less(expr::slot(1), literal(2)));
  EXPECT_EQ(rows(where(above)), "b d a");
  EXPECT_EQ(rows(where(all_of({above, below}))), "a");
  EXPECT_EQ(rows(where(expr::greater(body("tags"), literal(2)))), "e");
}

TEST_F(ItemPlansTest, ItReadsAsManyEntriesAsItReturnsDocuments) {
  make({{"by_tag", {items("tags")}}});
  constexpr int documents = 400;
  for (int i = 0; i < documents; ++i) {
    const std::string own = std::to_string(i);
    put("d" + own,
        R"({"tags":["all)" + std::to_string(i % 20) + "\"," + own + ",\"x" + own + "\"]}");
  }
  View view = w_.database->view();
  const RowsPage page = must(answer(where(any_item("tags", "all7")), view, {}));
  EXPECT_EQ(page.rows.size(), 20U);
  EXPECT_LE(page.statistics.rows_read, 20U);
  EXPECT_EQ(page.statistics.documents_read, 20U);
  const QueryPtr either = where(has("tags", "all7"));
  const Count counted = must(count(must(plan(either, {view.now(), std::nullopt})), view));
  EXPECT_EQ(counted.rows, 20U);
  EXPECT_LE(counted.statistics.rows_read, 20U);
  EXPECT_EQ(counted.statistics.documents_read, 0U);
}

TEST_F(ItemPlansTest, PagesOfThePastReturnTheRowsOfThen) {
  make({{"by_n_tag", {{Field::body("n")}, items("tags")}}, {"by_tag", {items("tags")}}});
  put("a", R"({"n":1,"tags":["x","y"]})");
  put("b", R"({"n":1,"tags":["y","z"]})");
  put("c", R"({"n":1,"tags":["x"]})");
  const Instant then = w_.database->now();
  w_.clock.set(second(1'010));
  put("a", R"({"n":1,"tags":["z","w"]})");
  put("c", R"({"n":2,"tags":["x"]})");
  must(w_.remove(c_, "b"));
  View view = w_.database->view();
  const Lens lens = must(view.as_of(then, *w_.now(c_)));
  const auto past = [&](ExprPtr condition) {
    const QueryPtr query = filter(scan(w_.now(c_), lens), std::move(condition));
    const RowsPage page = must(answer(query, view, {}));
    EXPECT_NE(page.statistics.index, "");
    EXPECT_EQ(pages_of(query, view, 1), joined(texts_of(page.rows)));
    return joined(texts_of(page.rows));
  };
  EXPECT_EQ(past(any_item("tags", "x")), "a c");
  EXPECT_EQ(past(has("tags", "y")), "a b");
  EXPECT_EQ(past(has("tags", "z")), "b");
  EXPECT_EQ(past(has("tags", "w")), "");
  EXPECT_EQ(past(expr::equal(body("n"), literal(1))), "a c b");
  EXPECT_EQ(rows(where(has("tags", "x"))), "c");
  EXPECT_EQ(rows(where(expr::equal(body("n"), literal(1)))), "a");
}

class NullsLastTest : public ItemPlansTest {
 protected:
  NullsLastTest() {
    make({{"by_g_n", {{Field::body("g")}, nulls_last("n")}}, {"by_n", {nulls_last("n")}}});
    put("a", R"({"g":1,"n":null})");
    put("b", R"({"g":1,"n":2})");
    put("c", R"({"g":1})");
    put("d", R"({"g":1,"n":"x"})");
    put("e", R"({"g":2,"n":9})");
    put("f", R"({"g":1,"n":null})");
  }
  static SortKey by_n(bool is_descending) {
    return {.value = body("n"), .is_descending = is_descending, .null_is_greatest = true};
  }
};

TEST_F(NullsLastTest, AnIndexGivesTheOrderIfBothSortNullAlike) {
  EXPECT_EQ(plan_of(sort(all(), {by_n(false)})), R"(
index by_n of c
)");
  EXPECT_EQ(rows(sort(all(), {by_n(false)})), "b e d a c f");
  EXPECT_EQ(plan_of(sort(all(), {by_n(true)})), R"(
index by_n of c, backwards
)");
  EXPECT_EQ(rows(sort(all(), {by_n(true)})), "f c a d e b");
  EXPECT_EQ(plan_of(sort(all(), {{body("n")}})), R"(
sort by .n, then by key
  scan c
)");
  EXPECT_EQ(rows(sort(all(), {{body("n")}})), "c a f b e d");
  EXPECT_EQ(plan_of(sort(all(), {{.value = body("g"), .null_is_greatest = true}})), R"(
sort by .g with null greatest, then by key
  scan c
)");
  const ExprPtr numbers = expr::greater(body("n"), literal(0));
  EXPECT_EQ(plan_of(sort(where(numbers), {{body("n")}})), R"(
index by_n of c: .n > 0
)");
}

TEST_F(NullsLastTest, ASortInMemoryAndItsPagesPutNullLast) {
  const SortKey by_m{.value = expr::if_missing(body("n"), literal(nullptr)),
                     .null_is_greatest = true};
  SortKey down = by_m;
  down.is_descending = true;
  EXPECT_EQ(rows(sort(all(), {by_m}, Ties::ascending)), "b e d a c f");
  EXPECT_EQ(rows(sort(all(), {down}, Ties::ascending)), "a c f d e b");
  EXPECT_EQ(rows(sort(all(), {{body("g")}, by_n(false)}, Ties::descending)), "b d f c a e");
  EXPECT_EQ(rows(slice(sort(all(), {down}, Ties::descending), 1, 3)), "c a d");
}

TEST_F(NullsLastTest, RangesLeaveNullOutAndEqualityWithItFindsBoth) {
  const ExprPtr in_g = expr::equal(body("g"), literal(1));
  EXPECT_EQ(rows(where(expr::greater(body("n"), literal(0)))), "b e");
  EXPECT_EQ(rows(where(call("greater_or_equal", {body("n"), literal("a")}))), "d");
  EXPECT_EQ(rows(where(call("greater_or_equal", {body("n"), literal(nullptr)}))), "a f");
  EXPECT_EQ(plan_of(where(expr::equal(or_null("n"), literal(nullptr)))), R"(
index by_n of c: (.n ?? null) = null
)");
  EXPECT_EQ(rows(where(expr::equal(or_null("n"), literal(nullptr)))), "a c f");
  EXPECT_EQ(plan_of(where(expr::equal(body("n"), literal(nullptr)))), R"(
index by_n of c: .n = null
  where .n = null
)");
  EXPECT_EQ(rows(where(expr::equal(body("n"), literal(nullptr)))), "a f");
  EXPECT_EQ(rows(where(call("is_missing", {body("n")}))), "c");
  EXPECT_EQ(rows(where(call("in", {or_null("n"), literal(Array{9, nullptr})}))), "e a c f");
  EXPECT_EQ(rows(sort(where(all_of({in_g, expr::equal(or_null("n"), literal(nullptr))})),
                      {by_n(false), {expr::metadata("id"), true}})),
            "f c a");
  EXPECT_EQ(plan_of(sort(where(all_of({in_g, expr::equal(or_null("n"), literal(nullptr))})),
                         {{body("n")}})),
            R"(
sort by .n, then by key
  index by_g_n of c: .g = 1 and (.n ?? null) = null
)");
}

TEST_F(NullsLastTest, AnIndexThatDistinguishesNullAndMissingServesTheSameConditions) {
  c_ = w_.collection("other", {}, {{"by_n", {{Field::body("n")}}}});
  put("a", R"({"n":null})");
  put("b", R"({"n":2})");
  put("c", "{}");
  EXPECT_EQ(plan_of(where(expr::equal(or_null("n"), literal(nullptr)))), R"(
index by_n of other: (.n ?? null) = null
)");
  EXPECT_EQ(rows(where(expr::equal(or_null("n"), literal(nullptr)))), "c a");
  EXPECT_EQ(rows(where(expr::equal(or_null("n"), literal(2)))), "b");
}

TEST_F(ItemPlansTest, AnIndexOfIdsAsNumbersGivesTheirOrder) {
  make({{"by_number", {{Field::metadata("id_number")}}}});
  for (const char* id : {"10", "9", "a", "100"}) put(id, "{}");
  const SortKey by{.value = expr::metadata("id_number"), .null_is_greatest = true};
  EXPECT_EQ(plan_of(sort(all(), {by})), R"(
index by_number of c
)");
  EXPECT_EQ(rows(sort(all(), {by})), "9 10 100 a");
  EXPECT_EQ(rows(where(expr::greater(expr::metadata("id_number"), literal(9)))), "10 100");
}

}  // namespace
}  // namespace mayfly::query
