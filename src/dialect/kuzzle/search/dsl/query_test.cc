// Queries and what they find.
#include "dialect/kuzzle/search/testing.h"

namespace mayfly::kuzzle::search {
namespace {

using mayfly::testing::must;

struct QueryCase {
  std::string_view query;
  std::string_view found;
};

class QueryTest : public ::testing::Test {
 protected:
  QueryTest() {
    world.put(world.rows, "a",
              R"({"name": "The quick brown Fox", "n": 1, "tags": ["red", "Dark Blue"],
        "status": "in_progress", "when": "2017-01-01", "ok": true, "user": {"name": "Ann"},
        "comments": [{"by": "ann", "stars": 5}, {"by": "bob", "stars": 1}]})");
    world.put(world.rows, "b", R"({"name": "A lazy dog", "n": 2.5, "tags": ["green"],
        "status": "done", "when": "2017-06-15T12:30:00Z", "ok": false, "user": {"name": "Bob"},
        "comments": [{"by": "ann", "stars": 1}]})");
    world.put(world.rows, "c", R"({"name": "brown quick", "n": 10, "tags": [], "empty": null,
        "when": 1500000000000, "nested": {"deep": {"x": 7}}, "num": "12"})");
    world.put(world.rows, "d", R"({"n": -3, "code": "A-17", "mail": "ann@example.org"})");
  }
  void expect(std::initializer_list<QueryCase> cases) {
    for (const QueryCase& c : cases) EXPECT_EQ(world.find(c.query), c.found) << c.query;
  }
  SearchWorld world;
};

TEST_F(QueryTest, NoQueryFindsEverything) {
  EXPECT_EQ(world.ids("{}"), "a b c d");
  EXPECT_EQ(world.ids(R"({"query": {}})"), "a b c d");
  expect({{R"({"match_all": {}})", "a b c d"}, {R"({"match_none": {}})", ""}});
}

TEST_F(QueryTest, ATermIsAWordOfATextOrTheValueOfAnythingElse) {
  expect({{R"({"term": {"name": "quick"}})", "a c"},
          {R"({"term": {"name": "Quick"}})", ""},
          {R"({"term": {"name.keyword": "A lazy dog"}})", "b"},
          {R"({"term": {"name.keyword": "lazy"}})", ""},
          {R"({"term": {"status": "in_progress"}})", "a"},
          {R"({"term": {"n": 10}})", "c"},
          {R"({"term": {"n": {"value": 2.5, "boost": 2}}})", "b"},
          {R"({"term": {"n": "10"}})", "c"},
          {R"({"term": {"num": 12}})", "c"},
          {R"({"term": {"ok": true}})", "a"},
          {R"({"term": {"ok": "false"}})", "b"},
          {R"({"term": {"tags": "blue"}})", "a"},
          {R"({"term": {"tags.keyword": "Dark Blue"}})", "a"},
          {R"({"term": {"user.name": "bob"}})", "b"},
          {R"({"term": {"nested.deep.x": 7}})", "c"},
          {R"({"term": {"comments.by": "bob"}})", "a"},
          {R"({"term": {"when": "2017-01-01"}})", "a"},
          {R"({"term": {"absent": 1}})", ""}});
}

TEST_F(QueryTest, TermsAreAnyOfThem) {
  expect({{R"({"terms": {"name": ["dog", "fox"]}})", "a b"},
          {R"({"terms": {"n": [1, 10, 99]}})", "a c"},
          {R"({"terms": {"n": []}})", ""},
          {R"({"terms": {"user.name.keyword": ["Ann", "Eve"], "boost": 1}})", "a"},
          {R"({"terms": {"tags": ["red", "green"]}})", "a b"}});
}

