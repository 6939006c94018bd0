// Plans, row by row of the table of rewrites (spec cosmos.md, section 15).
#include "dialect/cosmos/plan/plan.h"

#include <gtest/gtest.h>

#include "dialect/cosmos/plan/key_ranges.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr Instant plan_now = Instant::from_seconds(1'800'000'000);

Definition with_paths(const std::vector<std::string>& names) {
  Definition definition;
  for (const std::string& name : names) definition.key.paths.push_back(Path::of(name));
  definition.key.is_hierarchical = names.size() > 1;
  return definition;
}

Result<QueryPlan> plan_of(const std::string& text, const Definition& definition,
                          const Object& parameters = {}) {
  const sql::QueryPtr query = TRY(sql::parse_query(text));
  return make_plan(*query, {text, parameters}, definition, plan_now);
}

std::string rewritten(const std::string& text) {
  const auto plan = plan_of(text, with_paths({"pk"}));
  return plan ? plan->rewritten : plan.error().message;
}

// The work of the client, in short.
std::string work_of(const std::string& text) {
  const auto plan = plan_of(text, with_paths({"pk"}));
  if (!plan) return plan.error().message;
  std::string work;
  const auto add = [&work](const char* word, const std::optional<std::int64_t>& number) {
    if (number) work += word + std::to_string(*number) + " ";
  };
  add("top ", plan->top);
  add("offset ", plan->offset);
  add("limit ", plan->limit);
  if (plan->distinct == QueryPlan::Distinct::ordered) work += "ordered ";
  if (plan->distinct == QueryPlan::Distinct::unordered) work += "unordered ";
  return work;
}

// The ranges with "A" for the EPK of "a" and so on. The EPK of "b" is before that of "a".
std::string ranges(const std::string& filter, const Definition& definition = with_paths({"pk"}),
                   const Object& parameters = {}) {
  const auto plan = plan_of("SELECT * FROM c WHERE " + filter, definition, parameters);
  if (!plan) return plan.error().message;
  std::string text;
  for (const EpkRange& range : plan->ranges) {
    std::string one = range.min + ".." + range.max + (range.is_max_inclusive ? "]" : ")");
    for (const auto& [value, name] : {std::pair<Value, const char*>{"a", "A"},
                                      {"b", "B"},
                                      {1, "1"},
                                      {2, "2"},
                                      {true, "T"},
                                      {false, "F"},
                                      {nullptr, "N"},
                                      {Value(), "U"}}) {
      const std::string epk =
          epk_of({value}, definition.key.version == 1 ? KeyHash::v1 : KeyHash::v2);
      for (std::size_t at; (at = one.find(epk)) != std::string::npos;) {
        one.replace(at, epk.size(), name);
      }
    }
    text += text.empty() ? one : " " + one;
  }
  return text;
}

TEST(QueryPlan, LeavesPlainQueriesAsTheyAre) {
  for (const auto* text : {"SELECT * FROM c", "SELECT c.a FROM c WHERE c.b = 1 AND c.pk = 2",
                           "SELECT TOP 5 * FROM c", "SELECT DISTINCT c.a FROM c", "SELECT 1",
                           "SELECT VALUE COUNT(1)", "SELECT TOP 1 VALUE 2 OFFSET 1 LIMIT 1"}) {
    EXPECT_EQ(rewritten(text), "") << text;
  }
  EXPECT_EQ(work_of("SELECT TOP 5 * FROM c"), "top 5 ");
  EXPECT_EQ(work_of("SELECT TOP 5 VALUE 1"), "");
}

TEST(QueryPlan, AsksEachPartitionForEnoughRows) {
  EXPECT_EQ(rewritten("SELECT * FROM c OFFSET 3 LIMIT 4"), "SELECT *\nFROM c\nOFFSET 0 LIMIT 7");
  EXPECT_EQ(rewritten("SELECT * FROM c OFFSET 4294967295 LIMIT 4294967295"),
            "SELECT *\nFROM c\nOFFSET 0 LIMIT 4294967295");
  EXPECT_EQ(work_of("SELECT * FROM c OFFSET 3 LIMIT 4"), "offset 3 limit 4 ");
  EXPECT_EQ(rewritten("SELECT * FROM c WHERE c.pk = 1 OFFSET 3 LIMIT 4"), "");
  EXPECT_EQ(work_of("SELECT * FROM c WHERE c.pk = 1 OFFSET 3 LIMIT 4"), "");
  EXPECT_EQ(work_of("SELECT * FROM c WHERE c.pk IN (1, 2) OFFSET 3 LIMIT 4"), "offset 3 limit 4 ");
}

