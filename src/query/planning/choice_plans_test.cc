// Plans for an Or: an index serves it by several ranges, if each operand excludes some entries.
#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::World;

ExprPtr nothing_at(std::string_view name) {
  return expr::equal(expr::if_missing(body(name), literal(nullptr)), literal(nullptr));
}

class ChoicePlansTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto field = [](std::string_view name, bool is_descending) {
      return IndexField{
          .field = Field::body(name), .is_descending = is_descending, .null_is_greatest = true};
    };
    c_ = w_.collection(
        "c", {},
        {{"by_n_m", {field("n", false), field("m", false)}}, {"by_down", {field("down", true)}}});
    const char* documents[] = {R"({"n":1,"m":5,"down":1})", R"({"n":2,"m":1,"down":2})",
                               R"({"n":2,"m":3,"down":3})", R"({"n":3,"m":0,"down":4})",
                               R"({"n":null,"m":2})",       R"({"m":4,"down":null})",
                               R"({"n":"text","m":9})"};
    for (int i = 0; i < 7; ++i) must(w_.put(c_, std::to_string(i), documents[i]));
  }
  QueryPtr where(ExprPtr condition) {
    return filter(scan(w_.now(c_), Lens::live(w_.database->now())), std::move(condition));
  }
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

TEST_F(ChoicePlansTest, ARangeOrNothingIsServedInTheOrderOfTheIndex) {
  const ExprPtr beyond =
      expr::any_of({call("greater_or_equal", {body("n"), literal(2)}), nothing_at("n")});
  const QueryPtr up = sort(where(beyond), {{body("n"), false, true}, {body("m"), false, true}});
  EXPECT_EQ(plan_of(up), R"(
index by_n_m of c: .n >= 2 or (.n ?? null) = null
)");
  EXPECT_EQ(rows(up), "1 2 3 4 5");
  const QueryPtr down = sort(where(beyond), {{body("n"), true, true}, {body("m"), true, true}});
  EXPECT_EQ(rows(down), "5 4 3 2 1");
  const QueryPtr descending =
      sort(where(expr::any_of({nothing_at("down"), expr::greater(body("down"), literal(2))})),
           {{body("down"), true, true}});
  EXPECT_EQ(plan_of(descending), R"(
index by_down of c: (.down ?? null) = null or .down > 2
)");
  EXPECT_EQ(rows(descending), "4 5 6 3 2");
}

TEST_F(ChoicePlansTest, BoundsOfSeveralFieldsAreServed) {
  const QueryPtr from = where(expr::all_of(
      {expr::any_of({expr::greater(body("n"), literal(2)),
                     expr::all_of({expr::equal(body("n"), literal(2)),
                                   call("greater_or_equal", {body("m"), literal(3)})})}),
       expr::any_of({expr::less(body("n"), literal(3)),
                     expr::all_of({expr::equal(body("n"), literal(3)),
                                   call("less_or_equal", {body("m"), literal(0)})})})}));
  EXPECT_EQ(plan_of(from), R"(
index by_n_m of c: (.n > 2 or .n = 2 and .m >= 3) and (.n < 3 or .n = 3 and .m <= 0)
)");
  EXPECT_EQ(rows(from), "2 3");
}

TEST_F(ChoicePlansTest, AnOperandThatTheIndexDoesNotNarrowServesNone) {
  EXPECT_EQ(
      plan_of(where(expr::any_of({expr::greater(body("n"), literal(2)), nothing_at("other")})))
          .find("index"),
      std::string::npos);
  const QueryPtr in_part = where(expr::any_of(
      {expr::greater(body("n"), literal(2)),
       expr::all_of({expr::equal(body("n"), literal(1)), expr::equal(body("o"), literal(1))})}));
  EXPECT_EQ(rows(in_part), "3");  // the rest is evaluated on the document
}

}  // namespace
}  // namespace mayfly::query
