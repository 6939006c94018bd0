// Plans as text: each case is a query and the text of its plan.
#include "query/planning/planner.h"

#include <gtest/gtest.h>

#include "expr/render.h"
#include "query/explain.h"

namespace mayfly::query {
namespace {

using expr::all_of;
using expr::any_of;
using expr::body;
using expr::call;
using expr::literal;
using expr::metadata;

constexpr Instant now{1'000'000};

Index index(IndexId id, std::string name, std::vector<IndexField> fields) {
  return {.id = id,
          .name = std::move(name),
          .fields = std::move(fields),
          .is_ready = true,
          .past_since = Instant{5}};
}

IndexField up(std::string_view name) {
  return {Field::body(name), false};
}
IndexField down(std::string_view name) {
  return {Field::body(name), true};
}

CollectionPtr products() {
  Collection c;
  c.id = 7;
  c.name = "products";
  c.indexes = {index(1, "by_price", {up("price")}),
               index(2, "by_status_price", {up("status"), up("price")}),
               index(3, "by_rank", {down("rank")}),
               index(4, "by_shop_rank", {up("shop"), down("rank"), up("name")}),
               index(5, "by_death", {{Field::metadata("expires_at"), false}}),
               index(6, "by_name", {up("name")})};
  c.indexes.back().is_ready = false;
  c.indexes.push_back(index(8, "by_creation", {{Field::metadata("created_at"), false}}));
  return std::make_shared<const Collection>(std::move(c));
}

QueryPtr all() {
  return scan(products(), Lens::live(now));
}
QueryPtr where(ExprPtr condition) {
  return filter(all(), std::move(condition));
}
ExprPtr is(std::string_view name, Value value) {
  return expr::equal(body(name), literal(std::move(value)));
}
ExprPtr above(std::string_view name, Value value) {
  return expr::greater(body(name), literal(std::move(value)));
}
ExprPtr below(std::string_view name, Value value) {
  return expr::less(body(name), literal(std::move(value)));
}
SortKey by(std::string_view name) {
  return {body(name), false};
}
SortKey by_descending(std::string_view name) {
  return {body(name), true};
}

std::string plan_of(const QueryPtr& query) {
  const Result<Plan> made = plan(query, {now, std::nullopt});
  return made ? "\n" + render(*made->root) : made.error().message;
}

std::string explained(const QueryPtr& query) {
  const Result<Plan> made = plan(query, {now, std::nullopt});
  return made ? "\n" + explain(*made) : made.error().message;
}

TEST(PlannerTest, AFilterWithoutAnIndexIsEvaluatedOnEveryDocument) {
  EXPECT_EQ(plan_of(all()), R"(
scan products
)");
  EXPECT_EQ(plan_of(where(is("colour", "red"))), R"(
scan products
  where .colour = "red"
)");
  EXPECT_EQ(explained(where(is("name", "x"))), R"(
scan products
  where .name = "x"
  because no index serves the filter; index by_name is still being filled
)");
}

TEST(PlannerTest, IdsBecomePoints) {
  EXPECT_EQ(plan_of(where(all_of({expr::equal(metadata("id"), literal("a")), is("x", 1)}))), R"(
point products: "a"
  where .x = 1
)");
  const ExprPtr some = call("in", {metadata("id"), literal(Array{"b", 3, "a", "b", "c", "d"})});
  EXPECT_EQ(plan_of(where(some)), R"(
point products: "a", "b", "c", … (4 in all)
)");
  EXPECT_EQ(plan_of(where(any_of({expr::equal(metadata("id"), literal("b")),
                                  expr::equal(metadata("id"), literal("a"))}))),
            R"(
point products: "a", "b"
)");
}

TEST(PlannerTest, AnIdIsNoPointAmongDocumentsOfAllRoutings) {
  const QueryPtr every = scan(products(), Lens::live(now), std::nullopt);
  EXPECT_EQ(plan_of(filter(every, expr::equal(metadata("id"), literal("a")))), R"(
scan products of all routings
  where @id = "a"
)");
  const QueryPtr one = scan(products(), Lens::live(now), "berlin");
  EXPECT_EQ(plan_of(filter(one, expr::equal(metadata("id"), literal("a")))), R"(
point products: "a"
)");
}

TEST(PlannerTest, RangesAndTheOrderOfIdsAreThoseOfKeys) {
  EXPECT_EQ(
      plan_of(sort(where(expr::greater(metadata("id"), literal("m"))), {{metadata("id"), true}})),
      R"(
scan products, backwards: @id > "m"
)");
  EXPECT_EQ(plan_of(sort(all(), {{metadata("id"), false}, by("x")})), R"(
scan products
)");
}

TEST(PlannerTest, AnIndexServesEqualityAndRanges) {
  EXPECT_EQ(plan_of(where(above("price", 3))), R"(
index by_price of products: .price > 3
)");
  EXPECT_EQ(plan_of(where(all_of({above("price", 3), below("price", 9), is("x", 1)}))), R"(
index by_price of products: .price > 3 and .price < 9
  where .x = 1
)");
  EXPECT_EQ(plan_of(where(all_of({below("price", 9), is("status", "open")}))), R"(
index by_status_price of products: .status = "open" and .price < 9
)");
  EXPECT_EQ(plan_of(where(call("in", {body("status"), literal(Array{"a", "b"})}))), R"(
index by_status_price of products: .status in ["a", "b"]
)");
  EXPECT_EQ(plan_of(where(call("is_missing", {body("price")}))), R"(
index by_price of products: is_missing(.price)
)");
  EXPECT_EQ(plan_of(where(call("starts_with", {body("status"), literal("op")}))), R"(
index by_status_price of products: starts_with(.status, "op")
)");
  EXPECT_EQ(plan_of(where(expr::less(literal(3), body("price")))), R"(
index by_price of products: .price > 3
)");
}

TEST(PlannerTest, AnIndexServesOnlyWhatItDecidesExactly) {
  // Each line is a filter that no index may serve.
  const ExprPtr cases[] = {
      call("not_equal", {body("price"), literal(3)}),
      expr::negation(above("price", 3)),
      any_of({above("price", 3), is("x", 1)}),
      above("price", Array{1}),
      above("price", std::numeric_limits<double>::quiet_NaN()),
      is("price", std::string(limits::indexed_bytes_max + 1, 'x')),
      call("contains", {body("status"), literal("a")}),
      expr::equal(body("price"), body("rank")),
      all_of({above("price", 3), expr::must(body("x"), "x is needed")}),
      expr::greater(metadata("expires_at"), literal(Instant{5})),
      expr::equal(call("lower", {body("status")}), literal("a")),
  };
  for (const ExprPtr& condition : cases) {
    const std::string text = plan_of(where(condition));
    EXPECT_TRUE(text.starts_with("\nscan products\n  where ")) << text;
  }
}

TEST(PlannerTest, TwoValuedConditionsUnderAFilterUseAnIndex) {
  EXPECT_EQ(plan_of(where(expr::if_missing(above("price", 3), literal(false)))), R"(
index by_price of products: .price > 3
)");
  const ExprPtr negated = expr::negation(expr::if_missing(above("price", 3), literal(false)));
  EXPECT_EQ(plan_of(where(negated)), R"(
scan products
  where not ((.price > 3) ?? false)
)");
}

TEST(PlannerTest, AnIndexIsUsedAsOfInstantsThatItReachesBackTo) {
  const QueryPtr before = scan(products(), Lens::as_of(Instant{4}));
  EXPECT_EQ(explained(filter(before, above("price", 3))), R"(
history products
  where .price > 3
  because no index serves the filter; index by_price is complete only from 1970-01-01T00:00:00.000005Z on
)");
  for (const Lens& lens : {Lens::as_of(Instant{5}), Lens::page(Instant{5}, now)}) {
    EXPECT_EQ(plan_of(filter(scan(products(), lens), above("price", 3))), R"(
index by_price of products: .price > 3
)");
  }
}

TEST(PlannerTest, ALensOnTheTrashUsesNoIndex) {
  const QueryPtr trash = scan(products(), Lens::trash(now));
  EXPECT_EQ(plan_of(filter(trash, above("price", 3))), R"(
trash products
  where .price > 3
)");
  const QueryPtr past = scan(products(), Lens::as_of(Instant{5}));
  EXPECT_EQ(plan_of(filter(past, expr::equal(metadata("id"), literal("a")))), R"(
point products: "a"
)");
}

TEST(PlannerTest, AnIndexGivesAnOrder) {
  EXPECT_EQ(plan_of(sort(all(), {by("price")})), R"(
index by_price of products
)");
  EXPECT_EQ(plan_of(sort(all(), {by_descending("price")})), R"(
index by_price of products, backwards
)");
  EXPECT_EQ(plan_of(sort(where(is("status", "open")), {by_descending("price")})), R"(
index by_status_price of products, backwards: .status = "open"
)");
  EXPECT_EQ(plan_of(sort(where(is("status", "open")), {by("status"), by("price")})), R"(
index by_status_price of products: .status = "open"
)");
  EXPECT_EQ(plan_of(sort(all(), {by("shop"), by_descending("rank")})), R"(
index by_shop_rank of products
)");
  EXPECT_EQ(plan_of(sort(all(), {by_descending("shop"), by("rank")})), R"(
index by_shop_rank of products, backwards
)");
  EXPECT_EQ(plan_of(sort(all(), {{metadata("created_at"), true}})), R"(
index by_creation of products, backwards
)");
}

TEST(PlannerTest, WithoutAnIndexRowsAreSorted) {
  EXPECT_EQ(plan_of(sort(all(), {by("shop"), by("rank")})), R"(
sort by .shop, .rank, then by key
  scan products
)");
  EXPECT_EQ(plan_of(sort(all(), {by_descending("colour")})), R"(
sort by .colour descending, then by key descending
  scan products
)");
  EXPECT_EQ(plan_of(sort(where(is("status", "open")), {by("colour")})), R"(
sort by .colour, then by key
  index by_status_price of products: .status = "open"
)");
}

TEST(PlannerTest, ARequestedOrderOfTiesIsKept) {
  EXPECT_EQ(plan_of(sort(all(), {by_descending("rank")}, Ties::ascending)), R"(
index by_rank of products
)");
  EXPECT_EQ(plan_of(sort(all(), {by_descending("rank")}, Ties::descending)), R"(
sort by .rank descending, then by key descending
  scan products
)");
  EXPECT_EQ(plan_of(sort(all(), {by("status")}, Ties::ascending)), R"(
sort by .status, then by key
  scan products
)");
  EXPECT_EQ(plan_of(sort(all(), {by("price"), {metadata("id"), false}}, Ties::descending)), R"(
index by_price of products
)");
}

TEST(PlannerTest, ALimitBoundsTheSortBelowIt) {
  EXPECT_EQ(plan_of(slice(
                project(sort(all(), {by("colour")}), call("object", {literal("n"), body("name")})),
                5, 10)),
            R"(
skip 5, take 10
  project object("n", .name)
    top 15 by .colour, then by key
      scan products
)");
  // A projection that may drop rows needs more rows than the slice returns.
  EXPECT_EQ(plan_of(slice(project(sort(all(), {by("colour")}), body("name")), 0, 10)), R"(
take 10
  project .name
    sort by .colour, then by key
      scan products
)");
}

TEST(PlannerTest, FiltersMoveDownToTheIndex) {
  const ExprPtr item_is = expr::equal(expr::slot(1), literal("x"));
  EXPECT_EQ(plan_of(filter(unnest(all(), 1, body("tags")), all_of({item_is, above("price", 3)}))),
            R"(
filter $1 = "x"
  unnest $1 in .tags
    index by_price of products: .price > 3
)");
  EXPECT_EQ(plan_of(filter(sort(all(), {by("colour")}), above("price", 3))), R"(
sort by .colour, then by key
  index by_price of products: .price > 3
)");
  EXPECT_EQ(plan_of(filter(concat({all(), where(is("status", "open"))}), above("price", 3))), R"(
concat
  index by_price of products: .price > 3
  index by_status_price of products: .status = "open" and .price > 3
)");
  EXPECT_EQ(plan_of(filter(slice(all(), 0, 3), above("price", 3))), R"(
filter .price > 3
  take 3
    scan products
)");
  EXPECT_EQ(plan_of(filter(where(expr::must(body("x"), "no x")), above("price", 3))), R"(
filter .price > 3
  scan products
    where must(.x, "no x")
)");
}

TEST(PlannerTest, ConstantExpressionsAreFolded) {
  EXPECT_EQ(plan_of(where(all_of({literal(true), is("x", 1)}))), R"(
scan products
  where .x = 1
)");
  EXPECT_EQ(plan_of(where(literal(true))), R"(
scan products
)");
  EXPECT_EQ(plan_of(where(all_of({is("x", 1), expr::equal(literal(1), literal(2))}))), R"(
values
)");
  EXPECT_EQ(plan_of(where(is("x", Value()))), R"(
values
)");
}

TEST(PlannerTest, GroupsAndDistinctStandOverTheirInput) {
  const Aggregate* sum = find_aggregate("sum");
  EXPECT_EQ(plan_of(group(where(above("price", 3)), {{"shop", body("shop")}},
                          {{"total", sum, body("price")}})),
            R"(
group by shop: .shop into total: sum(.price)
  index by_price of products: .price > 3
)");
  EXPECT_EQ(plan_of(distinct(project(all(), body("shop")))), R"(
distinct
  project .shop
    scan products
)");
}

TEST(PlannerTest, ALaterPageUsesTheSortOrIndexOfTheFirst) {
  const QueryPtr query = sort(where(is("status", "open")), {by("price")});
  const auto with = [&](PlanChoice keep) {
    const Result<Plan> made = plan(query, {now, keep});
    return "\n" + render(*made->root);
  };
  EXPECT_EQ(with({0, Ties::any}), R"(
sort by .price, then by key
  scan products
    where .status = "open"
)");
  EXPECT_EQ(with({0, Ties::descending}), R"(
sort by .price, then by key descending
  index by_status_price of products: .status = "open"
)");
  EXPECT_EQ(with({0, Ties::ascending}), R"(
runs, sort by .price, then by key
  index by_status_price of products: .status = "open"
)");
  EXPECT_EQ(with({1, Ties::any}), R"(
index by_price of products
  where .status = "open"
)");
}

TEST(PlannerTest, ExplainSaysWhy) {
  EXPECT_EQ(explained(slice(sort(where(all_of({is("status", "open"), is("x", 1)})), {by("price")}),
                            0, 3)),
            R"(
take 3
  index by_status_price of products: .status = "open"
    where .x = 1
    because it serves .status = "open" and gives the order
)");
}

TEST(PlannerTest, BrokenQueriesAreRefused) {
  EXPECT_EQ(plan_of(where(expr::equal(expr::slot(2), literal(1)))),
            "The query reads slot 2, which nothing binds there.");
  EXPECT_EQ(plan_of(unnest(unnest(all(), 1, body("a")), 1, body("b"))),
            "The query binds a slot twice.");
  ExprPtr deep = body("a");
  for (std::size_t i = 0; i < limits::filter_depth_max; ++i) deep = expr::negation(deep);
  EXPECT_EQ(plan(where(deep), {now, std::nullopt}).error().code, Code::too_large);
  const QueryPtr wide = sort(all(), std::vector<SortKey>(limits::sort_keys_max + 1, by("a")));
  EXPECT_EQ(plan(wide, {now, std::nullopt}).error().code, Code::too_large);
}

TEST(PlannerTest, AFingerprintDependsOnTheQueryAndNotOnInstants) {
  EXPECT_EQ(fingerprint(*all()), fingerprint(*scan(products(), Lens::live(Instant{99}))));
  EXPECT_NE(fingerprint(*all()), fingerprint(*where(is("x", 1))));
  EXPECT_NE(fingerprint(*all()), fingerprint(*scan(products(), Lens::trash(now))));
  EXPECT_NE(fingerprint(*all()), fingerprint(*scan(products(), Lens::live(now), "a")));
}

}  // namespace
}  // namespace mayfly::query
