// Valid values of each type, and the formats of dates, addresses and shapes.
#include "dialect/kuzzle/specifications/fields/types.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/specifications/fields/date_formats.h"
#include "dialect/kuzzle/specifications/fields/texts.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::kuzzle::specifications {
namespace {

const Instant now = *parse_rfc3339("2026-11-22T12:00:00Z");

// The validation error of a value; empty if it is valid.
std::string of(const std::string& type, const std::string& value,
               const std::string& options = "{}") {
  const FieldType* found = find_type(type);
  if (found == nullptr) return "no such type";
  const Value given = *parse_json(options);
  if (found->check_options != nullptr) {
    const std::string complaint = found->check_options(given.object());
    if (!complaint.empty()) return complaint;
  }
  Meter meter;
  const Value parsed = *parse_json(value);
  const FieldShape shape = shape_of(*found, given.object());
  const auto violations =
      *inspect(parsed, shape, {.meter = meter, .violations_max = 1, .now = now});
  return violations.empty() ? "" : words_of(violations.front());
}

TEST(KuzzleFieldTypesTest, NumbersHaveRangesAndIntegersNoFractions) {
  EXPECT_EQ(of("integer", "3"), "");
  EXPECT_EQ(of("integer", "3.0"), "");
  EXPECT_EQ(of("integer", "3.5"), "The field must be an integer");
  EXPECT_EQ(of("integer", R"("3")"), "The field must be an integer");
  EXPECT_EQ(of("numeric", "3.5"), "");
  EXPECT_EQ(of("numeric", "true"), "The field must be a number.");
  const std::string range = R"({"range":{"min":1,"max":4.5}})";
  EXPECT_EQ(of("numeric", "4.5", range), "");
  EXPECT_EQ(of("numeric", "0", range), "The value is lesser than the minimum.");
  EXPECT_EQ(of("integer", "5", range), "The value is greater than the maximum.");
  EXPECT_EQ(of("numeric", "1", R"({"range":{"min":2,"max":1}})"),
            "Property \"range\": invalid range (min > max).");
  EXPECT_EQ(of("numeric", "1", R"({"range":{"min":"2"}})"),
            "Wrong type for parameter \"range.min\" (expected: number).");
}

TEST(KuzzleFieldTypesTest, TextsHaveLengthsInUnitsOfUtf16) {
  const std::string length = R"({"length":{"min":2,"max":3}})";
  EXPECT_EQ(of("string", R"("äö")", length), "");
  EXPECT_EQ(of("string", R"("😀")", length), "");
  EXPECT_EQ(of("string", R"("a")", length),
            "Invalid string length. Expected min: 2. Received: 1 (\"a\")");
  EXPECT_EQ(of("string", R"("abcd")", length),
            "Invalid string length. Expected max: 3. Received: 4 (\"abcd\")");
  EXPECT_EQ(of("string", "1"), "The field must be a string.");
  EXPECT_EQ(of("enum", R"("b")", R"({"values":["a","b"]})"), "");
  EXPECT_EQ(of("enum", R"("c")", R"({"values":["a","b"]})"),
            "The field only accepts following values: \"a, b\".");
  EXPECT_EQ(of("enum", R"("c")"),
            "The \"enum\" type requires a \"values\" property holding the list of the enum "
            "values.");
  EXPECT_EQ(of("boolean", "0"), "The field must be of type boolean.");
  EXPECT_EQ(of("anything", "[1]"), "");
  EXPECT_EQ(of("object", "[]"), "The value must be an object.");
}

TEST(KuzzleFieldTypesTest, AddressesLookLikeAddresses) {
  EXPECT_TRUE(is_email("some.body+tag@mail.example.org"));
  for (const char* no : {"", "@b.org", "a@", "a@b", "a b@c.org", ".a@b.org", "a..b@c.org",
                         "a@b..org", "a@-b.org", "a@b.1"}) {
    EXPECT_FALSE(is_email(no)) << no;
  }
  for (const char* yes : {"127.0.0.1", "::1", "2001:db8::ff00:42:8329"}) {
    EXPECT_TRUE(is_ip_address(yes)) << yes;
  }
  for (const char* no : {"", "127.0.0.256", "1.2.3", ":::", "localhost"}) {
    EXPECT_FALSE(is_ip_address(no)) << no;
  }
  for (const char* yes : {"http://a.example.org", "https://a.org:8080/p?q=1#f", "a.org",
                          "ftp://u:p@a.org/x", "http://127.0.0.1/", "http://[::1]:80/"}) {
    EXPECT_TRUE(is_url(yes)) << yes;
  }
  for (const char* no : {"", "http://", "gopher://a.org", "http://a b.org", "http://localhost",
                         "http://a.org:0", "http://a.org:99999", "http://[a.org]/"}) {
    EXPECT_FALSE(is_url(no)) << no;
  }
  EXPECT_EQ(of("email", R"("")"), "");
  EXPECT_EQ(of("email", R"("")", R"({"notEmpty":true})"), "The string must not be empty.");
  EXPECT_EQ(of("url", R"("nowhere")"), "The string must be a valid URL.");
  EXPECT_EQ(of("ip_address", R"("1.2")"), "The string must be a valid IP address.");
}

std::string dated(std::string_view format, const std::string& text) {
  const auto at = parse_dated(format, Value(text), now);
  return at ? render_rfc3339(*at) : "none";
}

TEST(KuzzleFieldTypesTest, DatesAreReadByTheFormatsThatAreNamed) {
  EXPECT_EQ(dated("basic_date", "20171002"), "2017-10-02T00:00:00Z");
  EXPECT_EQ(dated("basic_date", "2017-10-02"), "none");
  EXPECT_EQ(dated("strict_date_time", "2017-10-02T01:02:03.004+02:00"), "2017-10-01T23:02:03.004Z");
  EXPECT_EQ(dated("date", "2017-1-2"), "2017-01-02T00:00:00Z");
  EXPECT_EQ(dated("strict_date", "2017-1-2"), "none");
  EXPECT_EQ(dated("strict_date", "2017-02-29"), "none");
  EXPECT_EQ(dated("basic_ordinal_date", "2016366"), "2016-12-31T00:00:00Z");
  EXPECT_EQ(dated("basic_ordinal_date", "2017366"), "none");
  EXPECT_EQ(dated("strict_week_date", "2017-W40-1"), "2017-10-02T00:00:00Z");
  EXPECT_EQ(dated("strict_week_date", "2021-W01-1"), "2021-01-04T00:00:00Z");
  EXPECT_EQ(dated("strict_hour_minute", "07:30"), "2026-11-22T07:30:00Z");
  EXPECT_EQ(dated("strict_hour_minute", "24:30"), "none");
  EXPECT_EQ(dated("epoch_second", "1506902400"), "2017-10-02T00:00:00Z");
  EXPECT_EQ(dated("strict_date_optional_time", "2017-10"), "2017-10-01T00:00:00Z");
  EXPECT_FALSE(is_date_format("strict_basic_date"));
  EXPECT_FALSE(is_date_format("whenever"));

  EXPECT_EQ(of("date", "1506902400000"), "");
  EXPECT_EQ(of("date", R"("2017-10-02")"), "The date format is not valid.");
  const std::string range =
      R"({"formats":["strict_date"],"range":{"min":"2017-01-01","max":"NOW"}})";
  EXPECT_EQ(of("date", R"("2017-10-02")", range), "");
  EXPECT_EQ(of("date", R"("2016-12-31")", range),
            "The provided date is before the defined minimum.");
  EXPECT_EQ(of("date", R"("2027-01-01")", range),
            "The provided date is after the defined maximum.");
  EXPECT_EQ(of("date", "1", R"({"formats":["never"]})"),
            "The following date types are invalid: never.");
  EXPECT_EQ(of("date", "1", R"({"range":{"min":"soon"}})"),
            "Cannot parse the date value: \"soon\".");
}

TEST(KuzzleFieldTypesTest, PlacesAndShapesAreOnTheEarth) {
  for (const char* yes : {R"({"lat":48.8,"lon":2.3})", "[48.8,2.3]", R"("48.8, 2.3")"}) {
    EXPECT_EQ(of("geo_point", yes), "") << yes;
  }
  EXPECT_EQ(of("geo_point", R"({"lat":91,"lon":0})"), "Invalid GeoPoint format");

  EXPECT_EQ(of("geo_shape", R"({"type":"point","coordinates":[2,48]})"), "");
  EXPECT_EQ(of("geo_shape", R"({"type":"point","coordinates":[2]})"),
            "The shape type \"point\" has bad coordinates.");
  EXPECT_EQ(of("geo_shape", R"({"type":"circle","coordinates":[2,48],"radius":"10 km"})"), "");
  EXPECT_EQ(of("geo_shape", R"({"type":"circle","coordinates":[2,48]})"),
            "The radius property must be provided for the \"circle\" shape type.");
  EXPECT_EQ(of("geo_shape", R"({"type":"polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]})"), "");
  EXPECT_EQ(of("geo_shape", R"({"type":"polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]})"),
            "The shape type \"polygon\" has bad coordinates.");
  EXPECT_EQ(
      of("geo_shape",
         R"({"type":"geometrycollection","geometries":[{"type":"point","coordinates":[1]}]})"),
      "The shape type \"point\" has bad coordinates.");
  EXPECT_EQ(
      of("geo_shape", R"({"type":"point","coordinates":[2,48]})", R"({"shapeTypes":["circle"]})"),
      "The provided shape type is not allowed.");
  EXPECT_EQ(of("geo_shape", "{}", R"({"shapeTypes":["cube"]})"),
            "The following shapes are invalid: cube.");
}

}  // namespace
}  // namespace mayfly::kuzzle::specifications
