// Indexes of the value of an expression, instead of a field.
#include <gtest/gtest.h>

#include "db/repair.h"
#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;
using testing::second;
using testing::World;

IndexField computed(const ExprPtr& expression) {
  return {.null_is_greatest = true, .computed = must(StoredExpression::of(expression))};
}
IndexField lower_mail() {
  return computed(expr::call("lower", {expr::body("mail")}));
}

class ComputedIndexTest : public ::testing::Test {
 protected:
  std::string list(Instant at) {
    View view = w_.database->view();
    const CollectionPtr c = w_.now(c_);
    const Lens lens = must(view.as_of(at, *c));
    const IndexPage page = must(view.scan_index(*c, *c->find_index("by_mail"), {}, lens));
    std::string ids;
    for (const IndexEntry& e : page.entries) {
      ids += (ids.empty() ? "" : " ") + std::string(keys::id_of(e.key()));
    }
    return ids;
  }
  std::string list() { return w_.list_index(w_.now(c_), "by_mail"); }
  std::string put(const std::string& id, const std::string& json, Lifetime lifetime = Never{}) {
    const auto put = w_.put(c_, id, json, lifetime);
    return put ? "" : std::string(name_of(put.error().code)) + " " + put.error().field;
  }
  std::size_t entries() { return w_.rows(keys::Table::index, c_); }

  World w_;
  CollectionPtr c_ = w_.collection(
      "c", {.keep_history_for = Span::seconds(1'000)},
      {{.name = "by_mail", .fields = {lower_mail()}, .unique = Uniqueness::of_complete}});
};

TEST_F(ComputedIndexTest, ItHoldsEachDocumentUnderWhatTheExpressionGives) {
  EXPECT_EQ(put("1", R"({"mail":"b"})"), "");
  EXPECT_EQ(put("2", R"({"mail":"A"})"), "");
  EXPECT_EQ(put("3", R"({"mail":7})"), "");
  EXPECT_EQ(put("4", R"({})"), "");
  EXPECT_EQ(list(), "2 1 3 4");
  EXPECT_EQ(entries(), 4U);
}

TEST_F(ComputedIndexTest, ASecondDocumentWithTheSameValueIsRefused) {
  EXPECT_EQ(put("1", R"({"mail":"Ann"})"), "");
  EXPECT_EQ(put("2", R"({"mail":"aNN"})"), "exists lower(.mail)");
  EXPECT_EQ(put("2", R"({"mail":"bob"})"), "");
  EXPECT_EQ(put("2", R"({"mail":"ANN"})"), "exists lower(.mail)");
  EXPECT_EQ(put("1", R"({"mail":"ANN"})"), "");
  EXPECT_EQ(put("3", R"({})"), "");
  EXPECT_EQ(put("4", R"({"mail":null})"), "");
  must(w_.remove(c_, "1"));
  EXPECT_EQ(put("2", R"({"mail":"ann"})"), "");
}

TEST_F(ComputedIndexTest, TheValueOfAnExpiredDocumentIsFree) {
  EXPECT_EQ(put("1", R"({"mail":"ann"})", At{second(1'010)}), "");
  EXPECT_EQ(put("2", R"({"mail":"ANN"})"), "exists lower(.mail)");
  w_.clock.set(second(1'010));
  EXPECT_EQ(put("2", R"({"mail":"ANN"})"), "");
  EXPECT_EQ(list(), "2");
}

TEST_F(ComputedIndexTest, OneTransactionSeesItsOwnEntriesAndEndsWithTheLast) {
  const auto done = w_.database->transact([&](Transaction& t) -> Result<void> {
    const auto put = [&](const char* id, const char* json) {
      return t.put(w_.now(c_), DocumentKey::of(id), must(pack_json(json)), {});
    };
    TRY(put("1", R"({"mail":"X"})"));
    EXPECT_FALSE(put("2", R"({"mail":"x"})"));
    TRY(put("1", R"({"mail":"Y"})"));
    TRY(put("2", R"({"mail":"x"})"));
    TRY(put("1", R"({"mail":"A"})"));
    return {};
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(list(), "1 2");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(ComputedIndexTest, ItIsReadAsOfThePast) {
  EXPECT_EQ(put("1", R"({"mail":"A"})"), "");
  EXPECT_EQ(put("2", R"({"mail":"b"})"), "");
  const Instant then = w_.database->now();
  w_.clock.set(second(1'005));
  EXPECT_EQ(put("1", R"({"mail":"C"})"), "");
  EXPECT_EQ(list(), "2 1");
  EXPECT_EQ(list(then).find("2") != std::string::npos, true);
  EXPECT_EQ(list(then), "1 2");
}

TEST_F(ComputedIndexTest, ItIsBuiltForExistingDocumentsAndRepaired) {
  const auto plain = w_.collection("plain");
  must(w_.put(plain, "1", R"({"mail":"B"})"));
  must(w_.put(plain, "2", R"({"mail":"a"})"));
  must(w_.database->create_index(plain->id, {.name = "by_mail", .fields = {lower_mail()}}));
  EXPECT_EQ(w_.list_index(w_.now(plain), "by_mail"), "2 1");
  must(w_.put(plain, "3", R"({"mail":"b"})"));
  const auto refused = w_.database->create_index(
      plain->id, {.name = "unique", .fields = {lower_mail()}, .unique = Uniqueness::of_complete});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::exists);
  EXPECT_EQ(refused.error().field, "lower(.mail)");
}

TEST_F(ComputedIndexTest, WhatCannotBeComputedWithinTheBoundsKeepsNoClientFromWriting) {
  // Each of the texts is built separately, so together they exceed the bound of one evaluation.
  ExprList parts;
  for (int i = 0; i < 20; ++i) parts.push_back(expr::call("lower", {expr::body("long")}));
  const ExprPtr large = expr::call("length", {expr::call("concat", std::move(parts))});
  const auto c = w_.collection("large", {}, {{"by_length", {computed(large)}}});
  const std::string text(1 << 20, 'a');
  must(w_.put(c, "1", R"({"long":"ab"})"));
  must(w_.put(c, "2", R"({"long":")" + text + R"("})"));
  must(w_.put(c, "3", R"({"long":"a"})"));
  EXPECT_EQ(w_.list_index(c, "by_length"), "3 1 2");
}

TEST_F(ComputedIndexTest, AValueThatIsTooLongIsRefusedAsThatOfAField) {
  EXPECT_EQ(put("1", R"({"mail":")" + std::string(5'000, 'A') + R"("})"), "too_large lower(.mail)");
}

TEST_F(ComputedIndexTest, ItIsIndexedAsAWhole) {
  IndexField each = lower_mail();
  each.is_each = true;
  const auto made = w_.database->create_index(c_->id, {.name = "each", .fields = {each}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "an expression is indexed as a whole");
}

// An earlier version, which requires a path, refuses the row.
TEST_F(ComputedIndexTest, TheRowOfTheCatalogHasTheExpressionInPlaceOfAPath) {
  const std::string row = encode(*c_);
  EXPECT_NE(row.find(R"({"part":"body","expression":"{\"call\":\"lower\",)"), std::string::npos)
      << row;
  EXPECT_EQ(row.find(R"("path")"), std::string::npos) << row;
  const auto again = decode_collection(row);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->indexes[0].fields, c_->indexes[0].fields);
  EXPECT_EQ(encode(*again), row);
  std::string damaged = row;
  damaged.replace(damaged.find("lower"), 5, "lowor");
  EXPECT_FALSE(decode_collection(damaged));
}

}  // namespace
}  // namespace mayfly