TEST_F(QueryTest, MatchFindsWords) {
  expect(
      {{R"({"match": {"name": "Quick LAZY"}})", "a b c"},
       {R"({"match": {"name": {"query": "quick brown", "operator": "and"}}})", "a c"},
       {R"({"match": {"name": {"query": "quick brown fox", "minimum_should_match": 2}}})", "a c"},
       {R"({"match": {"name": {"query": "quick brown fox", "minimum_should_match": "100%"}}})",
        "a"},
       {R"({"match": {"name": "..."}})", ""},
       {R"({"match": {"n": 1}})", "a"},
       {R"({"match": {"n": "2.5"}})", "b"},
       {R"({"match": {"tags": {"query": "red blue", "operator": "AND"}}})", "a"},
       {R"({"match_phrase": {"name": "quick brown"}})", "a"},
       {R"({"match_phrase": {"name": "brown quick"}})", "c"},
       {R"({"match_phrase": {"tags": "red dark"}})", ""},
       {R"({"match_phrase_prefix": {"name": "quick bro"}})", "a"},
       {R"({"match_phrase_prefix": {"name": "la"}})", "b"},
       {R"({"match": {"_all": "bob"}})", "a b"},
       {R"({"multi_match": {"query": "ann", "fields": ["name", "user.name^3", "mail"]}})", "a d"},
       {R"({"multi_match": {"query": "lazy dog", "fields": "name", "type": "phrase"}})", "b"},
       {R"({"multi_match": {"query": "ann"}})", "a b d"}});
}

TEST_F(QueryTest, RangesAreOfNumbersTextsAndDates) {
  expect({{R"({"range": {"n": {"gt": 1}}})", "b c"},
          {R"({"range": {"n": {"gte": 1, "lt": 10}}})", "a b"},
          {R"({"range": {"n": {"gte": "1", "lte": "2.5"}}})", "a b"},
          {R"({"range": {"n": {"from": 1, "to": 10, "include_upper": false}}})", "a b"},
          {R"({"range": {"n": {}}})", "a b c d"},
          {R"({"range": {"user.name.keyword": {"gte": "B"}}})", "b"},
          {R"({"range": {"when": {"gte": "2017-01-01", "lt": "2017-06-16"}}})", "a b"},
          {R"({"range": {"when": {"lte": "2017-06-15"}}})", "a b"},
          {R"({"range": {"when": {"lt": "2017-06-15"}}})", "a"},
          {R"({"range": {"when": {"gt": 1490000000000}}})", "b c"},
          {R"({"range": {"when": {"gt": "2017-01-01||+5M/M"}}})", "c"},
          {R"({"range": {"when": {"lt": "now-1d"}}})", ""},
          {R"({"range": {"comments.stars": {"gte": 2, "lte": 4}}})", ""}});
}

TEST_F(QueryTest, ExistsMeansAValueOtherThanNull) {
  expect({{R"({"exists": {"field": "name"}})", "a b c"},
          {R"({"exists": {"field": "tags"}})", "a b"},
          {R"({"exists": {"field": "empty"}})", ""},
          {R"({"exists": {"field": "nested"}})", "c"},
          {R"({"exists": {"field": "nested.deep.x"}})", "c"},
          {R"({"exists": {"field": "comments.by"}})", "a b"},
          {R"({"exists": {"field": "_id"}})", "a b c d"}});
}

TEST_F(QueryTest, IdsArePointsInTheCollection) {
  expect({{R"({"ids": {"values": ["c", "a", "zzz"]}})", "a c"},
          {R"({"ids": {"values": "b"}})", "b"},
          {R"({"ids": {"values": []}})", ""},
          {R"({"term": {"_id": "d"}})", "d"},
          {R"({"terms": {"_id": ["d", "b"]}})", "b d"}});
  EXPECT_EQ(world.ids(R"({"query": {"ids": {"values": ["b", "a"]}}})"), "a b");
}

