// Koncorde filters: what they match, that equivalent filters are one, and how many are evaluated
// for an event.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/random.h"
#include "db/testing.h"
#include "dialect/kuzzle/koncorde/limits.h"
#include "dialect/kuzzle/koncorde/matcher.h"
#include "expr/evaluation/evaluate.h"
#include "expr/testing.h"

namespace mayfly::kuzzle::koncorde {
namespace {

using mayfly::testing::must;

Value json(std::string_view text) {
  return must(parse_json(text));
}
Filter filter(std::string_view text) {
  return must(Filter::parse(json(text)));
}
// Whether the matcher finds the filter for the document.
bool fits(const Filter& filter, const Value& body, std::string_view id = "d1") {
  Matcher matcher;
  matcher.add(filter);
  return !matcher.match({id, body}).empty();
}

struct FilterCase {
  std::string_view filter;
  std::string_view yes;
  std::string_view no;
};

// Each filter, and its negation.
void expect(std::span<const FilterCase> cases) {
  for (const FilterCase& c : cases) {
    for (const bool negated : {false, true}) {
      const std::string text =
          negated ? R"({"not": )" + std::string(c.filter) + "}" : std::string(c.filter);
      if (!c.yes.empty()) {
        EXPECT_EQ(fits(filter(text), json(c.yes)), !negated) << text;
      }
      if (!c.no.empty()) {
        EXPECT_EQ(fits(filter(text), json(c.no)), negated) << text;
      }
    }
  }
}

TEST(KoncordeTest, KeywordsMatchAsSpecified) {
  const FilterCase cases[] = {
      {R"({"equals": {"a": 1}})", R"({"a": 1.0})", R"({"a": "1"})"},
      {R"({"equals": {"a.b": "x"}})", R"({"a": {"b": "x"}})", R"({"a.b": "x"})"},
      {R"({"equals": {"a": true}})", R"({"a": true})", R"({"a": ["x", true]})"},
      {R"({"equals": {"_id": "d1"}})", "{}", ""},
      {R"({"in": {"a": [1, "x"]}})", R"({"a": "x"})", R"({"a": "1"})"},
      {R"({"exists": "a.b"})", R"({"a": {"b": false}})", R"({"a": {"b": null}})"},
      {R"({"exists": {"field": "a"}})", R"({"a": []})", R"({"b": 1})"},
      {R"({"exists": {"field": "a.b[\"x\"]"}})", R"({"a": {"b": ["x"]}})",
       R"({"a": {"b": ["y"]}})"},
      {R"({"exists": "a[\"x\"]"})", R"({"a": ["y", "x"]})", R"({"a": "x"})"},
      {R"({"exists": "a.b[3]"})", R"({"a": {"b": [3]}})", R"({"a": {"b": ["3"]}})"},
      {R"({"missing": "a"})", R"({"a": null})", R"({"a": 0})"},
      {R"({"missing": {"field": "a[1]"}})", R"({"a": [2]})", R"({"a": [1, 2]})"},
      {R"({"range": {"a": {"gte": 1, "lt": 3}}})", R"({"a": 1})", R"({"a": 3})"},
      {R"({"range": {"a": {"gt": 1}}})", R"({"a": 1.5})", R"({"a": "2"})"},
      {R"({"range": {"a": {"lte": 1}}})", R"({"a": -7})", R"({"a": 1.5})"},
      {R"({"regexp": {"a": "^fo+$"}})", R"({"a": "foo"})", R"({"a": "fa"})"},
      {R"({"regexp": {"a": {"value": "FO", "flags": "i"}}})", R"({"a": "xfox"})", R"({"a": 1})"},
      {R"({"ids": {"values": ["d1", "d2"]}})", "{}", ""},
      {R"({"nothing": {}})", "", "{}"},
      {R"({"match": {"a": {"b": 1}, "c": [1, {"d": 2}]}})",
       R"({"a": {"b": 1, "x": 0}, "c": [{"d": 2, "e": 3}, 1], "y": 1})",
       R"({"a": {"b": 1}, "c": [1, {"d": 3}]})"},
      {R"({"not": {"equals": {"a": 1}}})", "{}", R"({"a": 1})"},
      {R"({"and": [{"equals": {"a": 1}}, {"exists": "b"}]})", R"({"a": 1, "b": 2})", R"({"a": 1})"},
      {R"({"or": [{"equals": {"a": 1}}, {"exists": "b"}]})", R"({"b": 2})", R"({"a": 2})"},
      {R"({"not": {"and": [{"equals": {"a": 1}}, {"equals": {"b": 2}}]}})", R"({"a": 1})",
       R"({"a": 1, "b": 2})"},
      {R"({"bool": {"must": [{"exists": "a"}], "must_not": [{"equals": {"a": 1}}],
           "should": [{"equals": {"b": 1}}, {"equals": {"b": 2}}],
           "should_not": [{"equals": {"c": 1}}, {"equals": {"d": 1}}]}})",
       R"({"a": 2, "b": 2, "c": 1})", R"({"a": 2, "b": 2, "c": 1, "d": 1})"},
      {R"({"geoBoundingBox": {"p": {"topLeft": [10, 0], "bottomRight": [0, 10]}}})",
       R"({"p": {"lat": 5, "lon": 5}})", R"({"p": {"lat": 15, "lon": 5}})"},
      {R"({"geoBoundingBox": {"p": {"top": 10, "left": 0, "bottom": 0, "right": 10}}})",
       R"({"p": [5, 5]})", R"({"p": [5, -5]})"},
      {R"({"geoDistance": {"p": {"lat": 43.6, "lon": 3.87}, "distance": "20 km"}})",
       R"({"p": "43.6, 3.9"})", R"({"p": {"lat": 48.8, "lon": 2.3}})"},
      {R"({"geoDistanceRange": {"p": [43.6, 3.87], "from": "1km", "to": 200000}})",
       R"({"p": {"lat": 43.3, "lng": 5.4}})", R"({"p": {"lat": 43.6, "lng": 3.87}})"},
      {R"({"geoPolygon": {"p": {"points": [[0, 0], [0, 10], [10, 0]]}}})",
       R"({"p": {"lat": 2, "lon": 2}})", R"({"p": {"lat": 9, "lon": 9}})"},
      {R"({"geoPolygon": {"p": {"points": [[0, 0], [0, 10], [10, 0]]}}})", "", R"({"q": 1})"},
  };
  expect(cases);
  EXPECT_FALSE(fits(filter(R"({"ids": {"values": ["d1"]}})"), json("{}"), ""));
  EXPECT_TRUE(fits(filter("{}"), json("{}")));
  EXPECT_TRUE(fits(must(Filter::parse(Value(nullptr))), json("{}")));
}

