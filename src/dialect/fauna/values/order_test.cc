// Equality and order.
#include "dialect/fauna/values/order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "dialect/fauna/values/arbitrary.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

FqlObject member(const char* name, FqlValue value) {
  FqlObject object;
  object.append(name, std::move(value));
  return object;
}

TEST(FqlOrderTest, KindsAndValuesHaveOneOrder) {
  const FqlValue rows[] = {
      std::nan(""),
      -1.5,
      -1,
      1,
      1.5,
      long_number(9'007'199'254'740'993),
      ByteText{"a"},
      ByteText{"b"},
      "",
      "a",
      "é",
      "\uD7FF",
      "😀",
      "\uE000",
      FqlArray{},
      FqlArray{1},
      FqlArray{1, nullptr},
      FqlArray{2},
      FqlObject(),
      member("a", 1),
      member("a", nullptr),
      member("b", 0),
      Id{"9"},
      Id{"10"},
      Id{"x"},
      DocumentHandle{.collection = "Bar", .id = "9"},
      DocumentHandle{.collection = "Foo", .id = "9"},
      DocumentHandle{.collection = "Foo", .id = "10"},
      FqlTime{-1, 0},
      FqlTime{0, 1},
      TransactionTime{},
      FqlDate{0},
      Uuid{"0"},
      false,
      true,
      module_of("Bar"),
      SetCursor{"a"},
      EventSourceToken{"a"},
      nullptr,
  };
  for (const FqlValue& a : rows) {
    for (const FqlValue& b : rows) {
      EXPECT_EQ(total_order(a, b), &a <=> &b) << debug_text(a) << ' ' << debug_text(b);
    }
  }
}

RC_GTEST_PROP(FqlOrderTest, TheOrderIsTotalAndTransitive, ()) {
  const FqlValue a = *arbitrary::value();
  const FqlValue b = *arbitrary::value();
  const FqlValue c = *arbitrary::value();
  RC_ASSERT((total_order(a, a) == 0));
  RC_ASSERT((total_order(a, b) == 0 <=> total_order(b, a)));
  if (total_order(a, b) <= 0 && total_order(b, c) <= 0) RC_ASSERT((total_order(a, c) <= 0));
}

TEST(FqlOrderTest, UnrelatedKindsAreNeitherLessNorMore) {
  const std::pair<FqlValue, FqlValue> rows[] = {{nullptr, 30},
                                                {1, "1"},
                                                {true, 1},
                                                {FqlTime{}, FqlDate{}},
                                                {Id{"x"}, 1},
                                                {Id{"1"}, "x"},
                                                {std::nan(""), 1},
                                                {std::nan(""), std::nan("")},
                                                {FqlArray{}, FqlObject()}};
  for (const auto& [a, b] : rows) {
    EXPECT_EQ(compare(a, b), std::partial_ordering::unordered) << debug_text(a);
    EXPECT_EQ(compare(b, a), std::partial_ordering::unordered) << debug_text(a);
    EXPECT_FALSE(equal(a, b)) << debug_text(a);
  }
  EXPECT_EQ(compare(nullptr, nullptr), std::partial_ordering::equivalent);
  EXPECT_EQ(compare(FqlArray{1, "x"}, FqlArray{1, "x"}), std::partial_ordering::equivalent);
}

TEST(FqlOrderTest, IdsCompareWithTheirDigits) {
  EXPECT_EQ(compare(Id{"9"}, "10"), std::partial_ordering::less);
  EXPECT_EQ(compare("10", Id{"9"}), std::partial_ordering::greater);
  EXPECT_EQ(compare(Id{"9"}, 10), std::partial_ordering::less);
  EXPECT_EQ(compare(9.5, Id{"9"}), std::partial_ordering::greater);
}

TEST(FqlOrderTest, EqualityIsByValue) {
  FqlObject forth = member("a", 1);
  forth.append("b", "x");
  FqlObject back = member("b", "x");
  back.append("a", 1.0);
  const std::pair<FqlValue, FqlValue> equals[] = {
      {1, 1.0},
      {long_number(1), 1},
      {0.0, -0.0},
      {Id{"7"}, "7"},
      {7, Id{"7"}},
      {forth, back},
      {FqlArray{1, Id{"2"}}, FqlArray{1.0, "2"}},
      {DocumentHandle{.collection = "Foo", .id = "1"},
       DocumentHandle{.collection = "Foo", .id = "1", .at = Instant{5}}},
      {module_of("Foo"), module_of("Foo")},
  };
  for (const auto& [a, b] : equals) EXPECT_TRUE(equal(a, b)) << debug_text(a);
  const std::pair<FqlValue, FqlValue> others[] = {
      {1, "1"},
      {Id{"7"}, "07"},
      {forth, member("a", 1)},
      {FqlArray{1}, FqlArray{1, nullptr}},
      {long_number(9'007'199'254'740'993), 9007199254740992.0},
      {DocumentHandle{.collection = "Foo", .id = "1"}, nullptr},
  };
  for (const auto& [a, b] : others) EXPECT_FALSE(equal(a, b)) << debug_text(a);
}

}  // namespace
}  // namespace mayfly::fauna
