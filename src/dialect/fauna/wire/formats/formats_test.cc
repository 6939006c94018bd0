// The simple and the decorated format.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "dialect/fauna/values/arbitrary.h"
#include "dialect/fauna/values/testing.h"
#include "dialect/fauna/wire/formats/decorated.h"
#include "dialect/fauna/wire/formats/format.h"
#include "dialect/fauna/wire/formats/simple.h"
#include "dialect/fauna/wire/json.h"

namespace mayfly::fauna {
namespace {

TEST(SimpleTest, ValuesArePlainJson) {
  FqlObject object;
  object.append("@a", long_number(3));
  object.append("b", shown_missing());
  const std::pair<FqlValue, const char*> rows[] = {
      {nullptr, "null"},
      {2.0, "2.0"},
      {1.5, "1.5"},
      {std::nan(""), R"("NaN")"},
      {-std::numeric_limits<double>::infinity(), R"("-Infinity")"},
      {FqlTime{1, 0}, R"("1970-01-01T00:00:01Z")"},
      {FqlDate{1}, R"("1970-01-02")"},
      {ByteText{"hi"}, R"("aGk=")"},
      {Id{"7"}, R"("7")"},
      {module_of("Foo"), R"("Foo")"},
      {object, R"({"@a":3,"b":null})"},
      {shown_user(), R"({"id":"1","coll":"Foo","ts":"1970-01-01T00:00:01Z","a":"x"})"},
      {shown_collection(), R"({"name":"Foo","coll":"Collection","ts":"1970-01-01T00:00:01Z"})"},
      {DocumentHandle{.collection = "Foo", .id = "1"}, R"({"id":"1","coll":"Foo"})"},
      {shown_page(FqlArray{1, 2}, "c"), R"({"data":[1,2],"after":"c"})"},
      {shown_page(FqlArray{}, {}), R"({"data":[]})"},
      {shown_page({}, "c"), R"("c")"},
      {EventSourceToken{"t"}, R"("t")"},
      {named_function("<lambda>"), R"("[function <lambda>]")"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(encode_simple(value), text);
}

RC_GTEST_PROP(SimpleTest, EveryValueIsJson, ()) {
  const FqlValue value = *arbitrary::value();
  RC_ASSERT(parse_wire_json(encode_simple(value)).has_value());
  RC_ASSERT(parse_wire_json(encode(value, Format::decorated)).has_value());
}

TEST(DecoratedTest, ContainersHaveOneElementALine) {
  FqlObject object;
  object.append("a", 1);
  object.append("b c", FqlArray{1, "x", FqlObject(), FqlArray{}});
  EXPECT_EQ(encode_decorated(object), R"({
  a: 1,
  "b c": [
    1,
    "x",
    {},
    []
  ]
})");
}

TEST(DecoratedTest, DocumentsAreObjectsAndReferencesAreCalls) {
  EXPECT_EQ(encode_decorated(shown_page(FqlArray{shown_user()}, "c")), R"({
  data: [
    {
      id: "1",
      coll: Foo,
      ts: Time("1970-01-01T00:00:01Z"),
      a: "x"
    }
  ],
  after: "c"
})");
  const std::pair<FqlValue, const char*> rows[] = {
      {DocumentHandle{.collection = "Foo", .id = "1"}, R"(Foo("1"))"},
      {DocumentHandle{.collection = "Collection", .id = "X", .is_named = true},
       R"(Collection.byName("X"))"},
      {shown_missing(), R"(Foo("1") /* not found */)"},
      {shown_page({}, "c"), R"("c")"},
      {std::nan(""), "Math.NaN"},
      {-std::numeric_limits<double>::infinity(), "-Math.Infinity"},
      {Id{"7"}, R"("7")"},
      {EventSourceToken{"t"}, R"("t")"},
      {named_function("all()"), R"("[function all]")"},
      {named_function("<lambda>"), R"("[function <lambda>]")"},
      {"it's", R"("it\'s")"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(encode_decorated(value), text);
}

TEST(DecoratedTest, TextsOfSeveralLinesAreHeredocs) {
  EXPECT_EQ(encode_decorated("a\n\"b\"\n"), "<<-END\n  a\n  \"b\"\nEND");
  EXPECT_EQ(encode_decorated("an END\nb"), "<<-END0\n  an END\n  b\nEND0");
  EXPECT_EQ(encode_decorated(FqlArray{"a\nb"}), "[\n  <<-END\n    a\n    b\n  END\n]");
  std::string all_ends = "END\n";
  for (char digit = '0'; digit <= '9'; ++digit) all_ends += std::string("END") + digit;
  EXPECT_EQ(encode_decorated(all_ends), R"("END\nEND0END1END2END3END4END5END6END7END8END9")");
}

TEST(FormatTest, TheDecoratedTextIsOneJsonString) {
  EXPECT_EQ(encode(FqlArray{"x"}, Format::decorated), R"("[\n  \"x\"\n]")");
  EXPECT_EQ(encode(1, Format::tagged), R"({"@int":"1"})");
  EXPECT_EQ(encode(1, Format::simple), "1");
}

}  // namespace
}  // namespace mayfly::fauna