TEST(KoncordeTest, AnItemOfAnArrayIsMatchedByAFilterOfItsOwn) {
  const FilterCase cases[] = {
      {R"({"select": {"field": "a", "index": 1, "query": {"equals": {"value": "x"}}}})",
       R"({"a": ["y", "x"]})", R"({"a": ["x", "y"]})"},
      {R"({"select": {"field": "a.b", "index": -1, "query": {"equals": {"value.c": 2}}}})",
       R"({"a": {"b": [1, {"c": 2}]}})", R"({"a": {"b": [{"c": 2}, 1]}})"},
      {R"({"select": {"field": "a", "index": -2, "query": {"exists": "value"}}})",
       R"({"a": [0, 1]})", R"({"a": [0]})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"missing": "value.b"}}})",
       R"({"a": [{"c": 1}]})", R"({"a": {"0": {}}})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"missing": "b"}}})",
       R"({"a": [{"b": 1}], "b": 1})", R"({"a": [], "b": 1})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"geoDistance":
          {"value": {"lat": 43.6, "lon": 3.87}, "distance": "20 km"}}}})",
       R"({"a": [{"lat": 43.61, "lon": 3.87}]})", R"({"a": [{"lat": 48.85, "lon": 2.35}]})"},
      {R"({"select": {"field": "a", "index": -1, "query": {"geoDistanceRange":
          {"value.at": [43.6, 3.87], "from": "1km", "to": "20km"}}}})",
       R"({"a": [1, {"at": "43.65, 3.87"}]})", R"({"a": [1, {"at": "43.6, 3.87"}]})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"geoBoundingBox":
          {"value": {"top": 10, "left": 0, "bottom": 0, "right": 10}}}}})",
       R"({"a": [[5, 5]]})", R"({"a": [{"lat": 5}]})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"geoPolygon":
          {"value.p": {"points": [[0, 0], [0, 10], [10, 0]]}}}}})",
       R"({"a": [{"p": {"lat": 2, "lng": 2}}]})", R"({"a": [{"p": {"lat": 9, "lon": 9}}]})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"geoDistance":
          {"p": [0, 0], "distance": 1}}}})",
       "", R"({"a": [{"p": [0, 0]}], "p": [0, 0]})"},
      {R"({"select": {"field": "a", "index": 0, "query": {"and": [{"range": {"value.n": {"gt": 1}}},
          {"select": {"field": "value.l", "index": 0, "query": {"in": {"value": [1, 2]}}}}]}}})",
       R"({"a": [{"n": 2, "l": [2]}]})", R"({"a": [{"n": 2, "l": [3]}]})"},
  };
  expect(cases);
}