TEST_F(QueryTest, PatternsAreOfWordsOrOfTheWhole) {
  expect({{R"({"prefix": {"name": "qui"}})", "a c"},
          {R"({"prefix": {"name.keyword": "A l"}})", "b"},
          {R"({"prefix": {"_id": "a"}})", "a"},
          {R"({"wildcard": {"name": "f?x"}})", "a"},
          {R"({"wildcard": {"name": {"value": "*uic*"}}})", "a c"},
          {R"({"wildcard": {"code.keyword": "A-*"}})", "d"},
          {R"({"wildcard": {"code.keyword": "A.*"}})", ""},
          {R"({"regexp": {"name": "f[aeiou]x"}})", "a"},
          {R"({"regexp": {"name": "fo"}})", ""},
          {R"({"regexp": {"code.keyword": {"value": "A-[0-9]+"}}})", "d"},
          {R"({"regexp": {"code.keyword": "@7"}})", "d"}});
}

TEST_F(QueryTest, BoolCombines) {
  expect({
      {R"({"bool": {}})", "a b c d"},
      {R"({"bool": {"must": {"term": {"name": "quick"}}, "must_not": [{"term": {"n": 10}}]}})",
       "a"},
      {R"({"bool": {"must": [], "filter": [{"range": {"n": {"gt": 1}}}]}})", "b c"},
      {R"({"bool": {"should": [{"term": {"n": 1}}, {"term": {"n": 10}}]}})", "a c"},
      {R"({"bool": {"must": [{"match_all": {}}], "should": [{"term": {"n": 1}}]}})", "a b c d"},
      {R"({"bool": {"must": [{"match_all": {}}], "should": [{"term": {"n": 1}}],
           "minimum_should_match": 1}})",
       "a"},
      {R"({"bool": {"should": [{"term": {"name": "quick"}}, {"term": {"n": 10}},
           {"term": {"name": "dog"}}], "minimum_should_match": 2}})",
       "c"},
      {R"({"bool": {"should": [{"term": {"name": "quick"}}, {"term": {"n": 10}},
           {"term": {"name": "dog"}}], "minimum_should_match": "-1"}})",
       "c"},
      {R"({"bool": {"should": [{"term": {"n": 1}}], "minimum_should_match": 2}})", ""},
      {R"({"bool": {"must_not": {"exists": {"field": "name"}}}})", "d"},
      {R"({"bool": {"must_not": {"bool": {"must_not": {"term": {"n": 1}}}}}})", "a"},
      {R"({"constant_score": {"filter": {"term": {"n": 1}}}})", "a"},
      {R"({"dis_max": {"queries": [{"term": {"n": 1}}, {"term": {"n": -3}}]}})", "a d"},
  });
}

TEST_F(QueryTest, NestedKeepsTheFieldsOfOneItemTogether) {
  expect({
      {R"({"bool": {"must": [{"term": {"comments.by": "ann"}}, {"term": {"comments.stars": 1}}]}})",
       "a b"},
      {R"({"nested": {"path": "comments", "query": {"bool": {"must": [
           {"term": {"comments.by": "ann"}}, {"term": {"comments.stars": 1}}]}}}})",
       "b"},
      {R"({"bool": {"must_not": {"nested": {"path": "comments", "query":
           {"exists": {"field": "comments.by"}}}}}})",
       "c d"},
      {R"({"nested": {"path": "nested", "query": {"nested": {"path": "nested.deep",
           "query": {"range": {"nested.deep.x": {"gte": 7}}}}}}})",
       "c"},
  });
}

