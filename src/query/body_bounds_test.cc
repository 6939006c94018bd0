// A page reads a bounded number of body bytes at once, by an index or by keys.
#include <gtest/gtest.h>

#include "db/read/largest_reply.h"
#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using mayfly::testing::LargestReply;
using mayfly::testing::must;
using mayfly::testing::World;

constexpr std::size_t body_bytes = 500'000;
constexpr std::size_t documents = 60;

class BodyBoundsOfPages : public ::testing::Test {
 protected:
  BodyBoundsOfPages() : w_(std::make_unique<LargestReply>(store::open_memory(), largest_)) {
    c_ = w_.collection("c", {}, {{.name = "n", .fields = {{Field::body("n")}}}});
    const std::string text(body_bytes, 'x');
    for (std::size_t i = 0; i < documents; ++i) {
      const std::string id = "d" + std::to_string(100 + i);
      must(w_.put(c_, id, R"({"n":)" + std::to_string(i) + R"(,"text":")" + text + "\"}"));
      ids_.push_back(id);
    }
    c_ = w_.now(c_);
    largest_ = 0;
  }

  // All rows, in pages of up to a thousand rows that are read in bounded pieces.
  void expect_all(const QueryPtr& query, std::vector<std::string> ids) {
    View view = w_.database->view();
    EXPECT_EQ(pages_of(query, view, 1'000), joined(ids));
    EXPECT_LE(largest_, 16 * (body_bytes + 1'000));
    EXPECT_EQ(pages_of(query, view, 7), joined(ids));
    EXPECT_EQ(must(count(must(plan_on(query, view)), view)).rows, ids.size());
  }

  std::size_t largest_ = 0;
  World w_;
  CollectionPtr c_;
  std::vector<std::string> ids_;
};

TEST_F(BodyBoundsOfPages, OverAnIndex) {
  const auto rows = scan(c_, w_.database->view().live(), std::nullopt);
  const auto all =
      sort(filter(rows, call("greater_or_equal", {body("n"), literal(Value(0))})), {{body("n")}});
  expect_all(all, ids_);
  const auto backward = sort(filter(rows, call("greater_or_equal", {body("n"), literal(Value(0))})),
                             {{body("n"), true}});
  expect_all(backward, {ids_.rbegin(), ids_.rend()});
}

TEST_F(BodyBoundsOfPages, OfAListOfKeys) {
  Array wanted(ids_.begin(), ids_.end());
  wanted.emplace_back("absent");
  const auto listed = filter(scan(c_, w_.database->view().live()),
                             call("in", {expr::metadata("id"), literal(Value(wanted))}));
  expect_all(listed, ids_);
}

}  // namespace
}  // namespace mayfly::query
