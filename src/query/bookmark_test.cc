// Each row is on one page only, whatever changes between pages.
#include "query/bookmark.h"

#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::call;
using expr::literal;
using expr::metadata;
using mayfly::testing::must;
using mayfly::testing::second;
using mayfly::testing::World;

class BookmarkTest : public ::testing::Test {
 protected:
  BookmarkTest() {
    c_ = w_.collection("c", {},
                       {{"by_n", {{Field::body("n"), false}}},
                        {"by_g_n", {{Field::body("g"), true}, {Field::body("n"), false}}}});
    for (int i = 0; i < 12; ++i) put(i);
  }

  // Document k<i> with a few values that several share, and tags 0 … i % 3.
  void put(int i, Lifetime lifetime = Inherit{}) {
    std::string tags;
    for (int t = 0; t <= i % 3; ++t) tags += (t > 0 ? "," : "") + std::to_string(t);
    must(w_.put(c_, id(i), fmt(i) + tags + "]}", lifetime));
  }
  static std::string id(int i) { return "k" + std::to_string(100 + i); }
  static std::string fmt(int i) {
    return R"({"n":)" + std::to_string(i / 4) + R"(,"g":)" + std::to_string(i % 2) + R"(,"m":)" +
           std::to_string(i % 5) + R"(,"tags":[)";
  }
  QueryPtr all() { return scan(w_.now(c_), Lens::live(w_.database->now())); }

