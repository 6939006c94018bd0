// Which parts of a hit are highlighted, and how.
#include <gmock/gmock.h>

#include <string>

#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/testing.h"

namespace mayfly::kuzzle::search {
namespace {

using mayfly::testing::must;

class HighlightTest : public ::testing::Test {
 protected:
  void put(const std::string& json) { must(world.put(world.rows, "a", json)); }

  // The highlights of a query's only hit, or the error.
  std::string found(const std::string& query, const std::string& highlight) {
    const std::string body = R"({"query": )" + query + R"(, "highlight": )" + highlight + "}";
    View view = world.view();
    const auto search = world.parse(body, view.now());
    if (!search) return SearchWorld::text_of(search.error());
    const auto answered = answer(*search, world.context(view));
    if (!answered) return SearchWorld::text_of(answered.error());
    if (answered->hits.empty()) return "no hit";
    const Value& shown = answered->hits.front().highlight;
    return shown.is_missing() ? "nothing" : render_json(shown);
  }
  // In all fields.
  std::string found(const std::string& query) { return found(query, R"({"fields": {"*": {}}})"); }

  SearchWorld world;
};

TEST_F(HighlightTest, MatchingWordsAreHighlightedAsWritten) {
  put(R"({"t": "The Dog, a DOG-house and dogs", "u": "dog"})");
  EXPECT_EQ(found(R"({"match": {"t": "dog"}})"),
            R"({"t":["The <em>Dog</em>, a <em>DOG</em>-house and dogs"]})");
  EXPECT_EQ(found(R"({"match": {"t": {"query": "the dog", "operator": "and"}}})"),
            R"({"t":["<em>The</em> <em>Dog</em>, a <em>DOG</em>-house and dogs"]})");
  EXPECT_EQ(found(R"({"match_phrase": {"t": "dog house"}})"),
            R"({"t":["The Dog, a <em>DOG</em>-<em>house</em> and dogs"]})");
  EXPECT_EQ(found(R"({"match_phrase_prefix": {"t": "and do"}})"),
            R"({"t":["The Dog, a DOG-house <em>and</em> <em>dogs</em>"]})");
  EXPECT_EQ(found(R"({"term": {"t": "house"}})"),
            R"({"t":["The Dog, a DOG-<em>house</em> and dogs"]})");
  EXPECT_EQ(found(R"({"terms": {"t": ["house", "dogs"]}})"),
            R"({"t":["The Dog, a DOG-<em>house</em> and <em>dogs</em>"]})");
  EXPECT_EQ(found(R"({"prefix": {"t": "ho"}})"),
            R"({"t":["The Dog, a DOG-<em>house</em> and dogs"]})");
  EXPECT_EQ(found(R"({"wildcard": {"t": "d?g*"}})"),
            R"({"t":["The <em>Dog</em>, a <em>DOG</em>-house and <em>dogs</em>"]})");
  EXPECT_EQ(found(R"({"regexp": {"t": "dogs?"}})"),
            R"({"t":["The <em>Dog</em>, a <em>DOG</em>-house and <em>dogs</em>"]})");
  EXPECT_EQ(found(R"({"match_all": {}})"), "nothing");
  EXPECT_EQ(found(R"({"exists": {"field": "t"}})"), "nothing");
}

TEST_F(HighlightTest, AKeywordIsHighlightedAsAWhole) {
  world.map(R"({"properties": {"k": {"type": "keyword"}, "n": {"type": "long"},
                               "t": {"type": "text", "fields": {"raw": {"type": "keyword"}}}}})");
  put(R"({"k": "Red Fox", "n": 7, "t": "Big red"})");
  EXPECT_EQ(found(R"({"term": {"k": "Red Fox"}})"), R"({"k":["<em>Red Fox</em>"]})");
  EXPECT_EQ(found(R"({"terms": {"k": ["x", "Red Fox"]}})"), R"({"k":["<em>Red Fox</em>"]})");
  EXPECT_EQ(found(R"({"match": {"k": "Red Fox"}})"), R"({"k":["<em>Red Fox</em>"]})");
  EXPECT_EQ(found(R"({"prefix": {"k": "Red"}})"), R"({"k":["<em>Red Fox</em>"]})");
  EXPECT_EQ(found(R"({"range": {"k": {"gt": "A", "lt": "Z"}}})"), R"({"k":["<em>Red Fox</em>"]})");
  EXPECT_EQ(found(R"({"term": {"t.raw": "Big red"}})"), R"({"t.raw":["<em>Big red</em>"]})");
  EXPECT_EQ(found(R"({"term": {"n": 7}})"), "nothing") << "numbers are no texts";
  EXPECT_EQ(found(R"({"range": {"n": {"gt": 1}}})"), "nothing");
}

