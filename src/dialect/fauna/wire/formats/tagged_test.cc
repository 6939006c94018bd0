// Encoding and decoding the tagged format.
#include "dialect/fauna/wire/formats/tagged.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dialect/fauna/values/arbitrary.h"
#include "dialect/fauna/values/testing.h"
#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/wire/json.h"
#include "dialect/fauna/wire/testing.h"

namespace mayfly::fauna {
namespace {

std::string decoded_text(std::string_view json_text) {
  const auto json = parse_wire_json(json_text);
  if (!json) return json.error().message;
  const auto value = decode_tagged(*json, FewNames());
  return value ? type_name(*value) + ' ' + debug_text(*value) : value.error().message;
}

TEST(TaggedTest, ValuesKeepTheirTypes) {
  FqlObject tagged_names;
  tagged_names.append("@int", 1);
  const std::pair<FqlValue, const char*> rows[] = {
      {nullptr, "null"},
      {true, "true"},
      {1, R"({"@int":"1"})"},
      {long_number(1), R"({"@long":"1"})"},
      {1.5, R"({"@double":"1.5"})"},
      {1e10, R"({"@double":"1.0E10"})"},
      {-std::numeric_limits<double>::infinity(), R"({"@double":"-Infinity"})"},
      {std::nan(""), R"({"@double":"NaN"})"},
      {"a\"b", R"("a\"b")"},
      {ByteText{"hi"}, R"({"@bytes":"aGk="})"},
      {ByteText{""}, R"({"@bytes":""})"},
      {FqlTime{0, 5}, R"({"@time":"1970-01-01T00:00:00.000000005Z"})"},
      {FqlDate{1}, R"({"@date":"1970-01-02"})"},
      {Uuid{"u"}, R"({"@uuid":"u"})"},
      {Id{"7"}, R"("7")"},
      {module_of("Math"), R"({"@mod":"Math"})"},
      {FqlArray{1, FqlArray{}}, R"([{"@int":"1"},[]])"},
      {FqlObject(), "{}"},
      {tagged_names, R"({"@object":{"@int":{"@int":"1"}}})"},
      {DocumentHandle{.collection = "Foo", .id = "1"},
       R"({"@ref":{"id":"1","coll":{"@mod":"Foo"}}})"},
      {DocumentHandle{.collection = "Collection", .id = "Foo", .is_named = true},
       R"({"@ref":{"name":"Foo","coll":{"@mod":"Collection"}}})"},
      {shown_user(),
       R"({"@doc":{"id":"1","coll":{"@mod":"Foo"},"ts":{"@time":"1970-01-01T00:00:01Z"},)"
       R"("a":"x"}})"},
      {shown_collection(), R"({"@doc":{"name":"Foo","coll":{"@mod":"Collection"},)"
                           R"("ts":{"@time":"1970-01-01T00:00:01Z"}}})"},
      {shown_missing(),
       R"({"@ref":{"id":"1","coll":{"@mod":"Foo"},"exists":false,"cause":"not found"}})"},
      {shown_page(FqlArray{1}, "c"), R"({"@set":{"data":[{"@int":"1"}],"after":"c"}})"},
      {shown_page(FqlArray{}, {}), R"({"@set":{"data":[]}})"},
      {shown_page({}, "c"), R"({"@set":"c"})"},
      {SetCursor{"c"}, R"("c")"},
      {EventSourceToken{"t"}, R"({"@stream":"t"})"},
      {named_function("abs()"), R"("[function abs()]")"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(encode_tagged(value), text);
}

TEST(TaggedTest, TagsThatArriveAreValues) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"@int":"-2147483648"})", "Int -2147483648"},
      {R"({"@long":"1"})", "Long 1"},
      {R"({"@double":"4.14"})", "Double 4.14"},
      {R"({"@double":"1e+21"})", "Double 1.0E21"},
      {R"({"@double":"NaN"})", "Double Math.NaN"},
      {R"({"@time":"2024-01-01T01:00+01:00"})", R"(Time Time("2024-01-01T00:00:00Z"))"},
      {R"({"@set":"c"})", "SetCursor [set cursor]"},
      {R"({"@id":"7"})", R"(ID ID("7"))"},
      {R"({"@stream":"t"})", "EventSource<Any> [event source]"},
      {R"({"@mod":"Foo"})", "Foo Foo"},
      {R"({"@ref":{"id":"1","coll":{"@mod":"Foo"},"exists":false}})", "Doc [doc 1 in Foo]"},
      {R"({"@ref":"Foo:1"})", "Doc [doc 1 in Foo]"},
      {R"({"@ref":{"id":"1","coll":{"@mod":"AliasOfFoo"}}})", "Doc [doc 1 in Foo]"},
      {R"({"@doc":{"id":"1","coll":{"@mod":"Foo"},"a":1,"name":2}})", "Doc [doc 1 in Foo]"},
      {R"({"@doc":{"name":"Bar","coll":{"@mod":"Collection"}}})", "Doc [doc Bar in Collection]"},
      {R"({"@object":{"@int":"x","a":{"@int":"1"}}})", R"({ *: Any } { "@int": "x", a: 1 })"},
      {R"({"a":[null,{"b":true}]})", "{ *: Any } { a: [null, { b: true }] }"},
  };
  for (const auto& [json, text] : rows) EXPECT_EQ(decoded_text(json), text) << json;
}

