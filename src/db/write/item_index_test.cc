// Index fields with an entry for each item, and those in which null is the greatest value.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "db/limits.h"
#include "db/repair.h"
#include "db/testing.h"
#include "store/wrappers/forward.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

IndexField each(std::string_view name) {
  return {.field = Field::body(name), .is_each = true};
}
IndexField null_last(std::string_view name, bool is_descending = false) {
  return {.field = Field::body(name), .is_descending = is_descending, .null_is_greatest = true};
}

// {"tags":[0,1,…]} with that many items.
std::string numbered(std::size_t count, std::string_view name = "tags") {
  std::string json = "{\"" + std::string(name) + "\":[";
  for (std::size_t i = 0; i < count; ++i) json += (i > 0 ? "," : "") + std::to_string(i);
  return json + "]}";
}

class ItemIndexTest : public ::testing::Test {
 protected:
  std::string list(const std::string& index, Instant at) {
    View view = w_.database->view();
    const CollectionPtr c = w_.now(c_);
    const Lens lens = must(view.as_of(at, *c));
    const IndexPage page = must(view.scan_index(*c, *c->find_index(index), {}, lens));
    std::string ids;
    for (const IndexEntry& e : page.entries) {
      ids += (ids.empty() ? "" : " ") + std::string(keys::id_of(e.key()));
    }
    return ids;
  }
  std::string put(const std::string& id, const std::string& json, Lifetime lifetime = Never{}) {
    const auto put = w_.put(c_, id, json, lifetime);
    return put ? "" : std::string(name_of(put.error().code)) + " " + put.error().field;
  }
  std::size_t entries() { return w_.rows(keys::Table::index, c_); }
  std::size_t left() { return w_.rows(keys::Table::past, c_); }

  World w_;
  CollectionPtr c_ =
      w_.collection("c", {.keep_history_for = Span::seconds(1'000)}, {{"tags", {each("tags")}}});
};

TEST_F(ItemIndexTest, AnArrayHasAnEntryForEachItemAndEqualOnesHaveOne) {
  EXPECT_EQ(put("array", R"({"tags":["b","a","b",1,1.0,null]})"), "");
  EXPECT_EQ(entries(), 4U);
  EXPECT_EQ(put("text", R"({"tags":"a"})"), "");
  EXPECT_EQ(put("object", R"({"tags":{"a":1}})"), "");
  EXPECT_EQ(put("nested", R"({"tags":[[1,2],["a"]]})"), "");
  EXPECT_EQ(put("nothing", "{}"), "");
  EXPECT_EQ(w_.list_index(c_, "tags"), "nothing array array array text array nested nested object");
}

TEST_F(ItemIndexTest, AnEmptyArrayHasAnEntryAsIfItWereMissing) {
  must(w_.database->create_index(c_->id, {"both", {{Field::body("n")}, each("tags")}}));
  EXPECT_EQ(put("b", R"({"n":1,"tags":[]})"), "");
  EXPECT_EQ(put("a", R"({"n":1})"), "");
  EXPECT_EQ(put("c", R"({"n":0,"tags":[2,1]})"), "");
  EXPECT_EQ(w_.list_index(c_, "tags"), "a b c c");
  EXPECT_EQ(w_.list_index(c_, "both"), "c c a b");
}

TEST_F(ItemIndexTest, SeveralFieldsMakeAllCombinationsUpToABound) {
  must(w_.database->create_index(c_->id, {"both", {each("x"), {Field::body("n")}, each("y")}}));
  EXPECT_EQ(put("a", R"({"x":[1,2,3],"n":1,"y":[1,2]})"), "");
  EXPECT_EQ(entries(), 1U + 6U);
  const std::string most = numbered(limits::entries_per_document_max);
  EXPECT_EQ(put("b", most), "");
  EXPECT_EQ(entries(), 7U + limits::entries_per_document_max + 1U);
  EXPECT_EQ(put("b", numbered(limits::entries_per_document_max + 1)), "too_large .tags");
  EXPECT_EQ(w_.get(c_, "b"), most);
  const std::string x = numbered(101, "x"), y = numbered(10, "y");
  EXPECT_EQ(put("c", x.substr(0, x.size() - 1) + "," + y.substr(1)), "too_large .y");
  EXPECT_EQ(w_.get(c_, "c"), "-");
}

TEST_F(ItemIndexTest, ARefusedWriteLeavesItsTransactionAsItWas) {
  EXPECT_EQ(put("a", R"({"tags":[1,2]})"), "");
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    const auto many = must(pack_json(numbered(limits::entries_per_document_max + 1)));
    EXPECT_FALSE(t.put(w_.now(c_), DocumentKey::of("a"), many, {}));
    TRY(t.put(w_.now(c_), DocumentKey::of("b"), TRY(pack_json(R"({"tags":[3]})")), {}));
    return {};
  }));
  EXPECT_EQ(w_.list_index(c_, "tags"), "a a b");
}

