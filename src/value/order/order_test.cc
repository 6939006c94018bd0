// The order of values, and the same order of sort keys.
#include "value/order/order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/limits.h"
#include "value/arbitrary.h"
#include "value/json/json.h"
#include "value/order/sort_key.h"

namespace mayfly {
namespace {

constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;
const std::string nul_text(1, '\0');

// Strictly ascending.
std::vector<Value> ascending_values() {
  using Reals = std::numeric_limits<double>;
  using Integers = std::numeric_limits<std::int64_t>;
  return {Missing(), Null(), false, true,
          // numbers
          Reals::quiet_NaN(), -Reals::infinity(), -1e300, -9223372036854777856.0, Integers::min(),
          Integers::min() + 1, -two_to_53 - 2, -two_to_53 - 1, -static_cast<double>(two_to_53),
          -two_to_53 + 1, -1.5, -1, -Reals::denorm_min(), 0, Reals::denorm_min(), 0.5, 1, 1.5, 2,
          two_to_53 - 1, static_cast<double>(two_to_53), two_to_53 + 1, two_to_53 + 2,
          two_to_53 + 3, 9223372036854774784.0, Integers::max() - 1, Integers::max(),
          9223372036854775808.0, 1e300, Reals::infinity(),
          // texts
          "", nul_text, nul_text + nul_text, nul_text + "\x01", nul_text + "a", "\x01", "a",
          "a" + nul_text, "a" + nul_text + "b", "a\x01", "ab", "b", "é", "\xEF\xBF\xBD", "😀",
          // times, dates, binary, references
          Instant{-1}, Instant{0}, Instant{1}, Date{-1}, Date{0}, Date{1}, Binary{""},
          Binary{nul_text}, Binary{"\xFF"}, Binary{"\xFF" + nul_text}, Reference{"", "z"},
          Reference{"a", "b"}, Reference{"a", "c"}, Reference{"a" + nul_text, "a"},
          Reference{"b", "a"},
          // arrays
          Array{}, Array{Missing()}, Array{Null()}, Array{1}, Array{1, 1}, Array{2}, Array{"a"},
          Array{Array{}}, Array{Array{}, 1}, Array{Array{1}},
          // objects
          Object{}, Object{{"a", 1}}, Object{{"b", 0}, {"a", 1}}, Object{{"a", 2}},
          Object{{"a", Object{}}}, Object{{"a" + nul_text, 0}}, Object{{"b", 0}}};
}

int sign(std::strong_ordering o) {
  return o < 0 ? -1 : o > 0 ? 1 : 0;
}
int sign(int n) {
  return n < 0 ? -1 : n > 0 ? 1 : 0;
}

Bytes key_of(const Value& value, bool descending = false) {
  Bytes key;
  EXPECT_TRUE(put_sort_key(key, value, descending));
  return key;
}

TEST(OrderTest, EachValueOfTheLadderIsGreaterThanTheOnesBeforeIt) {
  const std::vector<Value> steps = ascending_values();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = 0; j < steps.size(); ++j) {
      const int expected = i < j ? -1 : i > j ? 1 : 0;
      EXPECT_EQ(sign(order(steps[i], steps[j])), expected)
          << i << " " << render_json(steps[i]) << "  " << j << " " << render_json(steps[j]);
      EXPECT_EQ(sign(key_of(steps[i]).compare(key_of(steps[j]))), expected)
          << i << " " << render_json(steps[i]) << "  " << j << " " << render_json(steps[j]);
    }
  }
}

TEST(OrderTest, EqualValuesOfDifferentKindsAreTheSameAndHaveTheSameKey) {
  const std::pair<Value, Value> pairs[] = {
      {2, 2.0},
      {0, -0.0},
      {two_to_53, 9007199254740992.0},
      {std::numeric_limits<std::int64_t>::min(), -9223372036854775808.0},
      {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()},
      {Object{{"a", 1}, {"b", 2}}, Object{{"b", 2.0}, {"a", 1}}},
      {Object{{"a", 1}, {"b", Missing()}}, Object{{"a", 1}}}};
  for (const auto& [a, b] : pairs) {
    EXPECT_TRUE(same(a, b)) << render_json(a);
    EXPECT_TRUE(same(b, a)) << render_json(a);
    EXPECT_EQ(key_of(a), key_of(b)) << render_json(a);
  }
}

RC_GTEST_PROP(OrderProperty, SortKeysHaveTheOrderOfTheirValues, ()) {
  const Value a = *arbitrary::value();
  const Value b = *rc::gen::oneOf(arbitrary::value(), rc::gen::just(a));
  Bytes left, right;
  RC_PRE(put_sort_key(left, a).has_value() && put_sort_key(right, b).has_value());
  RC_ASSERT(sign(order(a, b)) == sign(left.compare(right)));
  RC_ASSERT(sign(order(b, a)) == -sign(order(a, b)));
}

RC_GTEST_PROP(OrderProperty, SortKeysOfNumbersHaveTheirExactOrder, ()) {
  const Value a = *arbitrary::number();
  const Value b = *arbitrary::number();
  RC_ASSERT(sign(order(a, b)) == sign(key_of(a).compare(key_of(b))));
  RC_ASSERT(sign(order(a, b)) == -sign(key_of(a, true).compare(key_of(b, true))));
}

