// Rows of dropped collections and indexes: open views can still read them; after that they are
// erased, however many there are.
#include "db/catalog/dropped_rows.h"

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::World;

CollectionPtr with_documents(World& w, int documents) {
  const auto c = w.collection("c", {}, {{"n", {{Field::body("n"), false}}}});
  for (int i = 0; i < documents; ++i) {
    must(w.put(c, "d" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}"));
  }
  return w.now(c);
}

std::size_t rows_in_index(World& w, const CollectionPtr& c) {
  return w.rows(keys::Table::index, c);
}

std::size_t dropped_marks(World& w) {
  const Bytes prefix = keys::all_dropped();
  const store::Range range{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 10'000};
  return must(w.database->store().read({{}, {range}}, nullptr)).scans.front().rows.size();
}

TEST(DroppedRows, TheCollectionThatReplacesAnEmptiedOneHasALedger) {
  World w;
  const auto c = with_documents(w, 2);
  must(w.database->drop({.databases = {}, .collections = {}, .emptied = {c->id}}));
  const CollectionPtr empty = w.database->catalog()->find_collection(c->database, c->name);
  ASSERT_TRUE(empty && empty->id != c->id);
  const store::ReadBatch state{.gets = {keys::ledger_state(empty->id)}};
  EXPECT_TRUE(must(w.database->store().read(state, nullptr)).gets[0].present());
}

TEST(DroppedRows, OfAnIndexAreReadToTheEndByAViewFromBefore) {
  World w;
  const auto c = with_documents(w, 4);
  {
    View view = w.database->view();
    const Index& index = *c->find_index("n");
    IndexRange range{.rows_max = 1};
    std::size_t read = must(view.scan_index(*c, index, range, view.live())).entries.size();
    must(w.database->drop_index(c->id, "n"));
    w.sweep();
    range.rows_max = 100;
    range.from = must(view.scan_index(*c, index, {.rows_max = 1}, view.live())).next.value_or("");
    read += must(view.scan_index(*c, index, range, view.live())).entries.size();
    EXPECT_EQ(read, 4U);
    EXPECT_EQ(rows_in_index(w, c), 4U);
  }
  w.sweep();
  EXPECT_EQ(rows_in_index(w, c), 0U);
}

TEST(DroppedRows, OfACollectionAreReadToTheEndByAViewFromBefore) {
  World w;
  const auto c = with_documents(w, 4);
  {
    View view = w.database->view();
    DocumentRange range{.rows_max = 1};
    const DocumentPage first = must(view.scan(*c, range, view.live()));
    ASSERT_EQ(first.documents.size(), 1U);
    must(w.database->drop_collection(c->id));
    w.sweep();
    range = {.from = first.next.value_or(""), .rows_max = 100};
    EXPECT_EQ(must(view.scan(*c, range, view.live())).documents.size(), 3U);
  }
  EXPECT_EQ(w.rows(keys::Table::head, c), 4U);
  w.sweep();
  EXPECT_EQ(w.rows(keys::Table::head, c), 0U);
  EXPECT_EQ(dropped_marks(w), 0U);
}

TEST(DroppedRows, OfATransactionThatIsOpenStayAsLong) {
  World w;
  const auto c = with_documents(w, 4);
  std::size_t read = 0;
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    const CollectionPtr seen = t.view().catalog().collection(c->id);
    if (!seen) return {};
    const DocumentPage first = TRY(t.view().scan(*seen, {.rows_max = 1}, t.view().live()));
    if (read == 0) must(w.database->drop_collection(c->id));
    const DocumentRange rest{.from = first.next.value_or(""), .rows_max = 100};
    read = 1 + TRY(t.view().scan(*seen, rest, t.view().live())).documents.size();
    return {};
  }));
  EXPECT_EQ(read, 4U);
}

TEST(DroppedRows, OfMoreCollectionsThanAPageHoldsAreErased) {
  World w;
  constexpr int collections = limits::store_page_rows_max + 100;
  std::vector<CollectionPtr> all;
  for (int i = 0; i < collections; ++i) all.push_back(w.collection("c" + std::to_string(i)));
  must(w.put(all.back(), "a", "{}"));
  must(w.database->drop_database(w.place));
  EXPECT_EQ(w.rows(keys::Table::head, all.back()), 0U);
  EXPECT_EQ(dropped_marks(w), 0U);
}

}  // namespace
}  // namespace mayfly