TEST_F(ItemIndexTest, ATooLongValueLeavesItsTransactionAsItWas) {
  must(w_.database->create_index(c_->id, {"plain", {{Field::body("s")}}}));
  EXPECT_EQ(put("a", R"({"s":"short"})"), "");
  const std::string long_one = R"({"s":")" + std::string(100'000, 'x') + R"("})";
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    EXPECT_FALSE(t.put(w_.now(c_), DocumentKey::of("a"), TRY(pack_json(long_one)), {}));
    EXPECT_FALSE(t.put(w_.now(c_), DocumentKey::of("c"), TRY(pack_json(long_one)), {}));
    TRY(t.put(w_.now(c_), DocumentKey::of("b"), TRY(pack_json(R"({"s":"b"})")), {}));
    return {};
  }));
  EXPECT_EQ(w_.get(c_, "a"), R"({"s":"short"})");
  EXPECT_EQ(w_.list_index(c_, "plain"), "b a");
}

// The bodies alone would leave room for many times as many.
TEST_F(ItemIndexTest, EntriesCountAsBytesOfTheTransaction) {
  const IndexField shared[] = {{Field::body("s")}, each("tags")};
  must(w_.database->create_index(c_->id, {"long", {shared[0], shared[1]}}));
  std::string json = numbered(limits::entries_per_document_max);
  json.replace(0, 1, R"({"s":")" + std::string(900, 'x') + R"(",)");
  std::size_t written = 0;
  const auto all = w_.database->transact([&](Transaction& t) -> Result<void> {
    for (; written < 200; ++written) {
      TRY(t.put(w_.now(c_), DocumentKey::of(std::to_string(written)), TRY(pack_json(json)), {}));
    }
    return {};
  });
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, Code::too_large);
  EXPECT_GT(written, 50U);
  EXPECT_LT(written, 100U);
}