RC_GTEST_PROP(OrderProperty, AKeyDecodesToTheSameValueAndTerminatesItself, ()) {
  const Value value = *arbitrary::value();
  const bool descending = *rc::gen::arbitrary<bool>();
  Bytes key;
  RC_PRE(put_sort_key(key, value, descending).has_value());
  const std::size_t size = key.size();
  key += *rc::gen::arbitrary<std::string>();
  Reader skipped(key);
  RC_ASSERT(skip_sort_key(skipped, descending).size() == size);
  RC_ASSERT(skipped.rest().size() == key.size() - size);
  Reader taken(key);
  const auto again = take_sort_key(taken, descending);
  RC_ASSERT(again.has_value());
  RC_ASSERT(same(*again, value));
  RC_ASSERT(taken.rest().size() == key.size() - size);
}

RC_GTEST_PROP(OrderProperty, ReadingDamagedKeysIsSafe, ()) {
  Bytes key;
  RC_PRE(put_sort_key(key, *arbitrary::value()).has_value());
  for (int i = 0; i < 3; ++i) {
    key[*rc::gen::inRange<std::size_t>(0, key.size())] = *rc::gen::arbitrary<char>();
  }
  key.resize(*rc::gen::inRange<std::size_t>(0, key.size() + 1));
  Reader in(key);
  take_sort_key(in);
  Reader descending(key);
  take_sort_key(descending, true);
}

TEST(SortKeyTest, WholeNumbersAreDecodedAsIntegers) {
  const Bytes key = key_of(2.0) + key_of(two_to_53 + 1) + key_of(1e300) + key_of(2.5);
  Reader in(key);
  EXPECT_TRUE(take_sort_key(in)->is(Kind::integer));
  EXPECT_EQ(take_sort_key(in)->integer(), two_to_53 + 1);
  EXPECT_TRUE(take_sort_key(in)->is(Kind::real));
  EXPECT_EQ(take_sort_key(in)->real(), 2.5);
  EXPECT_TRUE(in.done());
}

TEST(SortKeyTest, ATooLongKeyIsRefusedAndNothingIsAppended) {
  Bytes out = "before";
  const Value fits = std::string(limits::indexed_bytes_max - 3, 'x');
  EXPECT_TRUE(put_sort_key(out, fits));
  out = "before";
  Array many(400, "");
  Value deep = Array{};
  for (int i = 0; i < 200; ++i) deep = Array{deep};
  for (const Value& value : {Value(fits.text() + "x"), Value(std::string(5'000'000, nul_text[0])),
                             Value(many), deep, Value(Object{{std::string(1000, 'n'), 1}})}) {
    const auto put = put_sort_key(out, value);
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, Code::too_large);
    EXPECT_EQ(out, "before");
  }
}

TEST(SortKeyTest, MalformedKeysFail) {
  const std::string number = key_of(1);
  const std::string nested(5'000, static_cast<char>(sort_tag(Kind::array)));
  for (const std::string& bytes :
       {std::string(), nul_text, std::string("\xFF"), number.substr(0, 5), key_of("a").substr(0, 3),
        key_of(Array{1}).substr(0, 10), key_of(Object{{"a", 1}}).substr(0, 4), nested,
        std::string(1, static_cast<char>(sort_tag(Kind::boolean))) + "\x02"}) {
    Reader in(bytes);
    const auto taken = take_sort_key(in);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, Code::corrupt);
    EXPECT_FALSE(in.ok());
  }
}

TEST(SortKeyTest, TheGreatestNullSortsAfterAllKindsAndIsDecodedAsNull) {
  const Value greatest = Object{{"zzz", Object{{"z", 1}}}};
  for (const bool descending : {false, true}) {
    Bytes null, other;
    put_greatest_null(null, descending);
    ASSERT_TRUE(put_sort_key(other, greatest, descending));
    EXPECT_EQ(null < other, descending);
    const Bytes followed = null + other;
    Reader skipped(followed), taken(followed);
    EXPECT_EQ(skip_sort_key(skipped, descending), null);
    EXPECT_TRUE(take_sort_key(taken, descending)->is_null());
    EXPECT_EQ(taken.rest(), BytesView(other));
  }
  Bytes within(1, static_cast<char>(sort_tag(Kind::array)));
  put_greatest_null(within);
  within.push_back('\0');
  Reader in(within);
  EXPECT_FALSE(take_sort_key(in));
}

TEST(OrderTest, TheGreatestNullEqualsMissing) {
  EXPECT_TRUE(order_null_greatest(Value(), Null()) == 0);
  EXPECT_TRUE(order_null_greatest(Null(), Null()) == 0);
  for (const Value& other : {Value(false), Value(1e300), Value(Object{{"a", Null()}})}) {
    EXPECT_TRUE(order_null_greatest(Value(), other) > 0);
    EXPECT_TRUE(order_null_greatest(other, Null()) < 0);
  }
  EXPECT_TRUE(order_null_greatest(1, "a") < 0);
}

TEST(SortKeyTest, KindsSortByTheirTags) {
  for (int k = 1; k <= static_cast<int>(Kind::object); ++k) {
    const auto kind = static_cast<Kind>(k);
    const auto below = static_cast<Kind>(k - 1);
    if (kind == Kind::real) {
      EXPECT_EQ(sort_tag(kind), sort_tag(below));
    } else {
      EXPECT_GT(sort_tag(kind), sort_tag(below));
    }
  }
}

}  // namespace
}  // namespace mayfly
