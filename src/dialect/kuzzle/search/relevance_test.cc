// The order of hits without a sort, and their scores.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/search/testing.h"

namespace mayfly::kuzzle::search {
namespace {

using mayfly::testing::must;

class RelevanceTest : public ::testing::Test {
 protected:
  RelevanceTest() : world(CollectionChange{.keep_history_for = Span::seconds(3'600)}) {}

  void put(const std::string& id, const std::string& json) {
    must(world.put(world.rows, id, json));
  }
  void put_texts() {
    put("a", R"({"t": "the lazy dog sleeps the whole day", "k": "x", "n": 1})");
    put("b", R"({"t": "the quick fox", "k": "x", "n": 2})");
    put("c", R"({"t": "the dog and the dog", "k": "y", "n": 3})");
    put("d", R"({"t": "the end", "u": "fox fox", "k": "y", "n": 4})");
  }
  std::shared_ptr<const Search> parsed(std::string_view body) {
    return std::make_shared<const Search>(must(world.parse(body, world.database->now())));
  }
  Answer found(std::string_view body) {
    View view = world.view();
    return must(answer(*parsed(body), world.context(view)));
  }
  static std::string scores_of(const Answer& answer) {
    std::string text;
    for (const Hit& hit : answer.hits) {
      text += (text.empty() ? "" : " ") + std::string(hit.document.id) + ":" +
              (hit.score ? fmt::format("{:.4g}", *hit.score) : "null");
    }
    return text;
  }
  // The ids of a query's hits with their scores.
  std::string scores(std::string_view query) {
    return scores_of(found(R"({"query": )" + std::string(query) + "}"));
  }
  std::string ids(std::string_view query) {
    return world.ids(R"({"query": )" + std::string(query) + "}");
  }
  SearchWorld world;
};

TEST_F(RelevanceTest, RareRepeatedWordsInShortTextsCountMost) {
  put_texts();
  EXPECT_EQ(ids(R"({"match": {"t": "dog"}})"), "c a");
  EXPECT_EQ(ids(R"({"match": {"t": "the fox"}})"), "b c d a");
  EXPECT_EQ(ids(R"({"match": {"t": "dog lazy"}})"), "a c");
  EXPECT_EQ(ids(R"({"match": {"t": {"query": "the dog", "operator": "and"}}})"), "c a");
  EXPECT_EQ(ids(R"({"match": {"t": "nothing"}})"), "");
}

TEST_F(RelevanceTest, AScoreIsTheOneOfBm25) {
  put("a", R"({"t": "fox"})");
  put("b", R"({"t": "fox fox dog"})");
  // Both have the word, so its inverse document frequency is ln(1 + 0.5 / 2.5); a text has 2 words
  // on average.
  const double rarity = std::log(1.2);
  const auto score = [&](double often, double length) {
    return rarity * 2.2 * often / (often + 1.2 * (0.25 + 0.75 * length / 2));
  };
  const Answer answer = found(R"({"query": {"match": {"t": "fox"}}})");
  ASSERT_EQ(SearchWorld::ids_of(answer), "a b");
  EXPECT_DOUBLE_EQ(*answer.hits[0].score, score(1, 1));
  EXPECT_DOUBLE_EQ(*answer.hits[1].score, score(2, 3));
  EXPECT_EQ(answer.max_score, answer.hits[0].score);
  const Answer more = found(R"({"query": {"match": {"t": {"query": "fox", "boost": 3}}}})");
  EXPECT_DOUBLE_EQ(*more.hits[0].score, 3 * score(1, 1));
}

TEST_F(RelevanceTest, ExactQueriesHaveTheScoreOfTheirBoost) {
  put_texts();
  EXPECT_EQ(scores(R"({"match_all": {}})"), "a:1 b:1 c:1 d:1");
  EXPECT_EQ(scores(R"({"match_all": {"boost": 1.5}})"), "a:1.5 b:1.5 c:1.5 d:1.5");
  EXPECT_EQ(scores(R"({"term": {"k.keyword": "y"}})"), "c:1 d:1");
  EXPECT_EQ(scores(R"({"term": {"n": {"value": 1, "boost": 2}}})"), "a:2");
  EXPECT_EQ(scores(R"({"range": {"n": {"gte": 4, "boost": "0.5"}}})"), "d:0.5");
  EXPECT_EQ(scores(R"({"terms": {"n": [1, 2], "boost": 4}})"), "a:4 b:4");
  EXPECT_EQ(scores(R"({"ids": {"values": ["b", "a"]}})"), "a:1 b:1");
  EXPECT_EQ(scores(R"({"exists": {"field": "u"}})"), "d:1");
  EXPECT_EQ(scores(R"({"prefix": {"k": "y"}})"), "c:1 d:1");
  EXPECT_EQ(scores(R"({"constant_score": {"filter": {"match": {"t": "dog"}}, "boost": 7}})"),
            "a:7 c:7");
  EXPECT_EQ(ids(R"({"term": {"n": {"value": 1, "boost": -1}}})"), "invalid query.term.n.boost");
  EXPECT_EQ(ids(R"({"match": {"t": {"query": "x", "boost": "much"}}})"),
            "invalid query.match.t.boost");
}

TEST_F(RelevanceTest, ABoolHasTheScoreOfItsMatchingMustAndShould) {
  put_texts();
  EXPECT_EQ(scores(R"({"bool": {"must": [{"term": {"k": "y"}}, {"exists": {"field": "t"}}]}})"),
            "c:2 d:2");
  EXPECT_EQ(scores(R"({"bool": {"filter": {"term": {"k": "y"}}}})"), "c:0 d:0");
  EXPECT_EQ(scores(R"({"bool": {"must_not": {"term": {"k": "y"}}}})"), "a:0 b:0");
  EXPECT_EQ(scores(R"({"bool": {}})"), "a:1 b:1 c:1 d:1");
  EXPECT_EQ(scores(R"({"bool": {"must": {"match_all": {}}, "should": [{"term": {"n": 3}},
                       {"term": {"n": {"value": 2, "boost": 5}}}], "boost": 2}})"),
            "b:12 c:4 a:2 d:2");
  EXPECT_EQ(scores(R"({"bool": {"should": [{"term": {"k": "x"}}, {"range": {"n": {"gte": 2}}}]}})"),
            "b:2 a:1 c:1 d:1");
  // The score of a word depends on its condition if other words must be beside it.
  EXPECT_EQ(scores(R"({"bool": {"must": {"match_all": {}}, "should":
                       {"match": {"t": {"query": "dog sleeps", "operator": "and"}}}}})"),
            "a:2.5 b:1 c:1 d:1");
  EXPECT_EQ(ids(R"({"bool": {"filter": {"term": {"k": "x"}}, "should": {"match": {"t": "fox"}}}})"),
            "b a");
  EXPECT_EQ(ids(R"({"bool": {"must": {"match": {"t": "the"}}, "filter": {"term": {"k": "y"}},
                    "must_not": {"match": {"t": "end"}}}})"),
            "c");
}

