// Queries of the past by an index, and pages pinned to the snapshot of the first page, while
// documents move in the index. They return the rows of a scan at that instant.
#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::literal;
using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

class PastPagesTest : public ::testing::Test {
 protected:
  PastPagesTest()
      : c_(w_.collection("c", {.keep_history_for = Span::infinite()},
                         {{"by_n", {{Field::body("n")}}}})) {
    for (int i = 0; i < 6; ++i) put(std::string(1, static_cast<char>('a' + i)), i);
    w_.clock.set(second(1'010));
  }
  void put(const std::string& id, int n) {
    must(w_.put(c_, id, R"({"n":)" + std::to_string(n) + "}"));
  }
  QueryPtr all(const Lens& lens, bool is_descending = false) const {
    const QueryPtr those = filter(scan(w_.database->catalog()->any_collection(c_->id), lens),
                                  expr::less(body("n"), literal(100)));
    return sort(those, {{body("n"), is_descending}}, Ties::ascending);
  }
  // One page by the index, of the snapshot of the first page, which the bookmark names.
  std::string page(std::optional<Bookmark>& bookmark, bool is_descending = false) {
    View view = w_.database->view();
    const Lens lens = bookmark ? Lens::page(bookmark->snapshot, view.now()) : view.live();
    const auto page = answer(all(lens, is_descending), view, {2, bookmark, {}});
    if (!page) return message_of(page.error());
    EXPECT_EQ(page->statistics.index, "by_n");
    bookmark = travelled(page->next);
    return joined(texts_of(page->rows));
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(PastPagesTest, NoRowIsRepeatedOrMissedWhileDocumentsMove) {
  for (const bool is_descending : {false, true}) {
    std::optional<Bookmark> bookmark;
    EXPECT_EQ(page(bookmark, is_descending), is_descending ? "f e" : "a b");
    put("a", 50);
    put("d", -1);
    put("f", -2);
    put("new", 4);
    EXPECT_EQ(page(bookmark, is_descending), is_descending ? "d c" : "c d");
    put("b", 60);
    must(w_.remove(c_, "e"));
    must(w_.remove(c_, "new"));
    EXPECT_EQ(page(bookmark, is_descending), is_descending ? "b a" : "e f");
    EXPECT_FALSE(bookmark);
    for (int i = 0; i < 6; ++i) put(std::string(1, static_cast<char>('a' + i)), i);
    w_.clock.set(second(1'020));
  }
}

TEST_F(PastPagesTest, APageAndACountOfThePastAreReadByTheIndex) {
  const Instant then = w_.database->now();
  w_.clock.set(second(1'030));
  put("a", 5);
  put("c", 500);
  must(w_.remove(c_, "b"));
  View view = w_.database->view();
  const QueryPtr past = all(must(view.as_of(then, *c_)));
  EXPECT_EQ(pages_of(past, view, 1), "a b c d e f");
  const Plan plan = must(plan_on(past, view));
  const Count counted = must(count(plan, view, {}));
  EXPECT_EQ(counted.rows, 6U);
  EXPECT_EQ(counted.statistics.index, "by_n");
  EXPECT_EQ(rows_of(all(view.live()), view), "d e a f");
}

TEST_F(PastPagesTest, InstantsBeforeTheIndexAreScanned) {
  const Instant then = w_.database->now();
  w_.clock.set(second(1'030));
  put("a", 5);
  must(w_.database->drop_index(c_->id, "by_n"));
  must(w_.database->create_index(c_->id, {"by_n", {{Field::body("n")}}}));
  View view = w_.database->view();
  const RowsPage page = must(answer(all(must(view.as_of(then, *c_))), view, {.rows_max = 10}));
  EXPECT_EQ(joined(texts_of(page.rows)), "a b c d e f");
  EXPECT_EQ(page.statistics.index, "");
}

}  // namespace
}  // namespace mayfly::query