TEST_F(QueryTest, AQueryStringIsALanguageOfItsOwn) {
  const auto found = [&](std::string_view text) {
    return world.find(R"({"query_string": {"query": )" + render_json(Value(text)) + "}}");
  };
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"fox", "a"},
      {"name:fox name:dog", "a b"},
      {"name:fox OR name:dog", "a b"},
      {"name:quick AND n:10", "c"},
      {"name:quick AND NOT n:10", "a"},
      {"+name:quick -n:10", "a"},
      {"name:(lazy OR fox)", "a b"},
      {"(name:quick OR name:lazy) AND ok:false", "b"},
      {"name:\"quick brown\"", "a"},
      {"name:qu*", "a c"},
      {"name:QU*", "a c"},
      {"name:f?x^2", "a"},
      {"*:*", "a b c d"},
      {"*", "a b c d"},
      {"name:*", "a b c"},
      {"_exists_:code", "d"},
      {"n:[1 TO 3]", "a b"},
      {"n:{1 TO *]", "b c"},
      {"n:>2", "b c"},
      {"n:<=1", "a d"},
      {"name:/f.x/", "a"},
      {"user.name:Ann", "a"},
      {"code.keyword:A\\-17", "d"},
      {"!name:quick", "b d"},
      {"name:quick && n:10 || name:dog", "c"},
  };
  for (const auto& [text, ids] : cases) EXPECT_EQ(found(text), ids) << text;
  EXPECT_EQ(world.find(R"({"query_string": {"query": "quick fox", "default_field": "name",
                           "default_operator": "AND"}})"),
            "a");
  EXPECT_EQ(world.find(R"({"query_string": {"query": "bob", "fields": ["name", "user.name"]}})"),
            "b");
  for (const std::string_view bad :
       {"", "(a", "a)", "name:", "AND", "n:[1 TO", "\"a", "a~2", "NOT"}) {
    EXPECT_NE(found(bad).find("query.query_string.query"), std::string::npos) << bad;
  }
}

TEST_F(QueryTest, TypesOfTheMappingDecide) {
  world.map(R"({"properties": {
      "status": {"type": "keyword"}, "num": {"type": "integer"},
      "name": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
      "when": {"type": "date"}, "ok": {"type": "boolean"},
      "user": {"properties": {"name": {"type": "keyword"}}}}})");
  expect({{R"({"term": {"status": "in_progress"}})", "a"},
          {R"({"term": {"status": "progress"}})", ""},
          {R"({"match": {"status": "done"}})", "b"},
          {R"({"term": {"num": 12}})", "c"},
          {R"({"range": {"num": {"gt": 11, "lt": "13"}}})", "c"},
          {R"({"term": {"name.raw": "brown quick"}})", "c"},
          {R"({"term": {"name": "brown"}})", "a c"},
          {R"({"range": {"when": {"gte": 1483228800000, "lt": "2017-07-01"}}})", "a b"},
          {R"({"term": {"when": 1500000000000}})", "c"},
          {R"({"term": {"ok": "true"}})", "a"},
          {R"({"terms": {"when": ["2017-01-01", 1500000000000]}})", "a c"},
          {R"({"prefix": {"user.name": "A"}})", "a"},
          {R"({"term": {"num": "x"}})", "invalid query.term.num"},
          {R"({"range": {"when": {"gt": "soon"}}})", "invalid query.range.when"},
          {R"({"term": {"ok": "perhaps"}})", "invalid query.term.ok"}});
  EXPECT_EQ(world.ids(R"({"sort": "name"})"), "invalid sort");
  EXPECT_EQ(world.ids(R"({"sort": ["name.raw"]})"), "b a c d");
}