TEST(KoncordeTest, EquivalentFiltersAreOne) {
  const std::pair<std::string_view, std::string_view> same[] = {
      {R"({"in": {"a": [1]}})", R"({"equals": {"a": 1}})"},
      {R"({"in": {"a": [2, 1, 2]}})", R"({"or": [{"equals": {"a": 1}}, {"equals": {"a": 2.0}}]})"},
      {R"({"missing": "a"})", R"({"not": {"exists": "a"}})"},
      {R"({"exists": {"field": "a"}})", R"({"exists": "a"})"},
      {R"({"and": [{"exists": "a"}, {"exists": "b"}]})",
       R"({"and": [{"exists": "b"}, {"and": [{"exists": "a"}, {"exists": "b"}]}]})"},
      {R"({"not": {"or": [{"exists": "a"}, {"exists": "b"}]}})",
       R"({"bool": {"must_not": [{"exists": "b"}, {"exists": "a"}]}})"},
      {R"({"not": {"not": {"equals": {"a": 1}}}})", R"({"equals": {"a": 1}})"},
      {R"({"range": {"a": {"gt": 1, "lt": 2}}})", R"({"range": {"a": {"lt": 2, "gt": 1.0}}})"},
      {R"({"regexp": {"a": {"value": "x", "flags": "gi"}}})",
       R"({"regexp": {"a": {"value": "x", "flags": "i"}}})"},
      {R"({"match": {"a": {"b": 1}}})", R"({"equals": {"a.b": 1}})"},
      {R"({"or": [{"nothing": {}}, {"equals": {"a": 1}}]})", R"({"equals": {"a": 1}})"},
      {R"({"and": [{"nothing": {}}, {"equals": {"a": 1}}]})", R"({"nothing": true})"},
      {R"({"not": {"nothing": {}}})", "{}"},
      {R"({"ids": {"values": ["b", "a"]}})", R"({"ids": {"values": ["a", "b", "a"]}})"},
  };
  for (const auto& [a, b] : same) {
    EXPECT_EQ(filter(a).text(), filter(b).text()) << a;
    EXPECT_EQ(room_id("i", "c", filter(a)), room_id("i", "c", filter(b)));
  }
  const std::string_view different[] = {R"({"equals": {"a": 1}})",
                                        R"({"equals": {"a": "1"}})",
                                        R"({"equals": {"b": 1}})",
                                        R"({"range": {"a": {"gt": 1}}})",
                                        R"({"range": {"a": {"gte": 1}}})",
                                        R"({"exists": "a"})",
                                        R"({"missing": "a"})",
                                        "{}",
                                        R"({"nothing": {}})",
                                        R"({"exists": "a[1]"})"};
  std::set<std::string> rooms;
  for (const std::string_view text : different) rooms.insert(room_id("i", "c", filter(text)));
  EXPECT_EQ(rooms.size(), std::size(different));
  EXPECT_NE(room_id("i", "c", filter("{}")), room_id("i", "d", filter("{}")));
  EXPECT_NE(room_id("ic", "", filter("{}")), room_id("i", "c", filter("{}")));
}