TEST(TaggedTest, EveryErrorHasItsReason) {
  const std::pair<const char*, const char*> rows[] = {
      {"1", "numbers must be tagged"},
      {R"({"a":[1.5]})", "numbers must be tagged"},
      {R"({"@int":"2147483648"})", "invalid integer"},
      {R"({"@int":"1x"})", "invalid integer"},
      {R"({"@int":1})", "invalid integer"},
      {R"({"@long":"9223372036854775808"})", "invalid long"},
      {R"({"@double":"inf"})", "invalid double"},
      {R"({"@double":"x"})", "invalid double"},
      {R"({"@time":"2024-01-01"})", "invalid time"},
      {R"({"@date":"2024-02-30"})", "invalid date"},
      {R"({"@bytes":"%"})", "invalid bytes"},
      {R"({"@uuid":"0000"})", "invalid uuid"},
      {R"({"@id":7})", "invalid id"},
      {R"({"@id":"abc"})", "invalid id"},
      {R"({"@id":"-5"})", "invalid id"},
      {R"({"@mod":"Nope"})", "no such module 'Nope'"},
      {R"({"@x":1})", "invalid tag '@x'"},
      {R"({"@":1})", "invalid tag '@'"},
      {R"({"@int":"1","b":2})", "too many keys in tagged value"},
      {R"({"b":null,"@int":"1"})", "too many keys in tagged value"},
      {R"({"@ref":{"id":"1"}})", "@ref field 'coll' is required"},
      {R"({"@ref":null})", "@ref field 'coll' is required"},
      {R"({"@ref":{"coll":"Foo","id":"1"}})", "@ref field 'coll' requires a module"},
      {R"({"@ref":{"coll":{"@mod":"Nope"},"id":"1"}})", "no such module 'Nope'"},
      {R"({"@ref":{"coll":{"@mod":"Foo"}}})", "@ref field 'id' is required"},
      {R"({"@ref":{"coll":{"@mod":"Foo"},"id":1}})", "@ref field 'id' requires a string value"},
      {R"({"@ref":{"coll":{"@mod":"Foo"},"id":"x"}})", "@ref field 'id' must be an integer"},
      {R"({"@ref":"Nope:1"})", "no such module 'Nope'"},
      {R"({"@doc":{"coll":{"@mod":"Collection"},"id":"1"}})", "@doc field 'name' is required"},
      {R"({"@ref":{"coll":{"@mod":"Collection"},"name":"X"}})", "no such schema object 'X'"},
      {R"({"a":"1","b":"2","a":"3"})", "Duplicate object field `a`"},
  };
  for (const auto& [json, reason] : rows) EXPECT_EQ(decoded_text(json), reason) << json;
}

// Whether it can be decoded with the names of FewNames, which has no documents with arbitrary ids.
bool has_only_known_ids(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::id: return false;
    case FqlKind::array:
      return std::all_of(value.array().begin(), value.array().end(), has_only_known_ids);
    case FqlKind::object:
      return std::all_of(value.object().members().begin(), value.object().members().end(),
                         [](const auto& member) { return has_only_known_ids(member.second); });
    default: return true;
  }
}

RC_GTEST_PROP(TaggedTest, EncodedValuesDecodeToThemselves, ()) {
  const FqlValue value = *arbitrary::value();
  RC_PRE(has_only_known_ids(value));
  const auto json = parse_wire_json(encode_tagged(value));
  RC_ASSERT(json.has_value());
  const auto back = decode_tagged(*json, FewNames());
  RC_ASSERT(back.has_value());
  RC_ASSERT(debug_text(*back) == debug_text(value));
  RC_ASSERT(encode_tagged(*back) == encode_tagged(value));
}

}  // namespace
}  // namespace mayfly::fauna
