// Tests of parsing and rendering JSON.
#include "value/json/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/threads/run_permit.h"
#include "value/arbitrary.h"
#include "value/limits.h"
#include "value/order/order.h"
#include "value/packed/packed.h"

namespace mayfly {
namespace {

// The kind and rendering of a parsed text, or the code and message of its error.
std::string read(std::string_view text) {
  const auto value = parse_json(text);
  if (!value) return std::string(name_of(value.error().code)) + ": " + value.error().message;
  return std::string(name_of(value->kind())) + " " + render_json(*value);
}

struct JsonRow {
  std::string text;
  std::string expected;
};

std::string repeated(std::string_view item, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text.append(i == 0 ? "" : ",").append(item);
  return text + "]";
}

TEST(JsonTest, TheMemoryOfAParsedValueIsBounded) {
  const JsonLimits large{.bytes_max = 16 << 20};
  EXPECT_TRUE(parse_json(repeated("1", limits::document_bytes_max / 2 - 1), large))
      << "the largest document of numbers";
  struct Item {
    const char* text;
    std::size_t count;
  };
  for (const auto& [item, count] :
       {Item{"1", 1'100'000}, Item{"[]", 1'000'000}, Item{R"({"":1})", 600'000}}) {
    const auto refused = parse_json(repeated(item, count), large);
    ASSERT_FALSE(refused) << item;
    EXPECT_EQ(refused.error().code, Code::too_large) << item;
  }
  std::string record = R"({"n":1)";
  for (int i = 0; i < 500; ++i) record += R"(,"a name of it":1234567890)";
  const std::string records = repeated(record + "}", 1'000);
  EXPECT_GT(records.size(), 12U << 20);
  EXPECT_TRUE(parse_json(records, large)) << "members as large bodies have them";
}

TEST(JsonTest, ALongTextIsParsedAsLongWork) {
  class Permit final : public RunPermit {
   public:
    Result<void> renew() override { return {}; }
    Result<void> become_long() override {
      ++times;
      if (is_full) return fail(Code::throttled, "later");
      return {};
    }
    bool is_cancelled() const override { return false; }
    void report_peak(std::size_t bytes) override { peak = bytes; }
    int times = 0;
    bool is_full = false;
    std::size_t peak = 0;
  };
  Permit permit;
  const RunPermitScope scope(permit);
  EXPECT_TRUE(parse_json("[1]"));
  EXPECT_EQ(permit.times, 0);
  const std::string text = repeated("1", limits::quickly_parsed_bytes_max);
  EXPECT_TRUE(parse_json(text));
  EXPECT_EQ(permit.times, 1);
  EXPECT_GT(permit.peak, limits::quickly_parsed_bytes_max * sizeof(Value));
  permit.is_full = true;
  EXPECT_EQ(parse_json(text).error().code, Code::throttled);
}

TEST(JsonTest, ValuesAreParsedAsTheirSpellingSays) {
  const JsonRow rows[] = {
      {" null ", "null null"},
      {"\t\r\n true\n", "boolean true"},
      {"false", "boolean false"},
      {"0", "integer 0"},
      {"-0", "integer 0"},
      {"1.0", "real 1"},
      {"1e2", "real 100"},
      {"-0.0", "real 0"},
      {"9223372036854775807", "integer 9223372036854775807"},
      {"-9223372036854775808", "integer -9223372036854775808"},
      {"9223372036854775808", "real 9223372036854776000"},
      {"18446744073709551616", "real 18446744073709552000"},
      {"-99999999999999999999999", "real -1e+23"},
      {"1e-400", "real 0"},
      {"-1E-99999999999999999999", "real 0"},
      {"0e99999999999999999999", "real 0"},
      {"0." + std::string(400, '0') + "1e400", "real 0.1"},
      {"1" + std::string(400, '0') + "e-400", "real 1"},
      {"1.7976931348623157e308", "real 1.7976931348623157e+308"},
      {"5e-324", "real 5e-324"},
      {R"("")", R"(text "")"},
      {R"("a\u0000b")", R"(text "a\u0000b")"},
      {R"("\/\"\\\b\f\n\r\t\u00e9\u20AC\uD83D\ude00")", R"(text "/\"\\\b\f\n\r\té€😀")"},
      {"\"\x7F\"", "text \"\x7F\""},
      {"[ ]", "array []"},
      {"[1,[],{}]", "array [1,[],{}]"},
      {"{ }", "object {}"},
      {R"({"a":1,"b":2,"a":3})", R"(object {"a":3,"b":2})"},
      {R"({"a":1,"\u0061":{"x":1,"x":[]}})", R"(object {"a":{"x":[]}})"},
      {R"({"":0,"\u0000":1})", R"(object {"":0,"\u0000":1})"},
  };
  for (const JsonRow& row : rows) EXPECT_EQ(read(row.text), row.expected) << row.text;
}

TEST(JsonTest, InvalidJsonIsRefusedWithItsBytePosition) {
  const JsonRow rows[] = {
      {"", "0: there is nothing but white space"},
      {" \n", "0: there is nothing but white space"},
      {"nul", "0: a value is expected"},
      {"nullx", "0: a value is expected"},
      {"True", "0: a value is expected"},
      {"NaN", "0: a value is expected"},
      {"-Infinity", "0: a value is expected"},
      {"'a'", "0: a value is expected"},
      {"\xEF\xBB\xBF{}", "0: a value is expected"},
      {"1 2", "2: the value has ended, and more follows"},
      {"{} x", "3: the value has ended, and more follows"},
      {"[1]]", "3: the value has ended, and more follows"},
      {"\"a\"b", "3: the value has ended, and more follows"},
      {"1\"b\"", "0: a value is expected"},
      {"[1,]", "3: a value is expected"},
      {"[,1]", "1: a value is expected"},
      {"[1", "2: a comma or ] is expected"},
      {"[1 2]", "3: a comma or ] is expected"},
      {"[", "1: a value is expected, and the text ends"},
      {"[1}", "2: a comma or ] is expected"},
      {"{\"a\":1,}", "7: a text in double quotes is expected"},
      {"{a:1}", "1: a text in double quotes is expected"},
      {"{\"a\"}", "4: a colon is expected"},
      {"{\"a\":}", "5: a value is expected"},
      {"{\"a\":1", "6: a comma or } is expected"},
      {"{1:1}", "1: a text in double quotes is expected"},
      {"01", "0: a value is expected"},
      {"+1", "0: a value is expected"},
      {"-", "0: a value is expected"},
      {".5", "0: a value is expected"},
      {"1.", "0: a value is expected"},
      {"1e", "0: a value is expected"},
      {"1e+", "0: a value is expected"},
      {"0x10", "0: a value is expected"},
      {"1_000", "0: a value is expected"},
      {"[1e400]", "1: this number is too great for a double"},
      {"-1e99999999999999999999", "0: this number is too great for a double"},
      {"1" + std::string(400, '0'), "0: this number is too great for a double"},
      {"[\"a\nb\"]", "3: a control character in a text must be escaped"},
      {std::string("[\"a\0b\"]", 7), "3: a control character in a text must be escaped"},
      {std::string("[\0]", 3), "1: a value is expected, and the text ends"},
      {R"(["a)", "1: this text is never closed"},
      {R"(["a\"])", "1: this text is never closed"},
      {R"(["\x"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\u12"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\u12G4"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\ud800"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\udc00"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\ud800\u0041"])", "1: this text holds an escape that stands for nothing"},
      {R"(["\ud800\ud800"])", "1: this text holds an escape that stands for nothing"},
      {R"({"\udfff":1})", "1: this text holds an escape that stands for nothing"},
      {"[\"a\xFF\"]", "3: not valid UTF-8"},
      {"\"\xC0\xAF\"", "1: not valid UTF-8"},
      {"\"é\xED\xA0\x80\"", "3: not valid UTF-8"},
      {"\"\xF4\x90\x80\x80\"", "1: not valid UTF-8"},
      {"\"\xE2\x82\"", "1: not valid UTF-8"},
  };
  for (const JsonRow& row : rows) {
    EXPECT_EQ(read(row.text), "invalid: not JSON at byte " + row.expected) << row.text;
    EXPECT_FALSE(pack_json(row.text)) << row.text;
    EXPECT_FALSE(pack_json("{\"a\":" + row.text + "}")) << row.text;
  }
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(JsonTest, DepthAndSizeAreBounded) {
  EXPECT_TRUE(parse_json(nested(128, "[", "]")));
  EXPECT_EQ(read(nested(129, "[", "]")), "too_large: JSON nested deeper than 128 at byte 128");
  EXPECT_EQ(parse_json(nested(1'000'000, "[", "]")).error().code, Code::too_large);
  EXPECT_EQ(parse_json(nested(200, "{\"a\":", "}")).error().code, Code::too_large);
  EXPECT_TRUE(parse_json("[[1]]", {.depth_max = 2}));
  EXPECT_FALSE(parse_json("[[1]]", {.depth_max = 1}));
  EXPECT_TRUE(parse_json("1234", {.bytes_max = 4}));
  EXPECT_EQ(parse_json("12345", {.bytes_max = 4}).error().message,
            "JSON of 5 bytes, where at most 4 are taken");
}

TEST(JsonTest, AHundredThousandEqualNamesAreMergedQuickly) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i)
    text += "\"n" + std::to_string(i % 50'000) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  const auto value = parse_json(text);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->object().size(), 50'000U);
  EXPECT_EQ(value->member("n7").integer(), 50'007);
  EXPECT_EQ(value->object().begin()->first, "n0");
}

TEST(JsonTest, RealsAreWrittenAsJavaScriptWritesThem) {
  const std::pair<double, const char*> rows[] = {
      {0.0, "0"},
      {-0.0, "0"},
      {1.0, "1"},
      {-1.5, "-1.5"},
      {100, "100"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e-6, "0.000001"},
      {1.5e-6, "0.0000015"},
      {1e-7, "1e-7"},
      {1.5e-7, "1.5e-7"},
      {123456789012345680000.0, "123456789012345680000"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {-1e21, "-1e+21"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {4.35, "4.35"},
      {9007199254740993.0, "9007199254740992"},
      {123456.789, "123456.789"},
      {std::numeric_limits<double>::quiet_NaN(), "null"},
      {std::numeric_limits<double>::infinity(), "null"},
      {-std::numeric_limits<double>::infinity(), "null"}};
  for (const auto& [number, expected] : rows) EXPECT_EQ(render_json(number), expected);
}

TEST(JsonTest, KindsThatJsonLacksHaveTheirSpellings) {
  EXPECT_EQ(render_json(Instant{1'500'000}), R"("1970-01-01T00:00:01.500Z")");
  EXPECT_EQ(render_json(Date{1}), R"("1970-01-02")");
  EXPECT_EQ(render_json(Binary{"\xFF\xFE\xFD\xFC"}), R"("//79/A==")");
  EXPECT_EQ(render_json(Reference{"a", "b\""}), R"({"collection":"a","id":"b\""})");
  EXPECT_EQ(render_json(Missing()), "null");
  EXPECT_EQ(render_json(Array{Missing(), 1}), "[null,1]");
  EXPECT_EQ(render_json(Object{{"a", Missing()}, {"b", 1}, {"c", Missing()}}), R"({"b":1})");
  EXPECT_EQ(render_json(Object{{"a", Missing()}}), "{}");
}

// JavaScript pads the digits of large whole reals with zeros, which then read as another integer.
bool survives_the_wire(const Value& value) {
  if (value.is(Kind::real)) {
    const double d = std::fabs(value.real());
    return d <= 9007199254740992.0 || d >= 9223372036854775808.0;
  }
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) {
      if (!survives_the_wire(item)) return false;
    }
  }
  if (value.is(Kind::object)) {
    for (const auto& [name, member] : value.object()) {
      if (!survives_the_wire(member)) return false;
    }
  }
  return true;
}

RC_GTEST_PROP(JsonProperty, ARenderedValueParsesToTheSameValue, ()) {
  const Value value = *arbitrary::json_value();
  RC_PRE(survives_the_wire(value));
  const std::string text = render_json(value);
  const auto again = parse_json(text);
  RC_ASSERT(again.has_value());
  RC_ASSERT(same(*again, value));
  RC_ASSERT(render_json(*again) == text);
}

RC_GTEST_PROP(JsonProperty, EveryRealRoundTripsExactly, ()) {
  const Value number = *arbitrary::number();
  const bool is_finite = number.is(Kind::real) && std::isfinite(number.real());
  RC_PRE(is_finite);
  const auto again = parse_json(render_json(number));
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->number() == number.real());
}

}  // namespace
}  // namespace mayfly
