// A kept result returns the same rows as computing it again.
#include "query/kept/kept_results.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using mayfly::testing::must;
using mayfly::testing::World;

constexpr KeptBounds everything{.rows_min = 1};

class KeptResultsTest : public ::testing::Test {
 protected:
  void put(int id, std::int64_t a, Lifetime lifetime = Never{}) {
    must(w.put(c, "d" + std::to_string(id), R"({"a":)" + std::to_string(a) + "}", lifetime));
  }
  QueryPtr all() { return scan(w.now(c), Lens::live(w.database->now())); }
  QueryPtr ordered(bool goes_down = false) { return sort(all(), {{body("a"), goes_down}}); }
  QueryPtr grouped() {
    return group(all(), {{"a", body("a")}}, {{"n", find_aggregate("count"), body("a")}});
  }
  RowsPage page(const QueryPtr& query, const std::optional<Bookmark>& from,
                std::size_t rows_max = 2) {
    View view = w.database->view();
    return must(
        answer(query, view, {.rows_max = rows_max, .bookmark = travelled(from), .kept = &kept}));
  }
  std::string afresh(const QueryPtr& query, const std::optional<Bookmark>& from) {
    View view = w.database->view();
    return joined(texts_of(must(answer(query, view, {.rows_max = 2, .bookmark = from})).rows));
  }

  World w;
  CollectionPtr c = w.collection("c");
  KeptResults kept{everything};
};

TEST_F(KeptResultsTest, TheThirdPageOfAnOrderReadsOnlyItsRows) {
  for (int i = 0; i < 50; ++i) put(i, i * 7 % 50);
  const RowsPage first = page(ordered(true), {});
  const RowsPage second = page(ordered(true), first.next);
  EXPECT_EQ(second.statistics.documents_read, 50U);
  const RowsPage third = page(ordered(true), second.next);
  EXPECT_LE(third.statistics.documents_read, 3U);
  EXPECT_EQ(joined(texts_of(third.rows)), "d35 d42");
}

TEST_F(KeptResultsTest, TheThirdPageOfGroupsReadsNoDocuments) {
  for (int i = 0; i < 50; ++i) put(i, i % 10);
  const RowsPage first = page(grouped(), {});
  const RowsPage second = page(grouped(), first.next);
  const RowsPage third = page(grouped(), second.next);
  EXPECT_EQ(third.statistics.documents_read, 0U);
  EXPECT_EQ(joined(texts_of(third.rows)), R"({"a": 4, "n": 5} {"a": 5, "n": 5})");
}

TEST_F(KeptResultsTest, AnOrderOfGroupsUsesKeptGroups) {
  for (int i = 0; i < 50; ++i) put(i, i % 10);
  const auto by_count = [&] { return sort(grouped(), {{body("n")}, {body("a"), true}}); };
  const RowsPage first = page(by_count(), {});
  const RowsPage second = page(by_count(), first.next);
  const RowsPage third = page(by_count(), second.next);
  EXPECT_EQ(third.statistics.documents_read, 0U);
  EXPECT_EQ(joined(texts_of(third.rows)), R"({"a": 5, "n": 5} {"a": 4, "n": 5})");
}

TEST_F(KeptResultsTest, GroupsAreComputedAgainOnceACountedDocumentHasExpired) {
  for (int i = 0; i < 8; ++i) put(i, i);
  put(8, 7, At{w.clock.now() + Span::seconds(10)});
  const RowsPage first = page(grouped(), {});
  const RowsPage second = page(grouped(), first.next);
  const RowsPage third = page(grouped(), second.next);
  w.clock.advance(Span::seconds(10));
  EXPECT_EQ(joined(texts_of(page(grouped(), third.next).rows)),
            R"({"a": 6, "n": 1} {"a": 7, "n": 1})");
}

TEST_F(KeptResultsTest, ATransactionComputesEverythingAgain) {
  for (int i = 0; i < 8; ++i) put(i, i);
  const RowsPage first = page(ordered(), {});
  const RowsPage second = page(ordered(), first.next);
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(w.now(c), {"", "new"}, TRY(pack_json(R"({"a":3})")), {}));
    const RowsPage third =
        TRY(answer(ordered(), t.view(), {.rows_max = 2, .bookmark = second.next, .kept = &kept}));
    EXPECT_EQ(joined(texts_of(third.rows)), "new d4");
    EXPECT_EQ(third.statistics.documents_read, 9U);
    return {};
  }));
}

TEST_F(KeptResultsTest, QueriesThatCallTheDialectAreComputedAgain) {
  for (int i = 0; i < 8; ++i) put(i, i);
  const auto call = [](const Scope&, std::span<const Value> arguments, Meter&) -> Result<Value> {
    return arguments[0];
  };
  const auto by_call = [&] {
    return sort(all(), {{expr::foreign("f", Effect::pure, call, {body("a")})}});
  };
  const RowsPage first = page(by_call(), {});
  const RowsPage second = page(by_call(), first.next);
  EXPECT_EQ(page(by_call(), second.next).statistics.documents_read, 8U);
}

