// Plans over indexes of computed values.
#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::World;

ExprPtr lower_name() {
  return call("lower", {body("name")});
}

class ComputedPlansTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const IndexField lower{.null_is_greatest = true,
                           .computed = must(StoredExpression::of(lower_name()))};
    c_ = w_.collection("c", {}, {{"by_lower", {lower, {Field::body("n")}}}});
    const char* names[] = {R"("B")", R"("a")", R"("b")", "7", "null", R"("C")"};
    for (int i = 0; i < 6; ++i) {
      must(w_.put(c_, std::to_string(i),
                  R"({"n":)" + std::to_string(9 - i) + R"(,"name":)" + names[i] + "}"));
    }
  }
  QueryPtr all() { return scan(w_.now(c_), Lens::live(w_.database->now())); }
  std::string plan_of(const QueryPtr& query) {
    const View view = w_.database->view();
    return "\n" + render(*must(plan(query, {view.now(), std::nullopt})).root);
  }
  std::string rows(const QueryPtr& query) {
    View view = w_.database->view();
    const std::string all = rows_of(query, view);
    EXPECT_EQ(pages_of(query, view, 2), all);
    return all;
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(ComputedPlansTest, AConditionOnTheExpressionIsServed) {
  const QueryPtr equal = filter(all(), expr::equal(lower_name(), literal("b")));
  EXPECT_EQ(plan_of(equal), R"(
index by_lower of c: lower(.name) = "b"
)");
  EXPECT_EQ(rows(equal), "2 0");
  const QueryPtr range = filter(all(), expr::greater(lower_name(), literal("a")));
  EXPECT_EQ(plan_of(range), R"(
index by_lower of c: lower(.name) > "a"
)");
  EXPECT_EQ(rows(range), "2 0 5");
  const QueryPtr none = filter(
      all(), expr::equal(expr::if_missing(lower_name(), literal(nullptr)), literal(nullptr)));
  EXPECT_EQ(plan_of(none), R"(
index by_lower of c: (lower(.name) ?? null) = null
)");
  EXPECT_EQ(rows(none), "4 3");
}

TEST_F(ComputedPlansTest, AnOrderByTheExpressionIsServed) {
  const std::vector<SortKey> keys{{lower_name(), true, true}};
  const QueryPtr sorted = sort(all(), keys);
  EXPECT_EQ(plan_of(sorted), R"(
index by_lower of c, backwards
)");
  EXPECT_EQ(rows(sorted), "3 4 5 0 2 1");
  const QueryPtr within =
      sort(filter(all(), expr::equal(lower_name(), literal("b"))), {{body("n"), true}});
  EXPECT_EQ(plan_of(within), R"(
index by_lower of c, backwards: lower(.name) = "b"
)");
  EXPECT_EQ(rows(within), "0 2");
}

TEST_F(ComputedPlansTest, NothingElseIsServed) {
  for (const ExprPtr& condition :
       {expr::equal(call("upper", {body("name")}), literal("B")),
        expr::equal(call("lower", {body("other")}), literal("b")),
        expr::equal(body("name"), literal("B")), expr::equal(expr::slot(0), literal("b"))}) {
    EXPECT_EQ(plan_of(filter(all(), condition)).find("index"), std::string::npos)
        << mayfly::render(*condition);
  }
  EXPECT_EQ(rows(filter(all(), expr::equal(call("upper", {body("name")}), literal("B")))), "0 2");
  EXPECT_EQ(plan_of(sort(all(), {{body("name")}})).find("index"), std::string::npos);
}

}  // namespace
}  // namespace mayfly::query
