// Reading an index as of an earlier instant gives the same result as a scan.
#include <gtest/gtest.h>

#include "db/rows/format.h"
#include "db/rows/records.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

class PastIndexTest : public ::testing::Test {
 protected:
  PastIndexTest()
      : c_(w_.collection("c", {.keep_history_for = Span::seconds(1'000)},
                         {{"by_n", {{Field::body("n")}}},
                          {"down", {{Field::body("n"), true}, {Field::body("m")}}},
                          {"cut", {{Field::body("n")}}, Uniqueness::none, Entries::cut},
                          {"u", {{Field::body("u")}}, Uniqueness::of_complete}})) {}

  void put(std::int64_t at, const std::string& id, const std::string& json,
           Lifetime lifetime = Never{}) {
    w_.clock.set(second(at));
    must(w_.put(c_, id, json, lifetime));
  }
  // Ids in the order of the index, read in pages, with spaces between.
  static std::string list(View& view, const Collection& c, const std::string& index,
                          const Lens& lens, bool reverse = false, std::size_t rows_max = 1) {
    IndexRange range{.reverse = reverse, .rows_max = rows_max};
    std::string ids;
    for (bool more = true; more;) {
      const IndexPage page = must(view.scan_index(c, *c.find_index(index), range, lens));
      for (const IndexEntry& e : page.entries) {
        ids += (ids.empty() ? "" : " ") + std::string(keys::id_of(e.key()));
      }
      more = page.next.has_value();
      if (more) (reverse ? range.to : range.from) = *page.next;
    }
    return ids;
  }
  // As of shortly after that second: what is written in it comes a little later than its beginning.
  std::string list(const std::string& index, std::int64_t at, bool reverse = false) {
    return list(index, second(at) + Span{1'000}, reverse);
  }
  std::string list(const std::string& index, Instant at, bool reverse = false) {
    View view = w_.database->view();
    const CollectionPtr c = w_.now(c_);
    const Lens lens = must(view.as_of(at, *c));
    const std::string ids = list(view, *c, index, lens, reverse);
    for (const std::size_t rows_max : {2U, 100U}) {
      EXPECT_EQ(list(view, *c, index, lens, reverse, rows_max), ids);
    }
    return ids;
  }

  World w_;
  CollectionPtr c_;
};

TEST_F(PastIndexTest, AnUpdateLeavesThePastInItsOrder) {
  put(1'001, "a", R"({"n":1})");
  put(1'002, "b", R"({"n":2})");
  put(1'003, "c", R"({"n":3})");
  put(1'010, "a", R"({"n":4})");
  w_.clock.set(second(1'020));
  EXPECT_EQ(w_.list_index(c_, "by_n"), "b c a");
  for (const char* index : {"by_n", "cut"}) {
    EXPECT_EQ(list(index, 1'001), "a");
    EXPECT_EQ(list(index, 1'009), "a b c");
    EXPECT_EQ(list(index, 1'009, true), "c b a");
    EXPECT_EQ(list(index, 1'010), "b c a");
    EXPECT_EQ(list(index, 1'010, true), "a c b");
  }
  EXPECT_EQ(list("down", 1'009), "c b a");
  EXPECT_EQ(list("down", 1'010), "a c b");
  EXPECT_EQ(list("down", 1'009, true), "a b c");
}

TEST_F(PastIndexTest, AnUpdateThatKeepsTheValuesWritesNoRow) {
  put(1'001, "a", R"({"n":1,"x":1})");
  put(1'010, "a", R"({"n":1,"x":2})");
  put(1'020, "a", R"({"n":1,"x":3})");
  EXPECT_EQ(w_.rows(keys::Table::past, c_), 0u);
  EXPECT_EQ(list("by_n", 1'000), "");
  EXPECT_EQ(list("by_n", 1'005), "a");
  EXPECT_EQ(list("by_n", 1'015), "a");
  put(1'030, "a", R"({"n":2,"m":1,"u":1})");
  EXPECT_EQ(w_.rows(keys::Table::past, c_), 4u);
  EXPECT_EQ(list("by_n", 1'005), "a");
  EXPECT_EQ(list("u", 1'015), "a");
}

TEST_F(PastIndexTest, WhatGoesToAValueAndComesBackIsThereOnceAtEachInstant) {
  put(1'001, "a", R"({"n":1})");
  put(1'010, "a", R"({"n":2})");
  put(1'020, "a", R"({"n":1})");
  put(1'030, "a", R"({"n":3})");
  put(1'040, "b", R"({"n":2})");
  w_.clock.set(second(1'050));
  for (const std::int64_t at : {1'005, 1'015, 1'025, 1'035}) {
    EXPECT_EQ(list("by_n", at), "a") << at;
  }
  EXPECT_EQ(list("by_n", 1'040), "b a");
}

TEST_F(PastIndexTest, WhatIsRemovedAndMadeAgainIsThereInItsLives) {
  put(1'001, "a", R"({"n":1})");
  w_.clock.set(second(1'010));
  must(w_.remove(c_, "a"));
  put(1'020, "a", R"({"n":1})");
  w_.clock.set(second(1'030));
  must(w_.remove(c_, "a"));
  w_.clock.set(second(1'040));
  EXPECT_EQ(list("by_n", 1'000), "");
  EXPECT_EQ(list("by_n", 1'009), "a");
  EXPECT_EQ(list("by_n", 1'010), "");
  EXPECT_EQ(list("by_n", 1'020), "a");
  EXPECT_EQ(list("by_n", 1'030), "");
}

TEST_F(PastIndexTest, ExpiredDocumentsAreInThePastAlsoAfterACompaction) {
  put(1'001, "a", R"({"n":1})", At{second(1'010)});
  put(1'002, "b", R"({"n":2})", At{second(1'010)});
  w_.clock.set(second(1'020));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(list("by_n", 1'009), "a b");
  EXPECT_EQ(list("by_n", 1'010), "");
  put(1'021, "b", R"({"n":3})");
  EXPECT_EQ(list("by_n", 1'009), "a b");
  w_.clock.set(second(1'500));
  w_.compact();
  EXPECT_EQ(list("by_n", 1'009), "a b");
  w_.clock.set(second(2'100));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::index, c_), 4u);
  EXPECT_EQ(w_.rows(keys::Table::past, c_), 0u);
}

TEST_F(PastIndexTest, AVersionExpiredWhenWrittenHidesNoEarlierOne) {
  put(1'001, "a", R"({"n":1})");
  put(1'500, "a", R"({"n":1})", At{second(1'002)});
  w_.clock.set(second(2'100));
  w_.sweep();
  w_.compact();
  EXPECT_EQ(list("by_n", 1'499), "a");
  EXPECT_EQ(list("by_n", 1'500), "");
  put(2'200, "a", R"({"n":2})");
  w_.compact();
  EXPECT_EQ(list("by_n", 1'499), "a");
  w_.clock.set(second(2'600));
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::index, c_), 4u);
}

TEST_F(PastIndexTest, WhatLeavesTheHistoryLeavesTheIndexToo) {
  put(1'001, "a", R"({"n":1})");
  put(1'010, "a", R"({"n":2})");
  w_.clock.set(second(1'900));
  w_.compact();
  EXPECT_GT(w_.rows(keys::Table::past, c_), 0u);
  EXPECT_EQ(list("by_n", 1'005), "a");
  w_.change(c_, {.keep_history_for = Span::seconds(1)});
  w_.clock.set(second(1'950));
  w_.database->now();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::past, c_), 0u);
}

TEST_F(PastIndexTest, WithoutHistoryNothingIsWritten) {
  const auto plain = w_.collection("plain", {}, {{"by_n", {{Field::body("n")}}}});
  must(w_.put(plain, "a", R"({"n":1})"));
  must(w_.put(plain, "a", R"({"n":2})"));
  must(w_.remove(plain, "a"));
  EXPECT_EQ(w_.rows(keys::Table::past, plain), 0u);
}

TEST_F(PastIndexTest, ATransactionReadsThePastOfItsOwnWrites) {
  put(1'001, "a", R"({"n":1})");
  w_.clock.set(second(1'010));
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    const CollectionPtr c = w_.now(c_);
    const auto past = [&] { return list(t.view(), *c, "by_n", Lens::as_of(second(1'005))); };
    const auto live = [&] { return list(t.view(), *c, "by_n", t.view().live()); };
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json(R"({"n":2})")), {}));
    TRY(t.put(c, DocumentKey::of("b"), TRY(pack_json(R"({"n":1})")), {}));
    EXPECT_EQ(past(), "a");
    EXPECT_EQ(live(), "b a");
    TRY(t.remove(c, DocumentKey::of("a"), {}));
    TRY(t.remove(c, DocumentKey::of("b"), {}));
    EXPECT_EQ(past(), "a");
    EXPECT_EQ(live(), "");
    return {};
  }));
  EXPECT_EQ(list("by_n", 1'005), "a");
}

TEST_F(PastIndexTest, APinnedPageShowsNeitherLaterWritesNorExpiredDocuments) {
  put(1'001, "a", R"({"n":1})");
  put(1'002, "b", R"({"n":2})", At{second(1'050)});
  put(1'003, "c", R"({"n":3})");
  w_.clock.set(second(1'010));
  View first = w_.database->view();
  put(1'020, "a", R"({"n":9})");
  put(1'021, "d", R"({"n":0})");
  w_.clock.set(second(1'030));
  {
    View view = w_.database->view();
    EXPECT_EQ(list(view, *c_, "by_n", Lens::page(first.now(), view.now())), "a b c");
  }
  w_.clock.set(second(1'050));
  View view = w_.database->view();
  EXPECT_EQ(list(view, *c_, "by_n", Lens::page(first.now(), view.now())), "a c");
}

TEST_F(PastIndexTest, AnIndexReachesBackToWhenItWasReady) {
  put(1'001, "a", R"({"m":1})");
  w_.clock.set(second(1'010));
  must(w_.database->create_index(c_->id, {"by_m", {{Field::body("m")}}}));
  const Instant since = w_.now(c_)->find_index("by_m")->past_since;
  EXPECT_GE(since, second(1'010));
  EXPECT_LE(since, w_.database->now());
  put(1'020, "a", R"({"m":2})");
  EXPECT_EQ(list("by_m", since), "a");
}

TEST_F(PastIndexTest, ADroppedIndexTakesItsPastWithIt) {
  put(1'001, "a", R"({"n":1})");
  put(1'010, "a", R"({"n":2})");
  const std::size_t rows = w_.rows(keys::Table::past, c_);
  must(w_.database->drop_index(c_->id, "by_n"));
  EXPECT_EQ(w_.rows(keys::Table::past, c_), rows - 1);
  must(w_.database->drop_collection(c_->id));
  EXPECT_EQ(w_.rows(keys::Table::past, c_), 0u);
}

// A directory as an earlier version has left it, with an index without a past.
std::unique_ptr<store::Store> directory_from_before(std::string_view format) {
  auto store = store::open_memory();
  store::CommitBatch batch{.version = records::to_version(second(900))};
  batch.puts.push_back({keys::format(), Bytes(format)});
  const DatabaseInfo database{.id = 1, .name = "d", .created_at = second(900)};
  batch.puts.push_back({keys::database(1), encode(database)});
  Collection c{.id = 2, .database = 1, .name = "c", .next_index = 3};
  c.policy.history.span = Span::infinite();
  c.indexes = {{.id = 1, .name = "by_n", .fields = {{Field::body("n")}}, .is_ready = true},
               {.id = 2, .name = "by_m", .fields = {{Field::body("m")}}}};
  batch.puts.push_back({keys::collection(2), encode(c)});
  Bytes next_id;
  put_u32(next_id, 3);
  batch.puts.push_back({keys::next_id(), std::move(next_id)});
  must(store->commit(batch));
  return store;
}

class IndexesFromBeforeTest : public ::testing::TestWithParam<std::string_view> {};
// Also if the first start ended before it reached them.
INSTANTIATE_TEST_SUITE_P(Formats, IndexesFromBeforeTest,
                         ::testing::Values(formats_before[0], formats_before[1],
                                           formats_before[2], format_name));

TEST_P(IndexesFromBeforeTest, TheyReachBackToTheFirstStart) {
  ::testing::internal::CaptureStderr();
  World w(directory_from_before(GetParam()));
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find(
                "the data directory now has the format mayfly 4; earlier versions refuse it") !=
                std::string::npos,
            GetParam() != format_name);
  Bytes format;
  must(w.database->store().get(keys::format(), format, nullptr));
  EXPECT_EQ(format, format_name);
  const CollectionPtr c = w.database->catalog()->any_collection(2);
  EXPECT_EQ(c->find_index("by_m"), nullptr);
  const Instant since = c->find_index("by_n")->past_since;
  EXPECT_GE(since, second(1'000));
  EXPECT_LE(since, w.database->now());
  must(w.put(c, "a", R"({"n":1})"));
  EXPECT_EQ(w.now(c)->find_index("by_n")->past_since, since);
}

}  // namespace
}  // namespace mayfly
