// Truncated values keep the order and their size bound.
#include "value/order/truncated_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "value/arbitrary.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly {
namespace {

// Texts with a common prefix, and a length near the bound.
rc::Gen<std::string> text_near_bound() {
  return rc::gen::apply(
      [](int length, const std::string& end) {
        return std::string(static_cast<std::size_t>(length), 'a') + end;
      },
      rc::gen::inRange(0, 40), arbitrary::text());
}

rc::Gen<Value> near() {
  const auto text = [](std::string s) { return Value(std::move(s)); };
  const auto binary = [](std::string s) { return Value(Binary{std::move(s)}); };
  const auto reference = [](std::pair<std::string, std::string> p) {
    return Value(Reference{std::move(p.first), std::move(p.second)});
  };
  return rc::gen::oneOf(
      rc::gen::map(text_near_bound(), text), rc::gen::map(text_near_bound(), binary),
      rc::gen::map(rc::gen::pair(text_near_bound(), text_near_bound()), reference),
      arbitrary::value());
}

RC_GTEST_PROP(TruncatedValueProperty, TruncatedValuesKeepTheOrderAndTheBound, ()) {
  const auto bytes_max = *rc::gen::inRange<std::size_t>(truncated_bytes_min, 50);
  const Value a = *near();
  const Value b = *near();
  const TruncatedValue of_a = truncated_value(a, bytes_max);
  const TruncatedValue of_b = truncated_value(b, bytes_max);
  if (order(a, b) <= 0) RC_ASSERT(!(order(of_a.value, of_b.value) > 0));
  if (order(a, b) >= 0) RC_ASSERT(!(order(of_a.value, of_b.value) < 0));
  if (of_a.is_exact && !same(a, b)) RC_ASSERT(!same(of_a.value, of_b.value));
  if (is_never_truncated(a.kind())) RC_ASSERT(of_a.is_exact && same(a, of_a.value));
  Bytes key;
  RC_ASSERT(put_sort_key(key, of_a.value).has_value());
  RC_ASSERT(key.size() <= bytes_max);
}

TEST(TruncatedValueTest, AShortValueIsNotTruncated) {
  EXPECT_TRUE(truncated_value("abc", 16).is_exact);
  EXPECT_EQ(truncated_value("abc", 16).value.text(), "abc");
  EXPECT_TRUE(truncated_value(Value(), 16).is_exact);
  EXPECT_FALSE(truncated_value(Array(), 16).is_exact);
  EXPECT_EQ(truncated_value(std::string(20, 'x'), 16).value.text(), std::string(13, 'x'));
}

}  // namespace
}  // namespace mayfly