  // Queries of every form that pages can stop in.
  std::vector<QueryPtr> forms() {
    const SortKey by_n{body("n"), false};
    const SortKey by_m{body("m"), true};
    const QueryPtr items = unnest(all(), 1, body("tags"));
    const std::vector<DocumentKey> keys = {DocumentKey::of(id(7)), DocumentKey::of(id(2)),
                                           DocumentKey::of("none"), DocumentKey::of(id(7)),
                                           DocumentKey::of(id(3))};
    const ExprPtr even = expr::equal(body("g"), literal(0));
    return {
        all(),
        sort(all(), {{metadata("id"), true}}),
        filter(all(), expr::greater(body("m"), literal(1))),
        filter(all(), expr::greater(body("n"), literal(0))),
        filter(all(), call("in", {body("n"), literal(Array{0, 2})})),
        sort(filter(all(), even), {{body("n"), true}}),
        sort(all(), {by_n}),
        sort(all(), {{body("n"), true}}),
        sort(all(), {by_m}),
        sort(all(), {by_m, by_n}, Ties::ascending),
        slice(sort(all(), {by_m}), 2, 7),
        slice(project(filter(all(), even), call("object", {literal("m"), body("m")})), 1, 4),
        items,
        unnest(items, 2, body("tags")),
        slice(items, 3, 9),
        sort(items, {{expr::slot(1), true}}),
        unnest(sort(all(), {by_n}), 1, body("tags")),
        filter(all(), call("in", {metadata("id"), literal(Array{id(9), id(1), id(4), "none"})})),
        make(Lookup{w_.now(c_), Lens::live(w_.database->now()), keys}),
        unnest(make(Lookup{w_.now(c_), Lens::live(w_.database->now()), keys}), 1, body("tags")),
        group(all(), {{"m", body("m")}}, {{"n", find_aggregate("count"), literal(1)}}),
        distinct(project(all(), body("m"))),
        concat({all(), all()}),
        values({1, 2, 3, 4}),
    };
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(BookmarkTest, AllPagesTogetherAreTheWhole) {
  View view = w_.database->view();
  for (const QueryPtr& query : forms()) {
    const std::string whole = rows_of(query, view);
    for (const std::size_t rows_max : {1U, 2U, 3U, 5U, 100U}) {
      EXPECT_EQ(pages_of(query, view, rows_max), whole) << render(*query) << rows_max;
    }
  }
}

// Reads all pages of two rows, with `between` after each, and gives the ids.
template <class Between>
std::string pages_while(World& w, const std::function<QueryPtr()>& query, Between between) {
  std::vector<std::string> texts;
  std::optional<Bookmark> bookmark;
  do {
    View view = w.database->view();
    const Result<RowsPage> page = answer(query(), view, {2, bookmark, {}});
    if (!page) return message_of(page.error());
    for (const QueryRow& row : page->rows) texts.push_back(text_of(row));
    bookmark = travelled(page->next);
    between();
  } while (bookmark);
  return joined(texts);
}

TEST_F(BookmarkTest, DocumentsThatExpireOrAppearBetweenPagesMoveNoOther) {
  const SortKey by_m{body("m"), false};
  const auto scanned = [&] { return all(); };
  const auto sorted = [&] { return sort(all(), {by_m}); };
  const auto indexed = [&] { return sort(all(), {{body("n"), true}}); };
  const std::string in_order = pages_while(w_, sorted, [] {});
  int step = 0;
  const auto disturb = [&] {
    if (step < 2) must(w_.remove(c_, id(step)));  // on an earlier page, or on a later one
    if (step == 1) must(w_.put(c_, "k000", R"({"n":9,"m":-1})"));  // before all remaining rows
    ++step;
  };
  EXPECT_EQ(pages_while(w_, scanned, disturb),
            joined({id(0), id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8), id(9), id(10),
                    id(11)}));
  put(0);
  put(1);
  must(w_.remove(c_, "k000"));
  step = 0;
  // k100 (m 0) is returned first; k101 (m 1) is removed before it is reached.
  std::string expected = in_order;
  EXPECT_EQ(pages_while(w_, sorted, disturb).find("k000"), std::string::npos);
  put(0);
  put(1);
  must(w_.remove(c_, "k000"));
  step = 2;
  EXPECT_EQ(pages_while(w_, sorted, disturb), expected);
  EXPECT_EQ(pages_while(w_, indexed,
                        [&] {
                          w_.clock.advance(Span::seconds(1));
                          if (step++ == 2)
                            must(w_.remove(c_, id(11)));  // the previous page ended behind it
                        }),
            joined({id(11), id(10), id(9), id(8), id(7), id(6), id(5), id(4), id(3), id(2), id(1),
                    id(0)}));
}

TEST_F(BookmarkTest, GroupsThatExpireOrAppearBetweenPagesMoveNoOther) {
  const auto groups = [&] {
    return group(all(), {{"m", body("m")}}, {{"n", find_aggregate("count"), literal(1)}});
  };
  const auto values = [&] { return project(groups(), body("m")); };
  const auto backwards = [&] { return project(sort(groups(), {{body("m"), true}}), body("m")); };
  const auto by_count = [&] { return project(sort(groups(), {{body("n"), true}}), body("m")); };
  EXPECT_EQ(pages_while(w_, values, [] {}), "0 1 2 3 4");
  EXPECT_EQ(pages_while(w_, backwards, [] {}), "4 3 2 1 0");
  EXPECT_EQ(pages_while(w_, by_count, [] {}), "0 1 2 3 4");
  int page = 0;
  const auto lose = [&](std::initializer_list<int> removed) {
    if (page++ > 0) return;
    for (const int i : removed) must(w_.remove(c_, id(i)));
    must(w_.put(c_, "new", R"({"m":-1})"));
  };
  EXPECT_EQ(pages_while(w_, values, [&] { lose({0, 5, 10}); }), "0 1 2 3 4");
  for (const int i : {0, 5, 10}) put(i);
  page = 0;
  EXPECT_EQ(pages_while(w_, backwards, [&] { lose({4, 9}); }), "4 3 2 1 0 -1");
  for (const int i : {4, 9}) put(i);
  must(w_.remove(c_, "new"));
  page = 0;
  EXPECT_EQ(pages_while(w_, by_count, [&] { lose({0, 5, 10}); }), "0 1 2 3 4 -1");
}

TEST_F(BookmarkTest, DistinctValuesAreReturnedOnceWhateverExpiresBetweenPages) {
  const auto scanned = [&] { return distinct(project(all(), body("m"))); };
  const auto sorted = [&] {
    return distinct(project(sort(all(), {{metadata("id"), true}}), body("m")));
  };
  const auto items = [&] {
    return distinct(project(unnest(all(), 1, body("tags")), expr::slot(1)));
  };
  EXPECT_EQ(pages_while(w_, items, [] {}), "k100:0/0 k101:1/1 k102:2/2");
  const auto values_while = [&](const std::function<QueryPtr()>& query, int removed) {
    int page = 0;
    std::string all_of_them = pages_while(w_, query, [&] {
      if (page++ == 0) must(w_.remove(c_, id(removed)));
    });
    put(removed);
    std::string values;  // without the ids
    for (std::size_t at = 0; (at = all_of_them.find(':', at)) != std::string::npos; ++at) {
      values += all_of_them[at + 1];
    }
    return values;
  };
  // The first document with a returned value is removed; later ones have the same value.
  EXPECT_EQ(values_while(scanned, 0), "01234");
  EXPECT_EQ(values_while(scanned, 1), "01234");
  EXPECT_EQ(values_while(scanned, 2), "01342");  // k107 holds 2, too
  EXPECT_EQ(values_while(sorted, 11), "10432");
}

TEST_F(BookmarkTest, MoreDistinctValuesThanABookmarkHoldsAreCounted) {
  for (int i = 0; i < 1'200; ++i) {
    must(w_.put(c_, "v" + std::to_string(10'000 + i), R"({"u":)" + std::to_string(i) + "}"));
  }
  View view = w_.database->view();
  const auto query = distinct(project(all(), body("u")));
  std::string pages;
  std::optional<Bookmark> bookmark;
  do {
    const RowsPage page = *answer(query, view, {.rows_max = 400, .bookmark = bookmark});
    for (const QueryRow& row : page.rows) pages += (pages.empty() ? "" : " ") + text_of(row);
    bookmark = travelled(page.next);
  } while (bookmark);
  EXPECT_EQ(pages, rows_of(query, view));
}

TEST_F(BookmarkTest, AnExpirationBetweenPagesIsExact) {
  put(6, At{second(2'000)});
  const auto query = [&] { return filter(all(), expr::greater(body("n"), literal(0))); };
  w_.clock.set(Instant{second(2'000).micros - 1});
  EXPECT_EQ(pages_while(w_, query, [&] { w_.clock.set(second(2'000)); }),
            joined({id(4), id(5), id(7), id(8), id(9), id(10), id(11)}));
}

TEST_F(BookmarkTest, HoldsTheInstantOfTheFirstPage) {
  View first = w_.database->view();
  const Bookmark one = *answer(all(), first, {.rows_max = 2})->next;
  EXPECT_EQ(one.snapshot, first.now());
  w_.clock.advance(Span::seconds(5));
  View later = w_.database->view();
  const Bookmark two = *answer(all(), later, {2, one, {}})->next;
  EXPECT_EQ(two.snapshot, first.now());
  EXPECT_EQ(two.rows_so_far, 4U);
}

TEST_F(BookmarkTest, OfAnotherQueryOrALostIndexIsRefused) {
  View view = w_.database->view();
  const Bookmark of_all = *answer(all(), view, {.rows_max = 2})->next;
  const QueryPtr above = filter(all(), expr::greater(body("n"), literal(0)));
  EXPECT_EQ(message_of(answer(above, view, {2, of_all, {}}).error()),
            "invalid: The bookmark belongs to another query.");
  const Bookmark indexed = *answer(above, view, {.rows_max = 2})->next;
  must(w_.database->drop_index(c_->id, "by_n"));
  View later = w_.database->view();
  const QueryPtr again = filter(all(), expr::greater(body("n"), literal(0)));
  const Result<RowsPage> refused = answer(again, later, {2, indexed, {}});
  EXPECT_TRUE(
      message_of(refused.error()).starts_with("invalid: The bookmark cannot be gone on from"));
}

TEST_F(BookmarkTest, ANewIndexDoesNotDisturbPagesUnderWay) {
  const auto query = [&] { return sort(all(), {{body("m"), true}}); };
  const std::string undisturbed = pages_while(w_, query, [] {});
  bool is_made = false;
  EXPECT_EQ(
      pages_while(w_, query,
                  [&] {
                    if (is_made) return;
                    must(w_.database->create_index(c_->id, {"by_m", {{Field::body("m"), true}}}));
                    is_made = true;
                  }),
      undisturbed);
}

TEST_F(BookmarkTest, AValueTooLongForABookmarkIsCountedInstead) {
  for (const char* name : {"x", "y", "z"}) {
    must(w_.put(c_, name, R"({"long":")" + std::string(5'000, 'a') + name + R"("})"));
  }
  View view = w_.database->view();
  const QueryPtr query = sort(all(), {{body("long"), true}});
  EXPECT_EQ(pages_of(query, view, 2), rows_of(query, view));
}

TEST_F(BookmarkTest, HostileBytesAreRefusedOrHarmless) {
  View view = w_.database->view();
  std::uint64_t state = 1;
  const auto random = [&](std::size_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::size_t>(state >> 33) % n;
  };
  for (const QueryPtr& query : forms()) {
    const Result<RowsPage> page = answer(query, view, {.rows_max = 2});
    if (!page->next) continue;
    const Bytes good = encode(*page->next);
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_FALSE(decode_bookmark(good.substr(0, size)));
    }
    for (int i = 0; i < 300; ++i) {
      Bytes bad = good;
      for (std::size_t n = random(3) + 1; n > 0; --n) {
        bad[9 + random(bad.size() - 9)] = static_cast<char>(random(256));
      }
      const Result<Bookmark> decoded = decode_bookmark(bad);
      if (!decoded) continue;
      const Result<RowsPage> after = answer(query, view, {3, *decoded, {}});
      EXPECT_TRUE(after || after.error().code == Code::invalid) << after.error().message;
    }
  }
  EXPECT_FALSE(decode_bookmark(""));
  EXPECT_FALSE(decode_bookmark(Bytes(limits::bookmark_bytes_max + 1, '\1')));
}

}  // namespace
}  // namespace mayfly::query