TEST_F(KeptResultsTest, QueriesOfListedKeysAreComputedAgain) {
  for (int i = 0; i < 12; ++i) put(i, i);
  const auto of_keys = [&](int last) {
    std::vector<DocumentKey> keys;
    for (const int i : {0, 1, 2, 3, 4, last}) keys.push_back({"", "d" + std::to_string(i)});
    return sort(make(Lookup{w.now(c), Lens::live(w.database->now()), keys}), {{body("a")}});
  };
  for (const int last : {9, 11}) {
    const RowsPage first = page(of_keys(last), {});
    const RowsPage second = page(of_keys(last), first.next);
    EXPECT_EQ(joined(texts_of(page(of_keys(last), second.next).rows)),
              "d4 d" + std::to_string(last));
  }
}

// Also if partitions have arbitrary bytes as names.
TEST_F(KeptResultsTest, EachPartitionHasItsOwnResult) {
  const std::string partitions[] = {"\xff", "\xfe"};
  for (const std::string& partition : partitions) {
    for (int i = 0; i < 6; ++i) {
      must(w.database->transact([&](Transaction& t) -> Result<void> {
        const std::string id = (partition == "\xff" ? "f" : "e") + std::to_string(i);
        TRY(t.put(w.now(c), {partition, id}, TRY(pack_json("{\"a\":1}")), {}));
        return {};
      }));
    }
  }
  for (const std::string& partition : partitions) {
    const auto query = [&] {
      return sort(scan(w.now(c), Lens::live(w.database->now()), partition), {{body("a")}});
    };
    const RowsPage first = page(query(), {});
    const RowsPage second = page(query(), first.next);
    EXPECT_EQ(joined(texts_of(page(query(), second.next).rows)),
              partition == "\xff" ? "f4 f5" : "e4 e5");
  }
}

TEST_F(KeptResultsTest, ResultsThatAreTooLargeOrTooSmallAreComputedAgain) {
  for (int i = 0; i < 8; ++i) put(i, i);
  for (const KeptBounds& bounds :
       {KeptBounds{}, KeptBounds{.rows_min = 1, .result_bytes_max = 100}}) {
    KeptResults few(bounds);
    std::optional<Bookmark> from;
    for (int i = 0; i < 3; ++i) {
      View view = w.database->view();
      const RowsPage next =
          must(answer(ordered(), view, {.rows_max = 2, .bookmark = from, .kept = &few}));
      EXPECT_EQ(next.statistics.documents_read, 8U);
      from = next.next;
    }
  }
}

class KeptBoundsTest : public ::testing::Test {
 protected:
  using Kept = KeptResults;
  void keep(const std::string& work, std::int64_t second, std::size_t bytes = 10) {
    w.clock.set(Instant{second * 1'000'000});
    kept.keep<int>({work, c}, {now()}, bytes, std::make_shared<const int>(1));
  }
  bool has(const std::string& work) { return kept.find<int>({work, c}, now()) != nullptr; }
  Instant now() { return w.clock.now(); }

  World w;
  CollectionPtr c = w.collection("c");
  Kept kept{{.bytes_max = 40, .results_max = 3}};
  std::int64_t start = w.clock.now().micros / 1'000'000 + 1;
};

TEST_F(KeptBoundsTest, TheLeastRecentlyUsedResultIsDropped) {
  keep("a", start);
  keep("b", start + 1);
  keep("c", start + 2);
  EXPECT_TRUE(has("a"));
  keep("d", start + 3);
  EXPECT_TRUE(has("a") && has("c") && has("d"));
  EXPECT_FALSE(has("b"));
  keep("e", start + 4, 25);
  EXPECT_TRUE(has("e"));
  EXPECT_FALSE(has("c"));
}

TEST_F(KeptBoundsTest, UnusedResultsAreDropped) {
  keep("a", start);
  keep("b", start + 400);
  w.clock.set(Instant{start * 1'000'000});
  EXPECT_FALSE(has("a"));
}

// Whatever happens between pages.
RC_GTEST_FIXTURE_PROP(KeptResultsTest, PagesAreThoseOfComputingEverythingAgain, ()) {
  for (int i = 0; i < 12; ++i) put(i, *rc::gen::inRange(0, 5));
  const bool goes_down = *rc::gen::arbitrary<bool>();
  const bool groups = *rc::gen::arbitrary<bool>();
  std::optional<Bookmark> from;
  do {
    switch (*rc::gen::inRange(0, 6)) {
      case 0: put(*rc::gen::inRange(0, 20), *rc::gen::inRange(0, 5)); break;
      case 1:
        put(*rc::gen::inRange(0, 20), *rc::gen::inRange(0, 5),
            At{w.clock.now() + Span::seconds(*rc::gen::inRange(1, 20))});
        break;
      case 2: (void)w.remove(c, "d" + std::to_string(*rc::gen::inRange(0, 20))); break;
      case 3: w.clock.advance(Span::seconds(*rc::gen::inRange(1, 10))); break;
      default: break;
    }
    const QueryPtr query = groups ? grouped() : ordered(goes_down);
    const std::string expected = afresh(query, from);
    const RowsPage next = page(query, from);
    RC_ASSERT(joined(texts_of(next.rows)) == expected);
    from = next.next;
  } while (from);
}

}  // namespace
}  // namespace mayfly::query
