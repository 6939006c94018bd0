// Aggregations and their results.
#include "dialect/kuzzle/search/testing.h"

namespace mayfly::kuzzle::search {
namespace {

using mayfly::testing::must;

class AggregationTest : public ::testing::Test {
 protected:
  AggregationTest() : world({.keep_trash_for = Span::seconds(86'400)}) {
    must(world.put(world.rows, "a", R"({"kind": "x", "n": 1, "tags": ["p", "q", "p"], "ok": true,
        "when": "2017-01-05"})"));
    must(world.put(world.rows, "b", R"({"kind": "x", "n": [3, 4], "tags": "q", "ok": false,
        "when": "2017-01-20T10:00:00Z"})"));
    must(world.put(world.rows, "c", R"({"kind": "y", "n": 12, "when": 1490000000000})"));
    must(world.put(world.rows, "d", R"({"kind": "z", "other": 1})"));
  }
  // Without the members that are always present.
  std::string of(std::string_view aggregations, std::string_view query = "{}") {
    std::string text = world.aggregations(R"({"size": 0, "query": )" + std::string(query) +
                                          R"(, "aggs": )" + std::string(aggregations) + "}");
    const std::string_view head = R"("doc_count_error_upper_bound":0,"sum_other_doc_count":0,)";
    for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head)) {
      text.erase(at, head.size());
    }
    return text;
  }
  SearchWorld world;
};

TEST_F(AggregationTest, MetricsAreOverAllValues) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"m": {"avg": {"field": "n"}}})", R"({"m":{"value":5}})"},
      {R"({"m": {"min": {"field": "n"}}})", R"({"m":{"value":1}})"},
      {R"({"m": {"max": {"field": "n"}}})", R"({"m":{"value":12}})"},
      {R"({"m": {"sum": {"field": "n"}}})", R"({"m":{"value":20}})"},
      {R"({"m": {"value_count": {"field": "n"}}})", R"({"m":{"value":4}})"},
      {R"({"m": {"value_count": {"field": "_id"}}})", R"({"m":{"value":4}})"},
      {R"({"m": {"cardinality": {"field": "tags"}}})", R"({"m":{"value":2}})"},
      {R"({"m": {"cardinality": {"field": "kind.keyword"}}})", R"({"m":{"value":3}})"},
      {R"({"m": {"stats": {"field": "n"}}})",
       R"({"m":{"count":4,"min":1,"max":12,"avg":5,"sum":20}})"},
      {R"({"m": {"stats": {"field": "zzz"}}})",
       R"({"m":{"count":0,"min":null,"max":null,"avg":null,"sum":0}})"},
      {R"({"m": {"avg": {"field": "zzz"}}})", R"({"m":{"value":null}})"},
      {R"({"m": {"avg": {"field": "n", "missing": 0}}})", R"({"m":{"value":4}})"},
      {R"({"m": {"max": {"field": "_meta.createdAt"}}})",
       R"({"m":{"value":1000000,"value_as_string":"1970-01-01T00:16:40.000Z"}})"},
      {R"({"a": {"min": {"field": "n"}}, "b": {"sum": {"field": "other"}}})",
       R"({"a":{"value":1},"b":{"value":1}})"},
  };
  for (const auto& [asked, told] : cases) EXPECT_EQ(of(asked), told) << asked;
  EXPECT_EQ(of(R"({"m": {"sum": {"field": "n"}}})", R"({"term": {"kind": "x"}})"),
            R"({"m":{"value":8}})");
}