TEST_F(RelevanceTest, FieldsOfTypeTextAreRankedByTermsToo) {
  put_texts();
  EXPECT_EQ(scores(R"({"term": {"t": "dog"}})"), "a:1 c:1");
  world.map(R"({"properties": {"t": {"type": "text"}, "k": {"type": "keyword"}}})");
  EXPECT_EQ(ids(R"({"term": {"t": "dog"}})"), "c a");
  EXPECT_EQ(ids(R"({"match": {"t": "dog"}})"), "c a");
  EXPECT_EQ(scores(R"({"match": {"k": "y"}})"), "c:1 d:1");
}

TEST_F(RelevanceTest, SeveralFieldsCountByTheBestOneOrAllTogether) {
  put("a", R"({"title": "red fox", "text": "red"})");
  put("b", R"({"title": "blue dog", "text": "red fox"})");
  put("c", R"({"title": "red", "text": "fox"})");
  const auto find = [&](std::string_view more) {
    return ids(R"({"multi_match": {"query": "red fox", )" + std::string(more) + "}}");
  };
  EXPECT_EQ(find(R"("fields": ["title^3", "text"])"), "a c b");
  EXPECT_EQ(find(R"("fields": ["title", "text^9"])"), "b a c");
  EXPECT_EQ(find(R"("fields": ["title", "text"], "type": "most_fields")"), "a c b");
  EXPECT_EQ(find(R"("fields": ["title", "text"], "type": "cross_fields", "operator": "or")"),
            "a c b");
  EXPECT_EQ(find(R"("fields": ["title^-1"])"), "invalid query.multi_match.fields");
  EXPECT_EQ(scores(R"({"dis_max": {"queries": [{"term": {"title": "red"}},
                       {"term": {"title": {"value": "fox", "boost": 2}}}], "tie_breaker": 0.5}})"),
            "a:2.5 c:1");
}