TEST_F(HighlightTest, NegatedTermsAreNotHighlighted) {
  put(R"({"t": "a red fox", "u": "brown"})");
  EXPECT_EQ(found(R"({"bool": {"must": {"match": {"t": "red"}},
                               "must_not": {"match_phrase": {"t": "fox a"}},
                               "filter": {"term": {"u": "brown"}},
                               "should": {"match": {"t": "fox cat"}}}})"),
            R"({"t":["a <em>red</em> <em>fox</em>"],"u":["<em>brown</em>"]})");
  EXPECT_EQ(found(R"({"query_string": {"query": "t:red -t:\"fox a\" fo*"}})"),
            R"({"t":["a <em>red</em> <em>fox</em>"]})");
  EXPECT_EQ(found(R"({"nested": {"path": "o", "query": {"match": {"o.t": "x"}}}})"), "no hit");
}

TEST_F(HighlightTest, FieldsAreNamesOrPatternsOrAList) {
  put(R"({"title": "fox", "text": "fox", "o": {"text": "fox"}, "list": [{"t": "no"}, {"t": "fox"}]})");
  const std::string query = R"({"multi_match": {"query": "fox"}})";
  EXPECT_EQ(found(query, R"({"fields": {"t*": {}}})"),
            R"({"text":["<em>fox</em>"],"title":["<em>fox</em>"]})");
  EXPECT_EQ(found(query, R"({"fields": {"*.te*t": {}, "list.t": {}}})"),
            R"({"o.text":["<em>fox</em>"],"list.t":["<em>fox</em>"]})");
  EXPECT_EQ(found(query, R"({"fields": [{"title": {}}, {"zzz": {}}]})"),
            R"({"title":["<em>fox</em>"]})");
  EXPECT_EQ(found(query, "{}"), "nothing");
  EXPECT_EQ(found(query, R"({"fields": {}})"), "nothing");
}

TEST_F(HighlightTest, OnlyTermsOfAFieldAreHighlightedThereByDefault) {
  put(R"({"t": "red fox", "u": "fox"})");
  const std::string query = R"({"match": {"t": "fox"}})";
  EXPECT_EQ(found(query, R"({"fields": {"u": {}}})"), "nothing");
  EXPECT_EQ(found(query, R"({"require_field_match": false, "fields": {"u": {}, "t": {}}})"),
            R"({"u":["<em>fox</em>"],"t":["red <em>fox</em>"]})");
  EXPECT_EQ(found(query, R"({"fields": {"t": {"highlight_query": {"match": {"t": "red"}}}}})"),
            R"({"t":["<em>red</em> fox"]})");
  EXPECT_EQ(found(query, R"({"highlight_query": {"match": {"t": "red"}}, "fields": {"t": {}}})"),
            R"({"t":["<em>red</em> fox"]})");
}

