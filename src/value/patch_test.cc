// Tests of merging and assigning.
#include "value/patch.h"

#include <gtest/gtest.h>

#include "value/json/json.h"

namespace mayfly {
namespace {

struct PatchRow {
  const char* target;
  const char* patch;
  const char* expected;
};

TEST(PatchTest, MergingFollowsRfc7396) {
  const PatchRow rows[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", "{}"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", "null", "null"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {"[1,2]", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {"{}", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
      {R"({"a":1,"b":2,"c":3})", R"({"d":4,"b":5})", R"({"a":1,"b":5,"c":3,"d":4})"},
  };
  for (const PatchRow& row : rows) {
    const Value target = parse_json(row.target).value();
    EXPECT_EQ(render_json(merge_patch(target, parse_json(row.patch).value())), row.expected);
    EXPECT_EQ(render_json(target), row.target);
  }
}

TEST(PatchTest, AssigningReplacesOneLevelDeep) {
  const PatchRow rows[] = {
      {R"({"a":1,"b":{"x":1}})", R"({"b":{"y":2},"c":null})", R"({"a":1,"b":{"y":2},"c":null})"},
      {R"({"a":1})", "7", R"({"a":1})"},
      {"7", R"({"a":1})", R"({"a":1})"},
  };
  for (const PatchRow& row : rows) {
    EXPECT_EQ(render_json(assign(parse_json(row.target).value(), parse_json(row.patch).value())),
              row.expected);
  }
}

TEST(PatchTest, MissingMembersChangeNothing) {
  const Value target = Object{{"a", 1}, {"b", 2}};
  const Value patch = Object{{"a", Missing()}, {"c", Missing()}, {"b", 3}};
  EXPECT_EQ(render_json(merge_patch(target, patch)), R"({"a":1,"b":3})");
  EXPECT_EQ(render_json(assign(target, patch)), R"({"a":1,"b":3})");
}

TEST(PatchTest, AHundredThousandMembersAreMergedQuickly) {
  Object target, patch;
  for (int i = 0; i < 100'000; ++i) {
    target.append(std::to_string(i), i);
    patch.append(std::to_string(i + 50'000), i % 2 ? Value(i) : Value(Null()));
  }
  const Value merged = merge_patch(target, patch);
  EXPECT_EQ(merged.object().size(), 50'000U + 50'000U);
}

}  // namespace
}  // namespace mayfly