TEST_F(AggregationTest, TermsCountDocumentsNotValues) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"t": {"terms": {"field": "kind"}}})",
       R"({"t":{"buckets":[{"key":"x","doc_count":2},{"key":"y","doc_count":1},)"
       R"({"key":"z","doc_count":1}]}})"},
      {R"({"t": {"terms": {"field": "tags.keyword"}}})",
       R"({"t":{"buckets":[{"key":"q","doc_count":2},{"key":"p","doc_count":1}]}})"},
      {R"({"t": {"terms": {"field": "kind", "order": {"_key": "desc"}}}})",
       R"({"t":{"buckets":[{"key":"z","doc_count":1},{"key":"y","doc_count":1},)"
       R"({"key":"x","doc_count":2}]}})"},
      {R"({"t": {"terms": {"field": "kind", "min_doc_count": 2}}})",
       R"({"t":{"buckets":[{"key":"x","doc_count":2}]}})"},
      {R"({"t": {"terms": {"field": "ok"}}})",
       R"({"t":{"buckets":[{"key":0,"key_as_string":"false","doc_count":1},)"
       R"({"key":1,"key_as_string":"true","doc_count":1}]}})"},
      {R"({"t": {"terms": {"field": "tags", "missing": "none"}}})",
       R"({"t":{"buckets":[{"key":"none","doc_count":2},{"key":"q","doc_count":2},)"
       R"({"key":"p","doc_count":1}]}})"},
      {R"({"t": {"terms": {"field": "zzz"}}})", R"({"t":{"buckets":[]}})"},
      {R"({"t": {"terms": {"field": "kind"}, "aggs": {"s": {"sum": {"field": "n"}}}}})",
       R"({"t":{"buckets":[{"key":"x","doc_count":2,"s":{"value":8}},)"
       R"({"key":"y","doc_count":1,"s":{"value":12}},{"key":"z","doc_count":1,"s":{"value":0}}]}})"},
      {R"({"t": {"terms": {"field": "kind", "order": {"s.max": "desc"}, "size": 2},
           "aggs": {"s": {"stats": {"field": "n"}}}}})",
       R"({"t":{"doc_count_error_upper_bound":0,"sum_other_doc_count":1,"buckets":[)"
       R"({"key":"y","doc_count":1,"s":{"count":1,"min":12,"max":12,"avg":12,"sum":12}},)"
       R"({"key":"x","doc_count":2,"s":{"count":3,"min":1,"max":4,"avg":2.6666666666666665,)"
       R"("sum":8}}]}})"},
  };
  for (const auto& [asked, told] : cases) EXPECT_EQ(of(asked), told) << asked;
}

TEST_F(AggregationTest, BucketsHoldBuckets) {
  EXPECT_EQ(
      of(R"({"t": {"terms": {"field": "kind"}, "aggs": {
                   "tags": {"terms": {"field": "tags"}, "aggs": {"m": {"max": {"field": "n"}}}}}}})"),
      R"({"t":{"buckets":[{"key":"x","doc_count":2,"tags":{"buckets":[)"
      R"({"key":"q","doc_count":2,"m":{"value":4}},{"key":"p","doc_count":1,"m":{"value":1}}]}},)"
      R"({"key":"y","doc_count":1,"tags":{"buckets":[]}},)"
      R"({"key":"z","doc_count":1,"tags":{"buckets":[]}}]}})");
  EXPECT_EQ(of(R"({"f": {"filter": {"term": {"kind": "x"}}, "aggs": {
                   "m": {"avg": {"field": "n"}}, "t": {"terms": {"field": "tags"}}}}})"),
            R"({"f":{"doc_count":2,"m":{"value":2.6666666666666665},"t":{"buckets":[)"
            R"({"key":"q","doc_count":2},{"key":"p","doc_count":1}]}}})");
  EXPECT_EQ(of(R"({"t": {"terms": {"field": "kind"}, "aggs": {
                   "f": {"filter": {"exists": {"field": "n"}}}}}})"),
            R"({"t":{"buckets":[{"key":"x","doc_count":2,"f":{"doc_count":2}},)"
            R"({"key":"y","doc_count":1,"f":{"doc_count":1}},)"
            R"({"key":"z","doc_count":1,"f":{"doc_count":0}}]}})");
}

TEST_F(AggregationTest, HistogramsFillTheirGaps) {
  EXPECT_EQ(of(R"({"h": {"histogram": {"field": "n", "interval": 4}}})"),
            R"({"h":{"buckets":[{"key":0,"doc_count":2},{"key":4,"doc_count":1},)"
            R"({"key":8,"doc_count":0},{"key":12,"doc_count":1}]}})");
  EXPECT_EQ(of(R"({"h": {"histogram": {"field": "n", "interval": 4, "min_doc_count": 1,
                   "order": {"_key": "desc"}}}})"),
            R"({"h":{"buckets":[{"key":12,"doc_count":1},{"key":4,"doc_count":1},)"
            R"({"key":0,"doc_count":2}]}})");
  EXPECT_EQ(of(R"({"h": {"histogram": {"field": "n", "interval": 10, "offset": 2}}})"),
            R"({"h":{"buckets":[{"key":-8,"doc_count":1},{"key":2,"doc_count":1},)"
            R"({"key":12,"doc_count":1}]}})");
}