TEST(KoncordeTest, ErrorsNameTheKeyword) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"[]", ""},
      {R"({"equals": {"a": 1}, "exists": "b"})", ""},
      {R"({"like": {}})", "like"},
      {R"({"select": {}})", "select"},
      {R"({"select": {"field": "a", "index": "0", "query": {"nothing": {}}}})", "select"},
      {R"({"select": {"field": "a", "index": 0, "query": {"like": 1}}})", "select.query.like"},
      {R"({"select": {"field": "a", "index": 0, "query": {"ids": {"values": ["d"]}}}})",
       "select.query.ids"},
      {R"({"equals": 1})", "equals"},
      {R"({"equals": {}})", "equals"},
      {R"({"equals": {"a": 1, "b": 2}})", "equals"},
      {R"({"equals": {"a": [1]}})", "equals.a"},
      {R"({"in": {"a": []}})", "in.a"},
      {R"({"in": {"a": 1}})", "in.a"},
      {R"({"exists": 1})", "exists"},
      {R"({"exists": "a[x]"})", "exists"},
      {R"({"range": {"a": {}}})", "range.a"},
      {R"({"range": {"a": {"gt": "1"}}})", "range.a.gt"},
      {R"({"range": {"a": {"gt": 2, "lt": 1}}})", "range.a"},
      {R"({"range": {"a": {"gt": 2, "gte": 1}}})", "range.a"},
      {R"({"range": {"a": {"over": 2}}})", "range.a.over"},
      {R"({"regexp": {"a": "("}})", "regexp.a"},
      {R"({"regexp": {"a": {"value": "x", "flags": "q"}}})", "regexp.a.flags"},
      {R"({"ids": {"values": [1]}})", "ids.values"},
      {R"({"ids": {}})", "ids.values"},
      {R"({"and": []})", "and"},
      {R"({"and": {"equals": {"a": 1}}})", "and"},
      {R"({"and": [{"x": 1}]})", "and.0.x"},
      {R"({"not": []})", "not"},
      {R"({"bool": {}})", "bool"},
      {R"({"bool": {"may": []}})", "bool.may"},
      {R"({"geoDistance": {"p": [1, 2], "distance": "far"}})", "geoDistance.p"},
      {R"({"geoDistance": {"p": [100, 2], "distance": 1}})", "geoDistance.p"},
      {R"({"geoPolygon": {"p": {"points": [[1, 2]]}}})", "geoPolygon.p.points"},
      {R"({"geoBoundingBox": {"p": {}}})", "geoBoundingBox.p"},
      {R"({"geoBoundingBox": {"p": {}, "q": {}}})", "geoBoundingBox"},
  };
  for (const auto& [text, field] : cases) {
    const auto parsed = Filter::parse(json(text));
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().field, field) << text;
  }
}

TEST(KoncordeTest, ExcessiveQueriesAreRefused) {
  std::string deep = R"({"exists": "a"})";
  for (int i = 0; i < 20; ++i) deep = R"({"not": )" + deep + "}";
  EXPECT_EQ(Filter::parse(json(deep)).error().code, Code::too_large);
  std::string many;
  for (int i = 0; i < 300; ++i) many += R"({"exists": "a)" + std::to_string(i) + "\"},";
  many.pop_back();
  EXPECT_EQ(Filter::parse(json(R"({"or": [)" + many + "]}")).error().code, Code::too_large);
  std::string values;
  for (int i = 0; i < 2'000; ++i) values += std::to_string(i) + ",";
  values.pop_back();
  EXPECT_EQ(Filter::parse(json(R"({"in": {"a": [)" + values + "]}}")).error().code,
            Code::too_large);
  const std::string pattern(2'000, 'a');
  EXPECT_EQ(Filter::parse(json(R"({"regexp": {"a": ")" + pattern + "\"}}")).error().code,
            Code::too_large);
}

