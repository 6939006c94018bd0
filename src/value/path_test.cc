// Tests of paths.
#include "value/path.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "value/arbitrary.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

TEST(PathTest, PathsAreReadAndWritten) {
  const std::pair<const char*, const char*> rows[] = {{"", "."},
                                                      {".", "."},
                                                      {"a", ".a"},
                                                      {".a.b[3]", ".a.b[3]"},
                                                      {"a[0][1].b", ".a[0][1].b"},
                                                      {"[0]", ".[0]"},
                                                      {".[0].a", ".[0].a"},
                                                      {R"(a["b c"]["d"])", R"(.a["b c"].d)"},
                                                      {R"(["\u0000\"]"].x)", R"(.["\u0000\"]"].x)"},
                                                      {"$v1-x_y", ".$v1-x_y"},
                                                      {"grün", ".grün"},
                                                      {"a.3", ".a.3"},
                                                      {R"([""])", R"(.[""])"}};
  for (const auto& [text, expected] : rows) {
    const auto path = Path::parse(text);
    ASSERT_TRUE(path) << text << ": " << path.error().message;
    EXPECT_EQ(path->render(), expected);
    EXPECT_EQ(Path::parse(expected).value(), *path);
  }
}

TEST(PathTest, AnInvalidPathIsRefusedWithItsBytePosition) {
  const std::pair<std::string, const char*> rows[] = {
      {"a.", "2: a name is expected"},
      {"..a", "1: a name is expected"},
      {"a..b", "2: a name is expected"},
      {"a b", "1: a dot or [ is expected"},
      {"a[", "2: an array position is expected"},
      {"a[x]", "2: an array position is expected"},
      {"a[-1]", "2: an array position is expected"},
      {"a[01]", "2: an array position is expected"},
      {"a[99999999999999999999]", "2: an array position is expected"},
      {"a[1", "3: ] is expected"},
      {"a.[1]", "2: a name is expected"},
      {"a[1]b", "4: a dot or [ is expected"},
      {R"(a["b)", "2: this name is never closed"},
      {R"(a["b\")", "2: this name is never closed"},
      {R"(a["\x"])", "2: this name is not a JSON text"},
      {R"(a["b"x])", "5: ] is expected"}};
  for (const auto& [text, expected] : rows) {
    const auto path = Path::parse(text);
    ASSERT_FALSE(path) << text;
    EXPECT_EQ(path.error().message, std::string("not a path at byte ") + expected) << text;
  }
  std::string many;
  for (int i = 0; i < 129; ++i) many += ".a";
  EXPECT_FALSE(Path::parse(many));
}

std::string after_set(std::string_view json, std::string_view path, Value with) {
  Value value = json.empty() ? Value() : parse_json(json).value();
  const auto set = set_at(value, Path::parse(path).value(), std::move(with));
  if (!set) return set.error().message + "; " + render_json(value);
  return render_json(value);
}

TEST(PathTest, FieldsShowTheirPart) {
  EXPECT_EQ(Field::body("a").render(), ".a");
  EXPECT_EQ(Field::metadata("created_at").render(), "@created_at");
  EXPECT_EQ((Field{Part::body, Path{{"a", std::size_t{1}, "b"}}}).render(), ".a[1].b");
  EXPECT_FALSE(Field::body("a") == Field::metadata("a"));
}

TEST(PathTest, TheValueAtAPathIsSet) {
  EXPECT_EQ(after_set(R"({"a":1})", "", 2), "2");
  EXPECT_EQ(after_set("", "a.b.c", 1), R"({"a":{"b":{"c":1}}})");
  EXPECT_EQ(after_set(R"({"a":[1,2]})", "a[1]", 3), R"({"a":[1,3]})");
  EXPECT_EQ(after_set(R"({"a":[1,2]})", "a[2].x", 3), R"({"a":[1,2,{"x":3}]})");
  EXPECT_EQ(after_set(R"({"a":[1,2]})", "a[3]", 3), R"(.a ends before that position; {"a":[1,2]})");
  EXPECT_EQ(after_set(R"({"a":1})", "b.a.c", 3), R"({"a":1,"b":{"a":{"c":3}}})");
  EXPECT_EQ(after_set(R"({"a":1})", "a.b", 3), R"(.a is not an object; {"a":1})");
  EXPECT_EQ(after_set(R"({"a":null})", "a.b", 3), R"(.a is not an object; {"a":null})");
  EXPECT_EQ(after_set(R"({"a":{}})", "a[0]", 3), R"(.a is not an array; {"a":{}})");
  EXPECT_EQ(after_set(R"({})", "x.y[0]", 3), R"(.x.y is not an array; {})");
}

TEST(PathTest, SettingDoesNotChangeCopies) {
  Value value = parse_json(R"({"a":{"b":1}})").value();
  const Value copy = value;
  ASSERT_TRUE(set_at(value, Path::parse("a.b").value(), 2));
  EXPECT_EQ(render_json(copy), R"({"a":{"b":1}})");
}

TEST(PathTest, TheValueAtAPathIsRemoved) {
  Value value = parse_json(R"({"a":{"b":1,"c":[1,2,3]}})").value();
  const auto remove = [&](std::string_view path) {
    return remove_at(value, Path::parse(path).value());
  };
  EXPECT_FALSE(remove("x"));
  EXPECT_FALSE(remove("a.c[3]"));
  EXPECT_FALSE(remove("a.b.c"));
  EXPECT_TRUE(remove("a.c[1]"));
  EXPECT_TRUE(remove("a.b"));
  EXPECT_EQ(render_json(value), R"({"a":{"c":[1,3]}})");
  EXPECT_TRUE(remove(""));
  EXPECT_TRUE(value.is_missing());
}

RC_GTEST_PROP(PathProperty, ARenderedPathParsesToTheSamePath, ()) {
  Path path;
  const int steps = *rc::gen::inRange(0, 6);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      path.steps.emplace_back(*arbitrary::name());
    } else {
      path.steps.emplace_back(*rc::gen::arbitrary<std::size_t>());
    }
  }
  RC_ASSERT(Path::parse(path.render()).value() == path);
}

RC_GTEST_PROP(PathProperty, ASetValueIsFound, ()) {
  Value value = *arbitrary::document();
  const Path path{{*arbitrary::name(), *arbitrary::name()}};
  const Value with = *arbitrary::value();
  if (set_at(value, path, with)) RC_ASSERT(same(at(value, path), with));
}

}  // namespace
}  // namespace mayfly
