// Plans of ORDER BY RANK, as clients read them.
#include "dialect/cosmos/plan/hybrid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

using ::testing::HasSubstr;

constexpr Instant rank_now = Instant::from_seconds(1'800'000'000);

Definition with_texts() {
  Definition definition;
  definition.key.paths.push_back(Path::of("pk"));
  definition.shown = parse_json(R"({
    "fullTextPolicy": {"fullTextPaths": [{"path": "/text", "language": "en-US"}, {"path": "/title"}]},
    "vectorEmbeddingPolicy": {"vectorEmbeddings": [{"path": "/v", "distanceFunction": "euclidean"}]}
  })")
                         ->object();
  return definition;
}

Result<QueryPlan> rank_plan(const std::string& text, const Object& parameters = {}) {
  const sql::QueryPtr query = TRY(sql::parse_query(text));
  return make_plan(*query, {text, parameters}, with_texts(), rank_now);
}

Value rank_info(const std::string& text, const Object& parameters = {}) {
  const auto plan = rank_plan(text, parameters);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? parse_json(render_plan(*plan))->member("hybridSearchQueryInfo") : Value();
}

std::string rank_error(const std::string& text, const Object& parameters = {}) {
  const auto plan = rank_plan(text, parameters);
  return plan ? "" : plan.error().message;
}

constexpr std::string_view swim_score =
    R"(_FullTextScore(c.text, ["swim", "run"], {documentdb-formattablehybridsearchquery-totaldocumentcount}, {documentdb-formattablehybridsearchquery-totalwordcount-0}, {documentdb-formattablehybridsearchquery-hitcountsarray-0}))";

TEST(HybridPlanTest, OneTextIsOnePartWithStatisticsOfAllDocuments) {
  const Value info = rank_info(
      "SELECT TOP 10 * FROM c WHERE c.n > 1 ORDER BY RANK FullTextScore(c.text, 'swim', 'run')");
  EXPECT_EQ(info.member("globalStatisticsQuery").text(),
            "SELECT COUNT(1) AS documentCount, [{\"totalWordCount\": "
            "SUM(_FullTextWordCount(c.text)), \"hitCounts\": [COUNTIF(FullTextContains(c.text, "
            "\"swim\")), COUNTIF(FullTextContains(c.text, \"run\"))]}] AS fullTextStatistics\n"
            "FROM c");
  const Value part = info.member("componentQueryInfos").array().at(0);
  const std::string s(swim_score);
  EXPECT_EQ(part.member("rewrittenQuery").text(),
            "SELECT TOP 120 c._rid, [{\"item\": " + s +
                "}] AS orderByItems, {\"payload\": c, "
                "\"componentScores\": [(" +
                s +
                " ?? -1)]} AS payload\nFROM c\n"
                "WHERE ((c.n > 1) AND ({documentdb-formattableorderbyquery-filter}))\n"
                "ORDER BY " +
                s + " DESC");
  EXPECT_EQ(render_json(part.member("orderBy")), R"(["Descending"])");
  EXPECT_TRUE(part.member("hasNonStreamingOrderBy").is_true());
  EXPECT_EQ(part.member("top").integer(), 120);
  EXPECT_EQ(info.member("take").integer(), 10);
  EXPECT_TRUE(info.member("skip").is_null());
  EXPECT_TRUE(info.member("requiresGlobalStatistics").is_true());
}