TEST(QueryPlan, PutsAPlaceForAFilterIntoSortedQueries) {
  EXPECT_EQ(rewritten("SELECT r.a, r.b + 1 FROM root r WHERE r.a > 1 AND r.b ORDER BY r.x DESC"),
            "SELECT r._rid, [{\"item\": r.x}] AS orderByItems, {\"a\": r.a, \"$1\": (r.b + 1)} AS "
            "payload\nFROM root AS r\nWHERE (((r.a > 1) AND r.b) AND "
            "({documentdb-formattableorderbyquery-filter}))\nORDER BY r.x DESC");
  // An order can be resumed on one key, too.
  EXPECT_EQ(rewritten("SELECT * FROM c WHERE c.pk = 1 ORDER BY c.x OFFSET 1 LIMIT 2"),
            "SELECT c._rid, [{\"item\": c.x}] AS orderByItems, c AS payload\nFROM c\nWHERE ((c.pk "
            "= 1) AND ({documentdb-formattableorderbyquery-filter}))\nORDER BY c.x\nOFFSET 0 LIMIT "
            "3");
  EXPECT_EQ(rewritten("SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.x"),
            "SELECT c._rid, [{\"item\": c.x}] AS orderByItems, t AS payload\nFROM c\nJOIN t IN "
            "c.tags\nWHERE (({documentdb-formattableorderbyquery-filter}) AND "
            "IS_DEFINED(t))\nORDER BY c.x");
}

TEST(QueryPlan, LeavesDistinctRowsToTheClient) {
  EXPECT_EQ(rewritten("SELECT DISTINCT TOP 2 c.a FROM c"), "SELECT DISTINCT c.a\nFROM c");
  EXPECT_EQ(work_of("SELECT DISTINCT TOP 2 c.a FROM c"), "top 2 unordered ");
  EXPECT_EQ(rewritten("SELECT DISTINCT c.a FROM c WHERE c.pk = 1 OFFSET 1 LIMIT 2"),
            "SELECT DISTINCT c.a\nFROM c\nWHERE (c.pk = 1)");
  EXPECT_EQ(work_of("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a"), "ordered ");
  EXPECT_EQ(work_of("SELECT DISTINCT VALUE c.b FROM c ORDER BY c.a"), "unordered ");
  EXPECT_EQ(work_of("SELECT DISTINCT c.a FROM c ORDER BY c.a"), "unordered ");
  EXPECT_EQ(rewritten("SELECT DISTINCT TOP 3 c.a FROM c ORDER BY c.a"),
            "SELECT c._rid, [{\"item\": c.a}] AS orderByItems, {\"a\": c.a} AS payload\nFROM "
            "c\nWHERE ({documentdb-formattableorderbyquery-filter})\nORDER BY c.a");
}

TEST(QueryPlan, TakesAggregatesApart) {
  EXPECT_EQ(rewritten("SELECT TOP 1 VALUE COUNTIF(c.a) FROM c OFFSET 1 LIMIT 1"),
            "SELECT VALUE [{\"item\": COUNTIF(c.a)}]\nFROM c");
  EXPECT_EQ(rewritten("SELECT count(1) AS n, MAX(c.x), 'x' AS x FROM c"),
            "SELECT {\"n\": {\"item\": count(1)}, \"$1\": {\"item\": MAX(c.x), \"item2\": "
            "{\"max\": MAX(c.x), \"count\": COUNT(c.x)}}, \"x\": \"x\"} AS payload\nFROM c");
  EXPECT_EQ(rewritten("SELECT c.g, AVG(c.x) AS m FROM c GROUP BY c.g OFFSET 1 LIMIT 1"),
            "SELECT [{\"item\": c.g}] AS groupByItems, {\"g\": c.g, \"m\": {\"item\": {\"sum\": "
            "SUM(c.x), \"count\": COUNT(c.x)}}} AS payload\nFROM c\nGROUP BY c.g");
  // The partition evaluates aggregates in subqueries itself.
  EXPECT_EQ(rewritten("SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c"), "");
}

