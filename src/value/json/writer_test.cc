// JsonWriter: commas, kinds of values, writers of one text.
#include "value/json/writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace mayfly {
namespace {

TEST(JsonWriterTest, PutsCommasBetweenMembersAndItems) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("a", 1);
  json.name("list").begin_array();
  json.integer(std::int64_t{1});
  json.text("two");
  json.null();
  json.begin_object();
  json.end_object();
  json.begin_array();
  json.end_array();
  json.end_array();
  json.member("last", true);
  json.end_object();
  EXPECT_EQ(out, R"({"a":1,"list":[1,"two",null,{},[]],"last":true})");
}

TEST(JsonWriterTest, WritesEachKindOfMember) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("text", std::string("x\"y"));
  json.member("na\"me", "v");
  json.member("value", Value(1.5));
  json.member("least", std::numeric_limits<std::int64_t>::min());
  json.member("greatest", std::numeric_limits<std::uint64_t>::max());
  json.member("false", false);
  json.raw_member("raw", "[1]");
  json.text_or_null("empty", "");
  json.text_or_null("full", "f");
  json.end_object();
  EXPECT_EQ(out,
            R"({"text":"x\"y","na\"me":"v","value":1.5,"least":-9223372036854775808,)"
            R"("greatest":18446744073709551615,"false":false,"raw":[1],"empty":null,"full":"f"})");
}

TEST(JsonWriterTest, ATextThatEndsLikeJsonIsFollowedByAComma) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  for (const char* text : {"{", "[", ":", ",", " "}) json.text(text);
  json.end_array();
  EXPECT_EQ(out, R"(["{","[",":",","," "])");
}

TEST(JsonWriterTest, SeveralWritersContinueOneText) {
  std::string out = "data: ";
  JsonWriter(out).begin_object();
  JsonWriter(out).member("a", 1);
  JsonWriter(out).member("b", 2);
  JsonWriter(out).end_object();
  out += '\n';
  JsonWriter(out).begin_array();
  JsonWriter(out).end_array();
  EXPECT_EQ(out, "data: {\"a\":1,\"b\":2}\n[]");
}

TEST(JsonWriterTest, ATimeThatIsNeverIsNull) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.time_or_null("at", Instant{1'500'000});
  json.time_or_null("never", Instant::never());
  json.end_object();
  EXPECT_EQ(out, R"({"at":"1970-01-01T00:00:01.500Z","never":null})");
}

TEST(JsonWriterTest, MembersOfAnObjectContinueAnother) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.members(Object{});
  json.members(Object{{"a", 1}, {"missing", Value()}, {"b", nullptr}});
  json.member("c", "x");
  json.end_object();
  EXPECT_EQ(out, R"({"a":1,"b":null,"c":"x"})");
}

TEST(JsonWriterTest, AMissingValueIsNull) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("m", Value());
  json.end_object();
  EXPECT_EQ(out, R"({"m":null})");
}

}  // namespace
}  // namespace mayfly