TEST(KoncordeTest, RegularExpressionsAreBoundedByWhatTheyCost) {
  const auto regexp = [](const std::string& pattern) {
    return R"({"regexp": {"a": ")" + pattern + "\"}}";
  };
  const std::string costly = regexp("(a|aa|aaa)*(.{900})[b-c](.{900})$");
  EXPECT_EQ(Filter::parse(json(costly)).error().code, Code::too_large);
  // All expressions of one filter together.
  const std::string one = regexp("(.{20})[b-c](.{20})$");
  EXPECT_TRUE(Filter::parse(json(one)));
  std::string many;
  for (int i = 0; i < 100; ++i) many += (i > 0 ? "," : "") + one;
  EXPECT_EQ(Filter::parse(json(R"({"or": [)" + many + "]}")).error().code, Code::too_large);
  EXPECT_TRUE(Filter::parse(json(regexp("^[a-z0-9._%+-]+@[a-z0-9.-]+[.][a-z]{2,}$"))));
  // A longer text matches no pattern.
  const auto text = [](std::size_t length) {
    return Value(Object{{"a", Value(std::string(length, 'x'))}});
  };
  EXPECT_TRUE(fits(filter(regexp("x")), text(limits::koncorde_pattern_text_max)));
  EXPECT_FALSE(fits(filter(regexp("x")), text(limits::koncorde_pattern_text_max + 1)));
}

TEST(MatcherTest, TenThousandFiltersCostAFewEvaluations) {
  Matcher matcher;
  std::vector<FilterId> ids;
  for (int i = 0; i < 10'000; ++i) {
    const std::string n = std::to_string(i);
    std::string text;
    switch (i % 8) {
      case 0: text = R"({"equals": {"user": "u)" + n + "\"}}"; break;
      case 1: text = R"({"and": [{"equals": {"user": "u)" + n + R"("}}, {"exists": "x"}]})"; break;
      case 2: text = R"({"range": {"n": {"gte": )" + n + R"(, "lt": )" + n + ".5}}}"; break;
      case 3:
        text = R"({"and": [{"range": {"n": {"gt": )" + n + R"(, "lt": )" + n +
               R"(.9}}}, {"not": {"exists": "y"}}]})";
        break;
      case 4: text = R"({"in": {"tag": ["t)" + n + R"(", "s)" + n + "\"]}}"; break;
      case 5: text = R"({"ids": {"values": ["d)" + n + "\"]}}"; break;
      case 6: text = R"({"exists": "list[\"i)" + n + R"(\"]"})"; break;
      case 7:
        text = R"({"or": [{"equals": {"user": "v)" + n + R"("}}, {"and": [{"exists": "x"},
                 {"equals": {"tag": "w)" +
               n + "\"}}]}]}";
        break;
    }
    ids.push_back(matcher.add(filter(text)));
  }
  ASSERT_EQ(matcher.size(), 10'000U);
  const auto match = [&](std::string_view body, std::string_view id = "doc") {
    std::vector<std::size_t> found;
    for (const FilterId matched : matcher.match({id, json(body)})) {
      found.push_back(
          static_cast<std::size_t>(std::find(ids.begin(), ids.end(), matched) - ids.begin()));
    }
    return found;
  };
  using Found = std::vector<std::size_t>;
  EXPECT_EQ(match(R"({"user": "u8"})"), Found{8});
  EXPECT_EQ(match(R"({"n": 10.25})"), Found{10});
  EXPECT_EQ(match(R"({"tag": "s12"})"), Found{12});
  EXPECT_EQ(match(R"({"list": ["i14", "i22", "none"]})"), (Found{14, 22}));
  EXPECT_EQ(match("{}", "d5"), Found{5});
  EXPECT_EQ(matcher.evaluations(), 0U) << "each of these is all that its filter says";
  EXPECT_EQ(match(R"({"user": "u9", "x": 1})"), Found{9});
  EXPECT_EQ(match(R"({"user": "u9"})"), Found{});
  EXPECT_EQ(match(R"({"n": 11.5, "tag": "t20"})"), (Found{11, 20}));
  EXPECT_EQ(match(R"({"x": 1, "tag": "w15"})"), Found{15});
  EXPECT_EQ(matcher.evaluations(), 4U);
  for (int i = 0; i < 1'000; ++i) {
    const std::string n = std::to_string(i * 10);
    match(R"({"user": "u)" + n + R"(", "n": )" + n + R"(.3, "tag": "w)" + n +
          R"(", "x": 1, "list": [1, 2, 3]})");
  }
  EXPECT_LE(matcher.evaluations(), 4U + 2'000U);
  for (const FilterId id : ids) matcher.remove(id);
  EXPECT_EQ(matcher.size(), 0U);
  EXPECT_EQ(match(R"({"user": "u8", "n": 10.25, "tag": "s12"})"), Found{});
}