TEST(QueryPlan, SortsVectorsByTheirMetric) {
  Definition definition = with_paths({"pk"});
  const std::string text = "SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2]";
  const auto direction = [&](const std::string& more) {
    return plan_of(text + more, definition)->order_by.front();
  };
  EXPECT_EQ(direction(")"), sql::Direction::descending);
  EXPECT_EQ(direction(", false, {'distanceFunction':'Euclidean'})"), sql::Direction::ascending);
  definition.shown =
      parse_json(
          R"({"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","distanceFunction":"euclidean"}]}})")
          ->object();
  EXPECT_EQ(direction(")"), sql::Direction::ascending);
  EXPECT_EQ(direction(", false, {'distanceFunction':'dotproduct'})"), sql::Direction::descending);
  definition.shown =
      parse_json(
          R"({"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/\"v\"","distanceFunction":"euclidean"}]}})")
          ->object();
  EXPECT_EQ(direction(")"), sql::Direction::ascending);
  EXPECT_TRUE(plan_of(text + ")", definition)->has_vector_order);
}

TEST(QueryPlan, IsShownWithEveryMember) {
  const auto plan =
      plan_of("SELECT c.g, COUNT(1) AS n FROM c WHERE c.pk = 'a' GROUP BY c.g", with_paths({"pk"}));
  EXPECT_EQ(
      render_plan(*plan),
      R"({"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"distinctType":"None","top":null,)"
      R"("offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],)"
      R"("groupByExpressions":["c.g"],"groupByAliases":["g","n"],"aggregates":[],)"
      R"("groupByAliasToAggregateType":{"g":null,"n":"Count"},)"
      R"("rewrittenQuery":"SELECT [{\"item\": c.g}] AS groupByItems, {\"g\": c.g, \"n\": {\"item\": )"
      R"(COUNT(1)}} AS payload\nFROM c\nWHERE (c.pk = \"a\")\nGROUP BY c.g","hasSelectValue":false,)"
      R"("dCountInfo":null,"hasNonStreamingOrderBy":false},)"
      R"("queryRanges":[{"min":"3A5381E1114EB8D3FCC90795045B49B7",)"
      R"("max":"3A5381E1114EB8D3FCC90795045B49B7","isMinInclusive":true,"isMaxInclusive":true}]})");
}

TEST(QueryPlan, IsRefusedWhereTheQueryIs) {
  const std::pair<const char*, const char*> table[] = {
      {"SELECT VALUE ABS(AVG(c.a)) FROM c", "Compositions of aggregates"},
      {"SELECT COUNT(1) + 1 AS n FROM c GROUP BY c.a", "Compositions of aggregates"},
      {"SELECT * FROM c GROUP BY c.a", "SC2041"},
      {"SELECT c.a, COUNT(1) FROM c", "SC2102"},
      {"SELECT TOP @none * FROM c", "SC2060"},
      {"SELECT * FROM c ORDER BY c.a + 1", "\"code\":2206"},
      {"SELECT * FROM c ORDER BY LOWER(c.a)", "\"code\":2206"},
      {"SELECT VALUE NOFUNC(1) FROM c", "SC2005"},
      {"SELECT VALUE SUM(COUNT(1)) FROM c", "SC2101"},
  };
  for (const auto& [text, word] : table) {
    const auto plan = plan_of(text, with_paths({"pk"}));
    ASSERT_FALSE(plan.has_value()) << text;
    EXPECT_NE(plan.error().message.find(word), std::string::npos) << plan.error().message;
  }
}