TEST_F(RelevanceTest, AFieldThatManyClausesNameIsLookedThroughOnce) {
  for (const std::string_view mapping : {"{}", R"({"properties": {"t": {"type": "text"}}})"}) {
    world.map(mapping);
    const auto search = parsed(R"({"query": {"bool": {"should": [{"match": {"t": "a"}},
        {"match": {"t": "b"}}, {"match_phrase": {"t": "a b"}}, {"match": {"u": "a"}}]}}})");
    EXPECT_EQ(Scorer(*search->score).texts().size(), 2U) << mapping;
  }
}

TEST_F(RelevanceTest, PhrasesAreRarerThanTheirWords) {
  put("a", R"({"t": "brown fox, brown fox and brown foxes"})");
  put("b", R"({"t": "a fox that is brown and a brown fox"})");
  put("c", R"({"t": "fox brown"})");
  EXPECT_EQ(ids(R"({"match_phrase": {"t": "brown fox"}})"), "a b");
  EXPECT_EQ(ids(R"({"match_phrase_prefix": {"t": "brown fo"}})"), "a b");
  EXPECT_EQ(ids(R"({"bool": {"must": {"match": {"t": "fox"}}, "should":
                    {"match_phrase": {"t": {"query": "brown fox", "boost": 9}}}}})"),
            "a b c");
}

TEST_F(RelevanceTest, AQueryStringRanksItsClauses) {
  put_texts();
  const auto find = [&](std::string_view text) {
    return ids(R"({"query_string": {"query": )" + render_json(Value(text)) + "}}");
  };
  EXPECT_EQ(find("t:(lazy fox^9)"), "b a");
  EXPECT_EQ(find("t:(lazy^9 fox)"), "a b");
  EXPECT_EQ(find("+k:y t:end"), "d c");
  EXPECT_EQ(find("fox^1.2.3"), "invalid query.query_string.query");
  EXPECT_EQ(ids(R"({"query_string": {"query": "fox", "fields": ["t", "u^5"]}})"), "d b");
  EXPECT_EQ(scores(R"({"query_string": {"query": "n:[1 TO 2] OR n:2^3", "boost": 2}})"), "b:8 a:2");
}

TEST_F(RelevanceTest, NumbersAndDatesAreFoundByWordsToo) {
  put("a", R"({"v": 12})");
  put("b", R"({"v": "12 of 12"})");
  put("c", R"({"v": "2020-01-01T00:00:00Z"})");
  EXPECT_THAT(scores(R"({"match": {"v": "12"}})"), ::testing::StartsWith("a:1 b:0."));
  EXPECT_THAT(scores(R"({"match": {"v": "2020-01-01"}})"), ::testing::StartsWith("c:0."));
}

TEST_F(RelevanceTest, OrdersMayNameTheScore) {
  put_texts();
  const std::string query = R"("query": {"bool": {"should": [{"term": {"k": "x"}},
                               {"range": {"n": {"gte": 2}}}]}})";
  const auto find = [&](const std::string& more) { return found("{" + query + more + "}"); };
  EXPECT_EQ(scores_of(find(R"(, "sort": "_score")")), "b:2 a:1 c:1 d:1");
  EXPECT_EQ(scores_of(find(R"(, "sort": [{"_score": "asc"}, {"n": "desc"}])")), "d:1 c:1 a:1 b:2");
  const Answer both = find(R"(, "sort": ["_score", {"n": {"order": "desc"}}])");
  EXPECT_EQ(scores_of(both), "b:2 d:1 c:1 a:1");
  EXPECT_EQ(render_json(Value(both.hits[1].sort)), "[1,4]");
  EXPECT_EQ(both.max_score, 2.0);
  const Answer by_number = find(R"(, "sort": "n")");
  EXPECT_EQ(scores_of(by_number), "a:null b:null c:null d:null");
  EXPECT_EQ(by_number.max_score, std::nullopt);
  const Answer tracked = find(R"(, "sort": "n", "track_scores": true)");
  EXPECT_EQ(scores_of(tracked), "a:1 b:2 c:1 d:1");
  EXPECT_EQ(tracked.max_score, 2.0);
  EXPECT_EQ(world.ids(R"({"sort": "n", "track_scores": "often"})"), "invalid track_scores");
}

