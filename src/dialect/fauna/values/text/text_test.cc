// Display and debug texts, names of types.
#include "dialect/fauna/values/text/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/testing.h"
#include "dialect/fauna/values/text/literal.h"

namespace mayfly::fauna {
namespace {

TEST(FqlTextTest, DisplayTextsAreBareAndDebugTextsAreFql) {
  struct Case {
    FqlValue value;
    const char* display;
    const char* debug;
    const char* type;
  };
  FqlObject object;
  object.append("a", 1);
  object.append("b c", FqlArray{1, "x", 2.0});
  object.append("_a", "it's #1 \"`\\`\"");
  const Case rows[] = {
      {nullptr, "null", "null", "Null"},
      {true, "true", "true", "Boolean"},
      {1, "1", "1", "Int"},
      {long_number(1), "1", "1", "Long"},
      {2.0, "2", "2.0", "Double"},
      {2.5, "2.5", "2.5", "Double"},
      {1e10, "10000000000", "1.0E10", "Double"},
      {1e300, "1.0E300", "1.0E300", "Double"},
      {-std::numeric_limits<double>::infinity(), "-Infinity", "-Math.Infinity", "Double"},
      {std::nan(""), "NaN", "Math.NaN", "Double"},
      {"a\nb", "a\nb", R"("a\nb")", "String"},
      {ByteText{"hi"}, R"(Bytes("aGk="))", R"(Bytes("aGk="))", "Bytes"},
      {FqlTime{0, 5}, "1970-01-01T00:00:00.000000005Z", R"(Time("1970-01-01T00:00:00.000000005Z"))",
       "Time"},
      {TransactionTime{}, "[transaction time]", "TransactionTime()", "TransactionTime"},
      {FqlDate{1}, "1970-01-02", R"(Date("1970-01-02"))", "Date"},
      {Uuid{"u"}, "u", R"(UUID("u"))", "UUID"},
      {Id{"12"}, "12", R"(ID("12"))", "ID"},
      {module_of("Foo"), "Foo", "Foo", "Foo"},
      {std::make_shared<const Module>(Module{"Foo", true}), "Deleted", "Deleted", "Deleted"},
      {FqlArray{}, "[]", "[]", "Array<Any>"},
      {FqlArray{1, "a"}, R"([1, "a"])", R"([1, "a"])", "Array<Any>"},
      {FqlObject(), "{}", "{}", "{ *: Any }"},
      {object, R"({ a: 1, "b c": [1, "x", 2.0], "_a": "it\'s \#1 \"\`\\\`\"" })",
       R"({ a: 1, "b c": [1, "x", 2.0], "_a": "it\'s \#1 \"\`\\\`\"" })", "{ *: Any }"},
      {DocumentHandle{.collection = "Foo", .id = "1"}, "[doc 1 in Foo]", "[doc 1 in Foo]", "Doc"},
      {shown_user(), R"({ id: ID("1"), coll: Foo, ts: Time("1970-01-01T00:00:01Z"), a: "x" })",
       R"({ id: ID("1"), coll: Foo, ts: Time("1970-01-01T00:00:01Z"), a: "x" })", "Doc"},
      {shown_collection(), R"({ name: "Foo", coll: Collection, ts: Time("1970-01-01T00:00:01Z") })",
       R"({ name: "Foo", coll: Collection, ts: Time("1970-01-01T00:00:01Z") })", "Doc"},
      {shown_missing(), R"(Foo("1") /* not found */)", R"(Foo("1") /* not found */)", "Doc"},
      {shown_page(FqlArray{1}, "c"), "[set]", "[set]", "Set<Any>"},
      {SetCursor{"c"}, "[set cursor]", "[set cursor]", "SetCursor"},
      {EventSourceToken{"t"}, "[event source]", "[event source]", "EventSource<Any>"},
      {named_function("<lambda>"), "[function <lambda>]", "[function <lambda>]", "Lambda"},
      {named_function("abs()"), "[function abs()]", "[function abs()]", "Lambda"},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(display_text(row.value), row.display);
    EXPECT_EQ(debug_text(row.value), row.debug);
    EXPECT_EQ(type_name(row.value), row.type);
  }
}

TEST(FqlTextTest, DoublesAreRenderedAsInJava) {
  const std::pair<double, const char*> rows[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-1.5, "-1.5"},
      {9999999.0, "9999999.0"},
      {1e7, "1.0E7"},
      {0.001, "0.001"},
      {0.00099, "9.9E-4"},
      {1.25e-10, "1.25E-10"},
      {123456.789, "123456.789"},
      {1.7976931348623157e308, "1.7976931348623157E308"},
      {4.9e-324, "5.0E-324"},
  };
  for (const auto& [d, text] : rows) EXPECT_EQ(java_text(d), text);
}

}  // namespace
}  // namespace mayfly::fauna
