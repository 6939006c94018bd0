// Tests of values: sharing, members, kinds.
#include "value/value.h"

#include <gtest/gtest.h>

#include "value/json/json.h"

namespace mayfly {
namespace {

TEST(ValueTest, ACopyDoesNotChangeWithTheOriginal) {
  Value a = Object{{"tags", Array{1, 2}}};
  const Value b = a;
  a.mutable_object().find("tags")->mutable_array().push_back(3);
  EXPECT_EQ(render_json(a), R"({"tags":[1,2,3]})");
  EXPECT_EQ(render_json(b), R"({"tags":[1,2]})");
}

TEST(ValueTest, MembersKeepTheirPlaceWhenTheyAreSetAgain) {
  Object o{{"a", 1}, {"b", 2}, {"a", 3}};
  o.set("c", 4);
  o.set("b", Null());
  EXPECT_EQ(render_json(o), R"({"a":3,"b":null,"c":4})");
  EXPECT_TRUE(o.remove("a"));
  EXPECT_FALSE(o.remove("a"));
  EXPECT_EQ(render_json(o), R"({"b":null,"c":4})");
}

TEST(ValueTest, AMemberOfANonObjectIsMissing) {
  EXPECT_TRUE(Value(1).member("a").is_missing());
  EXPECT_TRUE(Value(Object{{"b", 1}}).member("a").is_missing());
  EXPECT_TRUE(Value(Object{{"a", nullptr}}).member("a").is_null());
}

TEST(ValueTest, EveryAlternativeHasItsKind) {
  const Value values[] = {Missing(), Null(), true,        1,           1.5,     "t",
                          Instant{}, Date{}, Binary{"b"}, Reference{}, Array{}, Object{}};
  for (int i = 0; i < 12; ++i) EXPECT_EQ(values[i].kind(), static_cast<Kind>(i)) << i;
  EXPECT_EQ(name_of(Kind::reference), "reference");
}

}  // namespace
}  // namespace mayfly