TEST_F(RelevanceTest, PagesGoOnBehindOneAnother) {
  for (int i = 0; i < 30; ++i) {
    std::string text = "dog";
    for (int j = 0; j < i % 7; ++j) text += " fox";
    put(fmt::format("d{}", i), fmt::format(R"({{"t": "{}"}})", text));
  }
  const std::string query = R"("query": {"match": {"t": "fox dog"}}, "size": 4)";
  std::string all;
  for (int from = 0; from < 32; from += 4) {
    const Answer page = found(fmt::format(R"({{{}, "from": {}}})", query, from));
    EXPECT_EQ(page.total, 30U);
    all += SearchWorld::ids_of(page) + " ";
    if (!page.hits.empty()) {
      EXPECT_EQ(page.max_score, found("{" + query + "}").max_score);
    }
  }
  std::string after;
  std::string behind;
  for (int i = 0; i < 10; ++i) {
    const Answer page =
        found("{" + query + R"(, "sort": ["_score", {"_id": "asc"}])" + after + "}");
    EXPECT_EQ(page.total, 30U);
    if (page.hits.empty()) break;
    behind += SearchWorld::ids_of(page) + " ";
    after = R"(, "search_after": )" + render_json(Value(page.hits.back().sort));
  }
  EXPECT_EQ(behind, all);
  EXPECT_EQ(std::count(all.begin(), all.end(), 'd'), 30);
  EXPECT_EQ(world.ids("{" + query + R"(, "sort": "_score", "search_after": ["a"]})"),
            "invalid search_after.0");
}

TEST_F(RelevanceTest, AScrollKeepsItsOrderWhateverIsWritten) {
  for (int i = 0; i < 12; ++i) {
    std::string text = "dog";
    for (int j = 0; j < i % 5; ++j) text += " fox";
    put(fmt::format("d{:02}", i), fmt::format(R"({{"t": "{}"}})", text));
  }
  const std::string body = R"({"query": {"match": {"t": "fox dog"}}, "size": 5})";
  const Answer whole = found(R"({"query": {"match": {"t": "fox dog"}}, "size": 50})");
  View view = world.view();
  ScrollPage page = must(begin_scroll(parsed(body), world.context(view)));
  EXPECT_EQ(page.answer.max_score, whole.max_score);
  std::string all = scores_of(page.answer);
  for (int i = 0; i < 12; ++i) put(fmt::format("e{}", i), R"({"t": "fox"})");
  put("d00", R"({"t": "fox fox fox fox fox fox fox"})");
  while (page.next.bookmark) {
    View later = world.view();
    page = must(go_on(page.next, world.context(later)));
    if (!page.answer.hits.empty()) {
      EXPECT_EQ(page.answer.max_score, whole.max_score);
    }
    all += (page.answer.hits.empty() ? "" : " ") + scores_of(page.answer);
  }
  EXPECT_EQ(all, scores_of(whole));
}

TEST_F(RelevanceTest, MoreMatchesThanAreCountedAtOnceAreRanked) {
  const int count = static_cast<int>(limits::search_scored_at_once) + 50;
  for (int i = 0; i < count; ++i) {
    const std::string text = i == count - 1 ? "rare fox" : i == 7 ? "fox fox" : "fox dog";
    put(fmt::format("d{:05}", i), fmt::format(R"({{"t": "{}"}})", text));
  }
  const Answer page = found(R"({"query": {"match": {"t": "rare fox"}}, "size": 3})");
  EXPECT_EQ(page.total, static_cast<std::uint64_t>(count));
  EXPECT_EQ(SearchWorld::ids_of(page), fmt::format("d{:05} d00007 d00000", count - 1));
}

TEST_F(RelevanceTest, AConstantScoreOrdersNothing) {
  for (const std::string_view query : {
           R"({"term": {"k": "x"}})",
           R"({"range": {"n": {"gt": 1}}})",
           R"({"ids": {"values": []}})",
           R"({"bool": {"must": [{"term": {"a": 1}}], "filter": {"match": {"t": "x"}}}})",
           R"({"bool": {"should": {"term": {"a": 1}}}})",
           R"({"match": {"t": "..."}})",
           R"({"nested": {"path": "l", "query": {"match": {"l.t": "x"}}}})",
           R"({"query_string": {"query": "n:>1 AND _exists_:t"}})",
       }) {
    const auto search = parsed(R"({"query": )" + std::string(query) + "}");
    EXPECT_TRUE(constant_of(search->score)) << query;
  }
  EXPECT_FALSE(constant_of(parsed(R"({"query": {"match": {"t": "x"}}})")->score));
}

}  // namespace
}  // namespace mayfly::kuzzle::search