TEST_F(QueryTest, PlacesAreFoundByDistanceBoxAndPolygon) {
  world.put(world.rows, "m", R"({"at": {"lat": 43.61, "lon": 3.87}, "o": {"at": "43.6,3.9"}})");
  world.put(world.rows, "p", R"({"at": [2.35, 48.85], "l": [{"at": {"lat": 1, "lon": 1}}]})");
  world.put(world.rows, "s", R"({"at": "-18.1, 178.4"})");
  world.put(world.rows, "w", R"({"at": [{"lat": 48.2, "lon": 16.4}, {"lat": 43.7, "lon": 3.9}]})");
  world.put(world.rows, "z", R"({"at": {"type": "Point", "coordinates": [3.8, 43.5]}})");
  expect({
      {R"({"geo_distance": {"distance": "20km", "at": {"lat": 43.6, "lon": 3.87}}})", "m w z"},
      {R"({"geo_distance": {"distance": 5, "unit": "km", "at": "43.6,3.87"}})", "m"},
      {R"({"geo_distance": {"distance": "5 km", "o.at": [3.9, 43.6], "boost": 2}})", "m"},
      {R"({"geo_distance_range": {"from": "5km", "to": "20km", "at": [3.87, 43.6]}})", "w z"},
      {R"({"geo_bounding_box": {"at": {"top_left": {"lat": 49, "lon": 2},
           "bottom_right": {"lat": 48, "lon": 3}}}})",
       "p"},
      {R"({"geo_bounding_box": {"at": {"top_right": [17, 49], "bottom_left": [16, 48]},
           "type": "memory"}})",
       "w"},
      {R"({"geo_bounding_box": {"at": {"top": 0, "bottom": -20, "left": 170, "right": -170}}})",
       "s"},
      {R"({"geo_polygon": {"at": {"points": [[2, 48], [3, 48], [3, 49], [2, 49]]}}})", "p"},
      {R"({"nested": {"path": "l", "query": {"geo_distance": {"distance": "1km",
           "l.at": [1, 1]}}}})",
       "p"},
      {R"({"bool": {"must_not": {"geo_distance": {"distance": "20000km", "at": [0, 0]}}}})",
       "a b c d"},
  });
}