TEST_F(AggregationTest, DateHistogramsGoByTheCalendarOrByDurations) {
  EXPECT_EQ(of(R"({"h": {"date_histogram": {"field": "when", "interval": "month"}}})"),
            R"({"h":{"buckets":[)"
            R"({"key":1483228800000,"key_as_string":"2017-01-01T00:00:00.000Z","doc_count":2},)"
            R"({"key":1485907200000,"key_as_string":"2017-02-01T00:00:00.000Z","doc_count":0},)"
            R"({"key":1488326400000,"key_as_string":"2017-03-01T00:00:00.000Z","doc_count":1}]}})");
  EXPECT_EQ(of(R"({"h": {"date_histogram": {"field": "when", "calendar_interval": "1y",
                   "format": "yyyy"}, "aggs": {"s": {"sum": {"field": "n"}}}}})"),
            R"({"h":{"buckets":[{"key":1483228800000,"key_as_string":"2017","doc_count":3,)"
            R"("s":{"value":20}}]}})");
  EXPECT_EQ(of(R"({"h": {"date_histogram": {"field": "when", "fixed_interval": "30d",
                   "min_doc_count": 1}}})"),
            R"({"h":{"buckets":[)"
            R"({"key":1482624000000,"key_as_string":"2016-12-25T00:00:00.000Z","doc_count":2},)"
            R"({"key":1487808000000,"key_as_string":"2017-02-23T00:00:00.000Z","doc_count":1}]}})");
  EXPECT_EQ(of(R"({"h": {"date_histogram": {"field": "_meta.createdAt", "interval": "hour"}}})"),
            R"({"h":{"buckets":[{"key":0,"key_as_string":"1970-01-01T00:00:00.000Z",)"
            R"("doc_count":4}]}})");
}

TEST_F(AggregationTest, TheTrashIsNotCounted) {
  must(world.remove(world.rows, "a"));
  const std::string_view asked = R"({"size": 0, "aggs": {"m": {"value_count": {"field": "_id"}}}})";
  EXPECT_EQ(world.aggregations(asked), R"({"m":{"value":3}})");
  EXPECT_EQ(world.aggregations(asked, true), R"({"m":{"value":4}})");
}

TEST_F(AggregationTest, ErrorsNameTheMember) {
  world.map(R"({"properties": {"name": {"type": "text"}, "s": {"type": "keyword"}}})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"([])", "invalid aggs"},
      {R"({"a": {}})", "invalid aggs.a"},
      {R"({"a": {"terms": {}}})", "invalid aggs.a.terms.field"},
      {R"({"a": {"terms": {"field": "name"}}})", "invalid aggs.a.terms.field"},
      {R"({"a": {"avg": {"field": "s"}}})", "invalid aggs.a.avg"},
      {R"({"a": {"avg": {"field": "n"}, "min": {"field": "n"}}})", "invalid aggs.a"},
      {R"({"a": {"avg": {"field": "n"}, "aggs": {}}})", "invalid aggs.a.aggs"},
      {R"({"a": {"terms": {"field": "n", "include": "x"}}})", "invalid aggs.a.terms.include"},
      {R"({"a": {"terms": {"field": "n", "order": {"_count": "up"}}}})",
       "invalid aggs.a.terms.order._count"},
      {R"({"a": {"histogram": {"field": "n", "interval": 0}}})",
       "invalid aggs.a.histogram.interval"},
      {R"({"a": {"date_histogram": {"field": "n", "interval": "sometimes"}}})",
       "invalid aggs.a.date_histogram.interval"},
      {R"({"a": {"filter": {"x": {}}}})", "invalid aggs.a.filter.x"},
      {R"({"a": {"top_hits": {}}})", "unsupported aggs.a.top_hits"},
      {R"({"h": {"histogram": {"field": "n", "interval": 0.0001}}})", "too_large aggregations"},
  };
  for (const auto& [asked, error] : cases) EXPECT_EQ(of(asked), error) << asked;
  std::string deep = R"({"a": {"terms": {"field": "n"}}})";
  for (int i = 0; i < 5; ++i) deep = R"({"a": {"terms": {"field": "n"}, "aggs": )" + deep + "}}";
  EXPECT_EQ(of(deep).substr(0, 9), "too_large");
}

}  // namespace
}  // namespace mayfly::kuzzle::search
