// Conditions on the partition key, in a scan of an index in its order: bodies of other partitions
// are not read.
#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::World;

class KeyFilterTest : public ::testing::Test {
 protected:
  void make(std::vector<Path> partition) {
    partitioned_ = w_.collection("c", {.body = BodyRules{.partition = partition}},
                                 {{"by_n", {{Field::body("n")}}}});
    plain_ = w_.collection("plain", {}, {{"by_n", {{Field::body("n")}}}});
  }
  void put(const std::string& id, const std::string& json) {
    must(w_.put(partitioned_, id, json));
    must(w_.put(plain_, id, json));
  }
  QueryPtr sorted(const CollectionPtr& c, const ExprPtr& condition) {
    const QueryPtr all = scan(w_.now(c), Lens::live(w_.database->now()), std::nullopt);
    return sort(filter(all, condition), {{body("n")}});
  }
  std::size_t documents_read(const ExprPtr& condition) {
    View view = w_.database->view();
    return must(answer(sorted(partitioned_, condition), view, {})).statistics.documents_read;
  }
  // Both collections have the same rows, but only one of them has partitions.
  std::string rows(const ExprPtr& condition) {
    View view = w_.database->view();
    const std::string expected = rows_of(sorted(plain_, condition), view);
    EXPECT_EQ(rows_of(sorted(partitioned_, condition), view), expected) << render(*condition);
    EXPECT_EQ(pages_of(sorted(partitioned_, condition), view, 3), expected) << render(*condition);
    return expected;
  }

  World w_;
  CollectionPtr partitioned_;
  CollectionPtr plain_;
};

TEST_F(KeyFilterTest, OnlyBodiesOfTheRequestedPartitionsAreRead) {
  make({Path::of("pk")});
  for (int i = 0; i < 40; ++i) {
    put("d" + std::to_string(i),
        R"({"n":)" + std::to_string(i * 7 % 40) + R"(,"pk":"k)" + std::to_string(i % 10) + R"("})");
  }
  const ExprPtr one = expr::equal(body("pk"), literal("k3"));
  EXPECT_EQ(rows(one), "d23 d13 d3 d33");
  EXPECT_EQ(documents_read(one), 4U);
  // A half of all keys, by their hashes.
  const ExprPtr hash = call("key_hash", {literal(2), body("pk")});
  const ExprPtr low = call("less", {hash, literal("1F")});
  const ExprPtr high = call("greater_or_equal", {hash, literal("1F")});
  rows(low);
  rows(high);
  EXPECT_EQ(documents_read(low) + documents_read(high), 40U);
  EXPECT_GT(documents_read(low), 0U);
  EXPECT_GT(documents_read(high), 0U);
  // Conditions that the key does not decide are evaluated on the remaining bodies.
  const ExprPtr odd = expr::equal(body("n"), literal(1));
  const ExprPtr other = expr::any_of({odd, expr::equal(body("n"), literal(2))});
  rows(expr::all_of({low, other}));
}

TEST_F(KeyFilterTest, OtherConditionsAreEvaluatedOnTheBody) {
  make({Path::of("pk"), Path::of("b")});
  const std::string keys[] = {
      "2", "2.0", R"("2")", "[]", "{}", "null", "true", "-0.0", '"' + std::string(600, 'x') + '"'};
  int i = 0;
  for (const std::string& key : keys) {
    for (const char* rest : {R"("b":1,)", ""}) {
      put(std::to_string(i), R"({"n":)" + std::to_string(i) + "," + rest + R"("pk":)" + key + "}");
      ++i;
    }
  }
  put("none", R"({"n":100,"b":1})");
  const Value values[] = {Value(2),
                          Value(2.0),
                          Value("2"),
                          Value(Array()),
                          Value(Object()),
                          Value(true),
                          Value(nullptr),
                          Value(0),
                          Value(),
                          Value(-0.0),
                          Value(std::string(600, 'x'))};
  for (const Value& value : values) {
    const ExprPtr is_it = expr::equal(body("pk"), literal(value));
    rows(is_it);
    rows(call("not_equal", {body("pk"), literal(value)}));
    rows(call("less", {body("pk"), literal(value)}));
    rows(expr::all_of({is_it, expr::equal(body("b"), literal(1))}));
    rows(expr::equal(call("key_hash", {literal(2), body("pk"), body("b")}),
                     call("key_hash", {literal(2), literal(value), literal(1)})));
  }
  rows(call("is_integer", {body("pk")}));
  rows(call("is_missing", {body("pk")}));
}

}  // namespace
}  // namespace mayfly::query