TEST_F(QueryTest, ErrorsNameTheMember) {
  const QueryCase cases[] = {
      {R"({"nothing": {}})", "invalid query.nothing"},
      {R"({"fuzzy": {"name": "x"}})", "unsupported query.fuzzy"},
      {R"({"geo_shape": {}})", "unsupported query.geo_shape"},
      {R"({"geo_distance": {}})", "invalid query.geo_distance"},
      {R"({"geo_distance": {"a": [1, 2]}})", "invalid query.geo_distance.distance"},
      {R"({"geo_distance": {"a": "u09t", "distance": 1}})", "invalid query.geo_distance.a"},
      {R"({"geo_distance": {"a": [1, 2], "b": [1, 2], "distance": 1}})",
       "invalid query.geo_distance"},
      {R"({"geo_bounding_box": {"a": {"top": 1}}})", "invalid query.geo_bounding_box.a"},
      {R"({"geo_polygon": {"a": {"points": [[1, 2]]}}})", "invalid query.geo_polygon.a.points"},
      {R"({"match": {"a": {"query": "x", "zero_terms_query": "all"}}})",
       "unsupported query.match.a.zero_terms_query"},
      {R"([])", "invalid query"},
      {R"({"term": {"a": 1}, "match": {"b": 2}})", "invalid query"},
      {R"({"term": {"a": 1, "b": 2}})", "invalid query.term"},
      {R"({"term": {"a": null}})", "invalid query.term.a"},
      {R"({"term": {"a": [1]}})", "invalid query.term.a"},
      {R"({"terms": {"a": 1}})", "invalid query.terms.a"},
      {R"({"terms": {"a": {"index": "x"}}})", "unsupported query.terms.a"},
      {R"({"range": {"a": 1}})", "invalid query.range.a"},
      {R"({"range": {"a": {"above": 1}}})", "invalid query.range.a.above"},
      {R"({"range": {"a": {"gt": []}}})", "invalid query.range.a.gt"},
      {R"({"exists": {}})", "invalid query.exists.field"},
      {R"({"ids": {}})", "invalid query.ids.values"},
      {R"({"regexp": {"a": "["}})", "invalid query.regexp.a"},
      {R"({"regexp": {"a": "a~b"}})", "unsupported query.regexp.a"},
      {R"({"match": {"a": {"query": "x", "fuzziness": "AUTO"}}})",
       "unsupported query.match.a.fuzziness"},
      {R"({"match": {"a": {"operator": "and"}}})", "invalid query.match.a.query"},
      {R"({"match": {"a": {"query": "x", "operator": "xor"}}})", "invalid query.match.a.operator"},
      {R"({"bool": {"should": [{"term": {"a": 1}}, {"x": {}}]}})", "invalid query.bool.should.1.x"},
      {R"({"bool": {"may": []}})", "invalid query.bool.may"},
      {R"({"bool": {"should": {"match_all": {}}, "minimum_should_match": "x"}})",
       "invalid query.bool.minimum_should_match"},
      {R"({"nested": {"path": "a"}})", "invalid query.nested.query"},
      {R"({"nested": {"query": {}}})", "invalid query.nested.path"},
  };
  for (const QueryCase& c : cases) EXPECT_EQ(world.find(c.query), c.found) << c.query;
}

TEST_F(QueryTest, UnsupportedOptionsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"match": {"a": {"query": "x", "fuzziness": 1}}})", "\"fuzziness\""},
      {R"({"match": {"a": {"query": "x", "zero_terms_query": "all"}}})", "\"zero_terms_query\""},
      {R"({"match_phrase": {"a": {"query": "x", "slop": 1}}})", "\"slop\""},
      {R"({"query_string": {"query": "fox~1"}})", "\"~\""},
      {R"({"range": {"a": {"gt": 1, "time_zone": "+02:00"}}})", "\"time_zone\""},
      {R"({"match_bool_prefix": {"a": "x"}})", "match_bool_prefix"},
      {R"({"combined_fields": {}})", "combined_fields"},
  };
  const Mapping mapping = *Mapping::parse(*parse_json("{}"));
  for (const auto& [query, name] : cases) {
    const auto refused = parse_query(*parse_json(query), {.mapping = mapping, .now = {}});
    ASSERT_FALSE(refused) << query;
    EXPECT_EQ(refused.error().code, Code::unsupported) << query;
    EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().message;
  }
  const Mapping dates = *Mapping::parse(*parse_json(R"({"properties": {"d": {"type": "date"}}})"));
  const auto refused =
      parse_query(*parse_json(R"({"range": {"d": {"gt": "31/12/2026", "format": "dd/MM/yyyy"}}})"),
                  {.mapping = dates, .now = {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the value is no date: dates are milliseconds or ISO 8601, whatever \"format\" says");
  EXPECT_EQ(refused.error().field, "query.range.d");
}

TEST_F(QueryTest, ExcessiveQueriesAreRefused) {
  std::string deep = R"({"match_all": {}})";
  for (int i = 0; i < 20; ++i) deep = R"({"bool": {"must": )" + deep + "}}";
  EXPECT_EQ(world.find(deep).substr(0, 9), "too_large");
  std::string many = "[";
  for (int i = 0; i < 300; ++i) many += R"({"term": {"n": 1}},)";
  many.back() = ']';
  EXPECT_EQ(world.find(R"({"bool": {"should": )" + many + "}}").substr(0, 9), "too_large");
  std::string values = "[";
  for (int i = 0; i < 5'000; ++i) values += std::to_string(i) + ",";
  values.back() = ']';
  EXPECT_EQ(world.find(R"({"terms": {"n": )" + values + "}}"), "too_large query.terms.n");
  const std::string pattern(2'000, 'a');
  EXPECT_EQ(world.find(R"({"wildcard": {"n": ")" + pattern + R"("}})"),
            "too_large query.wildcard.n");
  std::string words;
  for (int i = 0; i < 300; ++i) words += "w" + std::to_string(i) + " ";
  EXPECT_EQ(world.find(R"({"match": {"n": ")" + words + R"("}})"), "too_large query.match.n");
}

TEST_F(QueryTest, ManyTermsAreOneCondition) {
  std::string values = "[";
  for (int i = 0; i < 4'000; ++i) values += std::to_string(i) + ",";
  values.back() = ']';
  EXPECT_EQ(world.find(R"({"terms": {"n": )" + values + "}}"), "a c");
}

}  // namespace
}  // namespace mayfly::kuzzle::search