TEST(KeyRanges, AreWhatTheFilterSaysOfTheKey) {
  const std::pair<const char*, const char*> table[] = {
      {"c.pk = 'a'", "A..A]"},
      {"'a' = c.pk", "A..A]"},
      {"c['pk'] = 'a' AND c.x > 2", "A..A]"},
      {"c.pk IN ('a', 'b', 'a')", "B..B] A..A]"},
      {"c.pk IN ('b', 'a') AND c.pk = 'b'", "B..B]"},
      {"c.pk = 1 OR c.pk = 1.0", "1..1]"},
      {"c.pk = 1 AND c.pk = 2", "..]"},
      {"c.pk = 1 OR c.x = 2", "..FF)"},
      {"c.pk = 1 AND (c.pk = 2 OR c.x = 2)", "1..1]"},
      {"NOT c.pk", "F..F]"},
      {"c.pk", "T..T]"},
      {"NOT (c.pk = 1)", "..FF)"},
      {"c.pk NOT IN (1)", "..FF)"},
      {"c.pk = undefined", "..]"},
      {"c.pk = c.x", "..FF)"},
      {"c.pk = [1]", "U..U]"},
      {"c.pk[0] = 1", "..FF)"},
      {"c.pk.a = 1", "..FF)"},
      {"IS_NULL(c.pk)", "N..N]"},
      {"c.pk LIKE 'a'", "A..A]"},
      {"c.pk LIKE 'a_'", "..FF)"},
      {"c.pk = CONCAT('', 'a')", "A..A]"},
      {"1 = 1", "..FF)"},
      {"1 = 2", "..]"},
      {"EXISTS(SELECT VALUE t FROM t IN c.tags WHERE c.pk = 1)", "..FF)"},
  };
  for (const auto& [filter, expected] : table) EXPECT_EQ(ranges(filter), expected) << filter;
}

TEST(KeyRanges, TakeParameters) {
  EXPECT_EQ(ranges("c.pk = @p", with_paths({"pk"}), {{"@p", "a"}}), "A..A]");
  EXPECT_EQ(ranges("ARRAY_CONTAINS(@p, c.pk)", with_paths({"pk"}), {{"@p", Array{"a", "b"}}}),
            "B..B] A..A]");
  EXPECT_EQ(ranges("c.pk = @none"), "..]");
}

TEST(KeyRanges, AreHashedAsTheContainerHashes) {
  Definition first = with_paths({"pk"});
  first.key.version = 1;
  EXPECT_EQ(ranges("c.pk IN ('a', 'b')", first), "B..B] A..A]");
  EXPECT_EQ(plan_of("SELECT * FROM c WHERE c.pk = 'a'", first)->ranges.front().min,
            "05C1D78593652C086200");
}

TEST(KeyRanges, CoverWhatBeginsWithAPrefixOfAHierarchicalKey) {
  const Definition two = with_paths({"t", "u"});
  EXPECT_EQ(ranges("c.t = 'a' AND c.u = 'b'", two), "AB..AB]");
  EXPECT_EQ(ranges("c.t = 'a'", two), "A..AFF)");
  EXPECT_EQ(ranges("c.u = 'b'", two), "..FF)");
  EXPECT_EQ(ranges("c.t = 'a' OR (c.t = 'a' AND c.u = 'b')", two), "A..AFF)");
  EXPECT_EQ(ranges("c.t IN ('a', 'b') AND c.u = 'b'", two), "BB..BB] AB..AB]");
}

TEST(KeyRanges, BelongToTheDocumentAlone) {
  const auto of = [](const std::string& text) {
    return plan_of(text, with_paths({"pk"}))->ranges.front().min;
  };
  EXPECT_NE(of("SELECT * FROM root r WHERE r.pk = 1"), "");
  EXPECT_EQ(of("SELECT VALUE 1 FROM c JOIN t IN c.tags WHERE t.pk = 1"), "");
  EXPECT_EQ(of("SELECT VALUE 1 FROM c JOIN c IN c.tags WHERE c.pk = 1"), "");
  EXPECT_NE(of("SELECT VALUE t FROM t IN c.tags WHERE c.pk = 1"), "");
}

TEST(KeyRanges, AreMergedWhereTheyMeet) {
  EXPECT_EQ(merged({{"20", "30", false}, {"10", "25", false}, {"40", "40", true}}),
            (std::vector<EpkRange>{{"10", "30", false}, {"40", "40", true}}));
  EXPECT_EQ(merged({}), (std::vector<EpkRange>{{"", "", true}}));
}

}  // namespace
}  // namespace mayfly::cosmos