TEST_F(HighlightTest, OptionsOfAFieldComeBeforeThoseOfAll) {
  put(R"({"t": "fox & <b>", "u": "the fox"})");
  const std::string query = R"({"multi_match": {"query": "fox", "fields": ["t", "u"]}})";
  EXPECT_EQ(found(query, R"({"pre_tags": ["["], "post_tags": "]", "encoder": "html",
                             "fields": {"t": {}, "u": {"pre_tags": "{", "post_tags": ["}", "x"]}}})"),
            R"({"t":["[fox] &amp; &lt;b&gt;"],"u":["the {fox}"]})");
}

TEST_F(HighlightTest, FragmentsAreSentencesInTheirOrderOrTheBestOnesFirst) {
  put(R"({"t": ["A fox. No cat. A fox and a hen. A dog.", "The hen"]})");
  const std::string query = R"({"match": {"t": "fox hen"}})";
  EXPECT_EQ(found(query, R"({"fields": {"t": {}}})"),
            R"({"t":["A <em>fox</em>.","A <em>fox</em> and a <em>hen</em>.","The <em>hen</em>"]})");
  EXPECT_EQ(found(query, R"({"fields": {"t": {"order": "score", "number_of_fragments": 1}}})"),
            R"({"t":["A <em>fox</em> and a <em>hen</em>."]})");
  EXPECT_EQ(found(query, R"({"number_of_fragments": 2, "fields": {"t": {}}})"),
            R"({"t":["A <em>fox</em>.","A <em>fox</em> and a <em>hen</em>."]})");
  EXPECT_EQ(found(query, R"({"number_of_fragments": 0, "fields": {"t": {}}})"),
            R"({"t":["A <em>fox</em>. No cat. A <em>fox</em> and a <em>hen</em>. A dog.",)"
            R"("The <em>hen</em>"]})");
  EXPECT_EQ(
      found(query, R"({"fragment_size": 6, "fields": {"t": {}}})"),
      R"({"t":["A <em>fox</em>.","A <em>fox</em> and","a <em>hen</em>.","The <em>hen</em>"]})");
}

TEST_F(HighlightTest, WithoutAMatchTheBeginningMayBeShown) {
  put(R"({"t": "one two three", "u": "red", "n": 1})");
  const std::string query = R"({"match": {"u": "red"}})";
  EXPECT_EQ(found(query, R"({"no_match_size": 5, "fields": {"t": {}, "u": {}, "n": {}, "z": {}}})"),
            R"({"t":["one two"],"u":["<em>red</em>"]})");
}

TEST_F(HighlightTest, CopiedFieldsAndNestedOnesAreLookedThroughInTheirPlace) {
  world.map(R"({"properties": {"a": {"type": "text", "copy_to": "all"}, "all": {"type": "text"},
                               "o": {"type": "nested"}}})");
  put(R"({"a": "a fox", "o": [{"t": "a hen"}, {"t": "a fox"}]})");
  EXPECT_EQ(found(R"({"match": {"all": "fox"}})"), R"({"all":["a <em>fox</em>"]})");
  EXPECT_EQ(found(R"({"nested": {"path": "o", "query": {"match": {"o.t": "hen"}}}})"),
            R"({"o.t":["a <em>hen</em>"]})");
}

TEST_F(HighlightTest, PagesOfAScrollHaveTheirHighlights) {
  for (const std::string id : {"a", "b"}) must(world.put(world.rows, id, R"({"t": "fox"})"));
  View view = world.view();
  const auto search = std::make_shared<const Search>(must(world.parse(
      R"({"size": 1, "query": {"match": {"t": "fox"}}, "highlight": {"fields": {"t": {}}}})",
      view.now())));
  const ScrollPage first = must(begin_scroll(search, world.context(view)));
  const ScrollPage second = must(go_on(first.next, world.context(view)));
  for (const ScrollPage& page : {first, second}) {
    ASSERT_EQ(page.answer.hits.size(), 1);
    EXPECT_EQ(render_json(page.answer.hits[0].highlight), R"({"t":["<em>fox</em>"]})");
  }
}