// --- the matcher agrees with the conditions ---

std::string random_filter(Random& random, int depth) {
  const auto pick = [&](std::initializer_list<const char*> of) {
    return std::string(*(of.begin() + random.below(of.size())));
  };
  const std::string field = pick({"a", "b", "c.d", "_id"});
  const std::string value = pick({"1", "2", "-3.5", "\"x\"", "\"1\"", "true", "null"});
  switch (random.below(depth > 0 ? 12 : 8)) {
    case 0: return R"({"equals": {")" + field + "\": " + value + "}}";
    case 1: return R"({"in": {")" + field + "\": [" + value + ", 2, \"y\"]}}";
    case 2: return R"({"exists": ")" + field + "\"}";
    case 3: return R"({"missing": ")" + field + "\"}";
    case 4: {
      const int lower = static_cast<int>(random.below(6)) - 4;
      const std::string from = std::to_string(lower);
      const std::string to = std::to_string(lower + 1);
      return R"({"range": {")" + field + R"(": {")" + pick({"gt", "gte"}) + "\": " + from +
             (random.below(2) == 0 ? "" : ", \"" + pick({"lt", "lte"}) + "\": " + to) + "}}}";
    }
    case 5: return R"({"regexp": {")" + field + R"(": "^[x1]"}})";
    case 6: return R"({"exists": ")" + pick({"a", "b"}) + "[" + pick({"1", "\\\"x\\\""}) + "]\"}";
    case 7: return pick({R"({"ids": {"values": ["x", "d1"]}})", R"({"nothing": {}})"});
    case 8:
    case 9: return R"({"not": )" + random_filter(random, depth - 1) + "}";
    default: {
      const std::string op = pick({"and", "or"});
      return "{\"" + op + "\": [" + random_filter(random, depth - 1) + ", " +
             random_filter(random, depth - 1) + "]}";
    }
  }
}

std::string random_body(Random& random) {
  const auto pick = [&](std::initializer_list<const char*> of) {
    return std::string(*(of.begin() + random.below(of.size())));
  };
  const auto value = [&] {
    return pick({"1", "2", "-3.5", "-3.25", "0", "1.5", "\"x\"", "\"1\"", "true", "null", "[1, 2]",
                 "[\"x\"]", "{}"});
  };
  std::string body = "{\"z\": 0";
  if (random.below(3) > 0) body += ", \"a\": " + value();
  if (random.below(3) > 0) body += ", \"b\": " + value();
  if (random.below(3) > 0) body += ", \"c\": {\"d\": " + value() + "}";
  return body + "}";
}

RC_GTEST_PROP(MatcherPropertyTest, TheMatcherAgreesWithTheConditions, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Matcher matcher;
  std::map<FilterId, Filter> filters;
  for (int i = 0; i < 40; ++i) {
    const Filter made = filter(random_filter(random, 3));
    const FilterId id = matcher.add(made);
    filters.emplace(id, made);
    if (random.below(4) == 0) {
      const FilterId gone = filters.begin()->first;
      matcher.remove(gone);
      filters.erase(gone);
    }
  }
  for (int i = 0; i < 10; ++i) {
    const Value body = json(random_body(random));
    std::vector<FilterId> expected;
    for (const auto& [id, made] : filters) {
      // The condition itself, over a document of the core.
      Document document;
      const Bytes packed = must(pack(body));
      document.id = "d1";
      document.body = Packed(packed);
      struct DocumentScope final : Scope {
        explicit DocumentScope(const Document& d) : of(d) {}
        Value field(Slot, const Field& f) const override { return mayfly::field(of, f); }
        const Document& of;
      } scope(document);
      if (must(truth(*made.condition(), scope, unbounded())) == Truth::yes) expected.push_back(id);
    }
    RC_ASSERT(matcher.match({"d1", body}) == expected);
  }
}

}  // namespace
}  // namespace mayfly::kuzzle::koncorde