TEST_F(ItemIndexTest, AnUpdateLeavesInThePastWhatHasLeft) {
  EXPECT_EQ(put("a", R"({"tags":["x","y","z"]})"), "");
  const Instant first = w_.database->now();
  w_.clock.set(second(1'010));
  EXPECT_EQ(put("a", R"({"tags":["y","z","w"]})"), "");
  EXPECT_EQ(entries(), 3U);
  EXPECT_EQ(left(), 1U);
  const Instant then = w_.database->now();
  w_.clock.set(second(1'020));
  EXPECT_EQ(put("a", R"({"tags":["y"],"n":1})"), "");
  EXPECT_EQ(put("b", R"({"tags":["x"]})"), "");
  EXPECT_EQ(entries(), 2U);
  EXPECT_EQ(left(), 3U);
  w_.clock.set(second(1'030));
  EXPECT_EQ(list("tags", first), "a a a");
  EXPECT_EQ(list("tags", then), "a a a");
  EXPECT_EQ(w_.list_index(c_, "tags"), "b a");
  must(w_.remove(c_, "a"));
  EXPECT_EQ(w_.list_index(c_, "tags"), "b");
  EXPECT_EQ(entries(), 1U);
  w_.clock.set(second(3'000));
  w_.compact();
  EXPECT_EQ(left(), 0U);
}

TEST_F(ItemIndexTest, TheEntriesExpireWithTheirDocument) {
  const auto plain =
      w_.collection("plain", {.keep_feed_for = Span::seconds(1'000)}, {{"tags", {each("tags")}}});
  must(w_.put(plain, "a", R"({"tags":[1,2,3]})", At{second(1'010)}));
  must(w_.put(plain, "b", R"({"tags":[1]})"));
  EXPECT_EQ(w_.list_index(plain, "tags"), "a b a a");
  w_.clock.set(second(1'010));
  EXPECT_EQ(w_.list_index(plain, "tags"), "b");
  w_.sweep();
  w_.compact();
  EXPECT_EQ(w_.rows(keys::Table::index, plain), 1U);
}

// Records what its greatest commit removes.
class MeasuredStore final : public store::Forward {
 public:
  using Forward::Forward;
  std::size_t removed_max = 0;
  Result<void> commit(const store::CommitBatch& batch) override {
    removed_max = std::max(removed_max, batch.removals.size());
    return Forward::commit(batch);
  }
};

TEST(ItemSweepTest, OneCommitOfTheSweeperRemovesABoundedNumberOfEntries) {
  auto owned = std::make_unique<MeasuredStore>(store::open_memory());
  MeasuredStore& measured = *owned;
  World w(std::move(owned));
  const auto c =
      w.collection("c", {.keep_trash_for = Span::seconds(1'000), .expires_to_trash = true},
                   {{"long", {{Field::body("s")}, each("tags")}}});
  std::string json = numbered(limits::entries_per_document_max);
  json.replace(0, 1, R"({"s":")" + std::string(900, 'x') + R"(",)");
  for (int i = 0; i < 30; ++i) must(w.put(c, std::to_string(i), json, At{second(1'010)}));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(w.rows(keys::Table::index, c), 0U);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 30U);
  EXPECT_GT(measured.removed_max, limits::entries_per_document_max);
  EXPECT_LT(measured.removed_max, 10 * limits::entries_per_document_max);
}

TEST_F(ItemIndexTest, AnIndexIsFilledWithAllEntries) {
  for (int i = 0; i < 300; ++i) EXPECT_EQ(put(std::to_string(i), numbered(3, "n")), "");
  must(w_.database->create_index(c_->id, {"n", {each("n")}}));
  EXPECT_EQ(entries(), 300U + 900U);
  EXPECT_EQ(put("many", numbered(limits::entries_per_document_max + 1, "m")), "");
  const auto made = w_.database->create_index(c_->id, {"m", {each("m")}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::too_large);
  EXPECT_EQ(entries(), 301U + 901U);
}

TEST_F(ItemIndexTest, AnIndexOfManyBytesIsFilledInSeveralCommits) {
  std::string json = numbered(limits::entries_per_document_max, "n");
  json.replace(0, 1, R"({"s":")" + std::string(900, 'x') + R"(",)");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(put(std::to_string(i), json), "");
  must(w_.database->create_index(c_->id, {"long", {{Field::body("s")}, each("n")}}));
  EXPECT_EQ(entries(), 20U + 20U * limits::entries_per_document_max);
}

// Records what a repair writes of the catalog and of indexes.
class RecordingStore final : public store::Forward {
 public:
  struct Writes {
    std::set<Bytes> entries;
    Bytes collection;
  };
  RecordingStore(std::unique_ptr<store::Store> inner, Writes& writes)
      : Forward(std::move(inner)), writes_(writes) {}
  Result<void> commit(const store::CommitBatch& batch) override {
    for (const store::Put& put : batch.puts) {
      if (put.key[0] == static_cast<char>(keys::Table::index)) writes_.entries.insert(put.key);
      if (put.key.starts_with(keys::all_collections())) writes_.collection = put.value;
    }
    return Forward::commit(batch);
  }

 private:
  Writes& writes_;
};

// A new store with all rows of the given one.
std::unique_ptr<store::Store> copy_of(store::Store& from) {
  std::map<store::Version, store::CommitBatch> commits;
  store::Range range{.lo = Bytes(1, '\0')};
  for (bool more = true; more;) {
    const auto page = std::move(must(from.read({{}, {range}}, nullptr)).scans.front());
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      store::CommitBatch& batch = commits[row.version];
      batch.version = row.version;
      batch.puts.push_back({Bytes(row.key), Bytes(row.value)});
    }
    more = page.next.has_value();
    if (more) range.lo = *page.next;
  }
  auto copy = store::open_memory();
  for (const auto& [version, batch] : commits) must(copy->commit(batch));
  return copy;
}

TEST_F(ItemIndexTest, ARepairMakesItAgainAsItIs) {
  must(w_.database->create_index(c_->id, {"both", {each("tags"), null_last("n", true)}}));
  EXPECT_EQ(put("a", R"({"tags":[1,2,3],"n":null})"), "");
  EXPECT_EQ(put("b", R"({"tags":[],"n":5})"), "");
  RecordingStore::Writes writes;
  const RepairSummary mended =
      must(mend(std::make_unique<RecordingStore>(copy_of(w_.database->store()), writes)));
  EXPECT_EQ(mended.indexes, 2U);
  EXPECT_TRUE(mended.dropped_indexes.empty());
  EXPECT_EQ(writes.entries.size(), 2U * 4U);
  const Collection made = must(decode_collection(writes.collection));
  EXPECT_EQ(made.find_index("both")->fields, w_.now(c_)->find_index("both")->fields);
  EXPECT_EQ(made.find_index("tags")->fields, c_->find_index("tags")->fields);
}

TEST_F(ItemIndexTest, InAUniqueIndexEachItemIsOfOneDocument) {
  const IndexSpec unique{"u", {{Field::body("n")}, each("mails")}, Uniqueness::of_complete};
  must(w_.database->create_index(c_->id, unique));
  EXPECT_EQ(put("a", R"({"n":1,"mails":["x","y","x"]})"), "");
  EXPECT_EQ(put("b", R"({"n":1,"mails":["z","y"]})"), "exists .n");
  EXPECT_EQ(put("b", R"({"n":1,"mails":"y"})"), "exists .n");
  EXPECT_EQ(put("b", R"({"n":2,"mails":["z","y"]})"), "");
  EXPECT_EQ(put("a", R"({"n":1,"mails":["y","z"]})"), "");
  EXPECT_EQ(put("c", R"({"n":1,"mails":["x"]})"), "");
  EXPECT_EQ(put("d", R"({"n":1,"mails":[]})"), "");
  EXPECT_EQ(put("e", R"({"n":1,"mails":[]})"), "");
  EXPECT_EQ(put("f", R"({"n":1})"), "");
  must(w_.database->drop_index(c_->id, "u"));
  EXPECT_EQ(put("g", R"({"n":1,"mails":["other","z"]})"), "");
  EXPECT_EQ(w_.database->create_index(c_->id, unique).error().code, Code::exists);
}

class NullLastTest : public ItemIndexTest {
 protected:
  NullLastTest() {
    must(w_.database->create_index(c_->id, {"up", {null_last("n")}}));
    must(w_.database->create_index(c_->id, {"down", {null_last("n", true)}}));
    must(w_.database->create_index(c_->id, {"u", {null_last("u")}, Uniqueness::of_complete}));
  }
};

TEST_F(NullLastTest, NullAndWhatIsMissingAreOneValueBehindAllOthers) {
  EXPECT_EQ(put("b", R"({"n":null})"), "");
  EXPECT_EQ(put("a", "{}"), "");
  EXPECT_EQ(put("c", R"({"n":null})"), "");
  EXPECT_EQ(put("d", R"({"n":{"x":null}})"), "");
  EXPECT_EQ(put("e", R"({"n":[]})"), "");
  EXPECT_EQ(put("f", R"({"n":5})"), "");
  EXPECT_EQ(put("g", R"({"n":false})"), "");
  EXPECT_EQ(w_.list_index(c_, "up"), "g f e d a b c");
  EXPECT_EQ(w_.list_index(c_, "down"), "a b c d e f g");
}

TEST_F(NullLastTest, AnUpdateBetweenThemWritesNoRow) {
  EXPECT_EQ(put("a", "{}"), "");
  EXPECT_EQ(put("a", R"({"n":null})"), "");
  EXPECT_EQ(left(), 0U);
  const Instant first = w_.database->now();
  w_.clock.set(second(1'010));
  EXPECT_EQ(put("a", R"({"n":1})"), "");
  EXPECT_EQ(left(), 2U);
  EXPECT_EQ(list("up", first), "a");
  EXPECT_EQ(list("down", first), "a");
}

TEST_F(NullLastTest, ADocumentWithNullNeedNotBeUnique) {
  EXPECT_EQ(put("a", R"({"u":null})"), "");
  EXPECT_EQ(put("b", R"({"u":null})"), "");
  EXPECT_EQ(put("c", R"({})"), "");
  EXPECT_EQ(put("d", R"({"u":1})"), "");
  EXPECT_EQ(put("e", R"({"u":1})"), "exists .u");
}

TEST(IdNumberTest, AnIdIsANumberWhereItIsWrittenAsOne) {
  World w;
  const auto c = w.collection("c", {}, {{"by_number", {{Field::metadata("id_number")}}}});
  for (const char* id : {"10", "9", "0", "00", "01", "-1", "1.0", "a", "9223372036854775807",
                         "9223372036854775808", "+1", "1e3"}) {
    must(w.put(c, id, "{}"));
  }
  EXPECT_EQ(w.list_index(c, "by_number"),
            "0 9 10 9223372036854775807 +1 -1 00 01 1.0 1e3 9223372036854775808 a");
}

}  // namespace
}  // namespace mayfly