TEST_F(HighlightTest, UnsupportedAndWrongMembersAreNamed) {
  put(R"({"t": "fox"})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"([])", "invalid highlight"},
      {R"({"fields": 1})", "invalid highlight.fields"},
      {R"({"fields": [{"a": {}, "b": {}}]})", "invalid highlight.fields"},
      {R"({"fields": {"a": []}})", "invalid highlight.fields.a"},
      {R"({"fields": {"a": {"encoder": "html"}}})", "invalid highlight.fields.a.encoder"},
      {R"({"fields": {"a": {"fragmenter": "span"}}})", "unsupported highlight.fields.a.fragmenter"},
      {R"({"tags_schema": "styled"})", "unsupported highlight.tags_schema"},
      {R"({"type": "fvh"})", "unsupported highlight.type"},
      {R"({"type": "unified", "order": "none"})", "nothing"},
      {R"({"order": "best"})", "invalid highlight.order"},
      {R"({"encoder": "xml"})", "invalid highlight.encoder"},
      {R"({"quary": 1})", "invalid highlight.quary"},
      {R"({"pre_tags": "a"})", "invalid highlight.post_tags"},
      {R"({"pre_tags": [], "post_tags": []})", "invalid highlight.pre_tags"},
      {R"({"fragment_size": -1})", "invalid highlight.fragment_size"},
      {R"({"number_of_fragments": 1001})", "too_large highlight.number_of_fragments"},
      {R"({"highlight_query": {"fuzzy": {}}})", "unsupported highlight.highlight_query.fuzzy"},
  };
  for (const auto& [highlight, expected] : cases) {
    EXPECT_EQ(found(R"({"match": {"t": "fox"}})", std::string(highlight)), expected) << highlight;
  }
}

TEST_F(HighlightTest, ManyFieldsAndLongTextsAreRefused) {
  std::string fields;
  for (std::size_t i = 0; i <= limits::highlight_fields_max; ++i) {
    fields += (i > 0 ? ", " : "") + std::string("\"f") + std::to_string(i) + "\": {}";
  }
  put(R"({"t": "fox"})");
  const std::string query = R"({"match": {"t": "fox"}})";
  EXPECT_EQ(found(query, R"({"fields": {)" + fields + "}}"), "too_large highlight.fields");
  const std::string longest(limits::highlight_text_bytes_max - 3, ' ');
  put(R"({"t": "fox)" + longest + R"("})");
  EXPECT_EQ(found(query), R"({"t":["<em>fox</em>"]})");
  put(R"({"t": "fox)" + longest + R"( "})");
  EXPECT_EQ(found(query), "too_large highlight");
  EXPECT_EQ(found("{}"), "nothing") << "it is not looked through";
}

TEST_F(HighlightTest, TheFragmentsOfOnePageAreBounded) {
  std::string text;
  for (std::size_t i = 0; i < limits::highlight_text_bytes_max / 8; ++i) text += "a ";
  put(R"({"t": ")" + text + R"("})");
  const std::string tag(limits::highlight_tag_bytes_max, '<');
  EXPECT_EQ(found(R"({"match": {"t": "a"}})", R"({"pre_tags": ")" + tag + R"(", "post_tags": ")" +
                                                  tag + R"(", "number_of_fragments": 0,
                                                  "fields": {"t": {}}})"),
            "too_large highlight");
}

TEST_F(HighlightTest, ADeadlineEndsIt) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "a ";
  put(R"({"t": ")" + text + R"("})");
  View view = world.view();
  SearchContext context = world.context(view);
  context.meter = Meter([] { return Instant{2}; }, Instant{1});
  const std::string query = R"({"query": {"prefix": {"t": "a"}})";
  must(answer(must(world.parse(query + "}", view.now())), context));
  const Search asked =
      must(world.parse(query + R"(, "highlight": {"fields": {"t": {}}}})", view.now()));
  EXPECT_EQ(answer(asked, context).error().code, Code::timed_out);
}

}  // namespace
}  // namespace mayfly::kuzzle::search
