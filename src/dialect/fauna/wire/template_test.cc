// Bodies of queries.
#include "dialect/fauna/wire/template.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/wire/testing.h"
#include "dialect/fauna/wire/wire_limits.h"

namespace mayfly::fauna {
namespace {

// The text with each value at its position: ‹1›.
std::string query_text(const QueryText& query) {
  std::string text;
  std::size_t from = 0;
  for (const Placeholder& placeholder : query.placeholders) {
    text += query.text.substr(from, placeholder.offset - from);
    text += fmt::format("‹{}›", debug_text(query.values.at(placeholder.value)));
    from = placeholder.offset;
  }
  text += query.text.substr(from);
  if (query.bad_value) {
    text += fmt::format(" at {}: {}", query.bad_value->offset, query.bad_value->reason);
  }
  return text;
}

std::string body_text(std::string_view body, Format format = Format::tagged) {
  const auto parsed = parse_body(body, format, FewNames());
  if (!parsed) return parsed.error().message;
  return query_text(parsed->query) +
         (parsed->arguments.empty() ? "" : ' ' + debug_text(parsed->arguments));
}

std::string of_template(const std::string& json) {
  return body_text(R"({"query":)" + json + '}');
}

TEST(TemplateTest, TemplatesAreOneTextWithPlaceholders) {
  const std::pair<const char*, const char*> rows[] = {
      {R"("1 + 1")", "1 + 1"},
      {R"({"fql":["1+1"]})", "1+1"},
      {R"({"fql":[]})", ""},
      {R"({"fql":[{"value":"taco"},".length"]})", R"(‹"taco"›.length)"},
      {R"({"value":{"@int":"1"}})", "‹1›"},
      {R"_({"fql":["Set.paginate(",{"value":"CURSOR"},")"]})_", R"_(Set.paginate(‹"CURSOR"›))_"},
      {R"({"fql":["a",{"fql":["b",{"value":null}]},"c"]})", "ab‹null›c"},
      {R"_({"fql":[{"value":"\"); abort(1)"},{"value":true}]})_", R"_(‹"\"); abort(1)"›‹true›)_"},
      {R"_({"fql":["Coll.create(",{"object":{"a":{"value":{"@int":"1"}}}},")"]})_",
       "Coll.create(‹{ a: 1 }›)"},
      {R"({"array":[{"fql":["1"]},{"fql":["2"]}]})", "[(1), (2)]"},
      {R"({"array":[{"value":"x"},{"fql":["2"]}]})", R"([‹"x"›, (2)])"},
      {R"({"array":[{"value":"x"},{"array":[]},{"object":{}}]})", R"(‹["x", [], {}]›)"},
      {R"({"array":["1","2"]})", "[(1), (2)]"},
      {R"({"array":[{"fql":["1 // one"]}]})", "[(1 // one\n)]"},
      {R"({"object":{"a":{"fql":["1"]},"b c":{"value":true}}})", R"({ "a": (1), "b c": ‹true› })"},
      {R"({"object":{"#{x}":{"array":[{"fql":["1"]}]}}})", R"({ "\#{x}": [(1)] })"},
  };
  for (const auto& [json, text] : rows) EXPECT_EQ(of_template(json), text) << json;
}

TEST(TemplateTest, InvalidValuesAreErrorsOfTheQueryAndNotOfTheRequest) {
  EXPECT_EQ(of_template(R"({"fql":["ab",{"value":{"@mod":"Nope"}},{"value":1}]})"),
            "ab‹null›‹null› at 2: no such module 'Nope'");
  EXPECT_EQ(of_template(R"({"fql":["ab",{"array":[{"value":null},{"value":1}]}]})"),
            "ab‹[null, null]› at 2: numbers must be tagged");
}

TEST(TemplateTest, AMalformedBodyIsAnErrorOfTheRequest) {
  const std::pair<std::string, const char*> rows[] = {
      {"", "No request body provided"},
      {"{}", "Invalid request body: Value for key query not found."},
      {"[]", "Invalid request body: an object is expected"},
      {R"({"query":"1","query":"2"})", "Invalid request body: Duplicate object field `query`"},
      {R"({"query":{"object":{"k":{"value":null},"k":{"value":null}}}})",
       "Invalid request body: Duplicate object field `k`"},
      {R"({"query":{"fql":"1"}})", "Invalid request body: fql is an array"},
      {R"({"query":{"fql":["1"],"value":1}})",
       "Invalid request body: a query is a text or an object with one of fql, value, object, "
       "array"},
      {R"({"query":1})",
       "Invalid request body: a query is a text or an object with one of fql, value, object, "
       "array"},
      {R"({"query":"\u0000"})", "Invalid request body: FQL strings cannot contain NUL characters"},
      {R"({"query":"1","arguments":[]})", "Invalid request body: arguments are an object"},
      {std::string(limits::fql_request_depth_max + 1, '['),
       "Invalid request body: JSON exceeds nesting limit"},
      {"nonsense", "Invalid request body: not JSON at byte 0: a value is expected"},
  };
  for (const auto& [body, message] : rows) EXPECT_EQ(body_text(body), message);
}

TEST(TemplateTest, BodiesThatWouldTakeTooMuchMemoryAreRefused) {
  std::string many = R"({"query":"1","arguments":{"a":[[])";
  while (many.size() < std::size_t{7} << 20) many += ",[],[],[],[],[],[],[],[]";
  EXPECT_EQ(body_text(many + "]}}", Format::simple),
            "Invalid request body: JSON holds too many values");
}

TEST(TemplateTest, ArgumentsAreReadInTheFormatOfTheRequest) {
  const char* const plain = R"({"query":"1","arguments":{"a":1,"b":[2147483648,1.0,null]}})";
  EXPECT_EQ(body_text(plain, Format::simple), "1 { a: 1, b: [2147483648, 1.0, null] }");
  EXPECT_EQ(body_text(plain, Format::tagged), "Invalid argument 'a': numbers must be tagged");
  EXPECT_EQ(body_text(plain, Format::decorated), "Invalid argument 'a': numbers must be tagged");
  EXPECT_EQ(body_text(R"({"query":"1","arguments":{"foo":{"@object":{"@tagged":"t"}}}})"),
            R"(1 { foo: { "@tagged": "t" } })");
  EXPECT_EQ(body_text(R"({"query":"1","arguments":{"1x":null}})"),
            "Invalid argument '1x': must be an identifier");
}

}  // namespace
}  // namespace mayfly::fauna