TEST(HybridPlanTest, EachPartOfRrfIsAQueryThatHasTheScoresOfAll) {
  const Value info = rank_info(
      "SELECT c.id FROM c ORDER BY RANK RRF(VectorDistance(c.v, @v), FullTextScore(c.title, @w), "
      "[2, 0.5]) OFFSET 5 LIMIT 70",
      Object{{"@v", Array{1, 2}}, {"@w", Array{"a", "b"}}});
  const Array parts = info.member("componentQueryInfos").array();
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(render_json(parts[0].member("orderBy")), R"(["Ascending"])");
  EXPECT_EQ(render_json(parts[1].member("orderBy")), R"(["Descending"])");
  EXPECT_THAT(parts[0].member("rewrittenQuery").text(), HasSubstr("OFFSET 0 LIMIT 150"));
  // The first text has the first statistics, wherever it stands.
  EXPECT_THAT(parts[0].member("rewrittenQuery").text(), HasSubstr("hitcountsarray-0}"));
  EXPECT_THAT(parts[1].member("rewrittenQuery").text(), HasSubstr(R"(c.title, ["a", "b"])"));
  EXPECT_EQ(info.member("skip").integer(), 5);
  EXPECT_EQ(info.member("take").integer(), 70);
  EXPECT_EQ(render_json(info.member("componentWeights")), "[2,0.5]");
}

TEST(HybridPlanTest, OfVectorsOnlyNoStatisticsAreNeeded) {
  const Value info = rank_info(
      "SELECT TOP 1 * FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1]), VectorDistance(c.w, "
      "[1]))");
  EXPECT_FALSE(info.member("requiresGlobalStatistics").is_true());
}

TEST(HybridPlanTest, AnInvalidRankIsRefused) {
  const std::string rank = "SELECT TOP 1 * FROM c ORDER BY RANK ";
  EXPECT_THAT(rank_error(rank + "FullTextScore(c.other, 'a')"), HasSubstr("c.other is not in the"));
  EXPECT_THAT(rank_error(rank + "FullTextScore(c.text)"), HasSubstr("1 to 64 keywords"));
  EXPECT_THAT(rank_error(rank + "FullTextScore(c.text, 1)"), HasSubstr("keywords"));
  EXPECT_THAT(rank_error(rank + "FullTextScore(c.text, c.title)"), HasSubstr("keywords"));
  EXPECT_THAT(rank_error(rank + "VectorDistance(c.v, [1])"), HasSubstr("within RRF only"));
  EXPECT_THAT(rank_error(rank + "RRF(FullTextScore(c.text, 'a'), ABS(1))"),
              HasSubstr("RANK takes"));
  EXPECT_THAT(rank_error(rank + "RRF(FullTextScore(c.text, 'a'), FullTextScore(c.text, 'b'), [1])"),
              HasSubstr("as many weights"));
  const std::string two = "RRF(FullTextScore(c.text, 'a'), FullTextScore(c.text, 'b'), ";
  EXPECT_THAT(rank_error(rank + two + "[1, 'x'])"), HasSubstr("finite numbers"));
  EXPECT_THAT(rank_error(rank + two + "[1, 1e999])"), HasSubstr("finite numbers"));
  EXPECT_THAT(rank_error(rank + two + "@w)", Object{{"@w", Array{-HUGE_VAL, 1}}}),
              HasSubstr("finite numbers"));
  EXPECT_THAT(rank_error("SELECT DISTINCT c.a FROM c ORDER BY RANK FullTextScore(c.text, 'a')"),
              HasSubstr("neither DISTINCT"));
}

TEST(HybridPlanTest, KeywordsAndPartsAreBounded) {
  const std::string rank = "SELECT TOP 1 * FROM c ORDER BY RANK ";
  const auto keywords = [](std::size_t count) { return Object{{"@w", Array(count, Value("a"))}}; };
  EXPECT_EQ(rank_error(rank + "FullTextScore(c.text, @w)", keywords(limits::rank_keywords_max)),
            "");
  EXPECT_NE(rank_error(rank + "FullTextScore(c.text, @w)", keywords(limits::rank_keywords_max + 1)),
            "");
  const auto parts = [&](std::size_t count) {
    std::string text = rank + "RRF(";
    for (std::size_t i = 0; i < count; ++i) {
      text += std::string(i == 0 ? "" : ", ") + "FullTextScore(c.text, 'a')";
    }
    return rank_error(text + ")");
  };
  EXPECT_EQ(parts(limits::rank_parts_max), "");
  EXPECT_NE(parts(limits::rank_parts_max + 1), "");
}

}  // namespace
}  // namespace mayfly::cosmos
