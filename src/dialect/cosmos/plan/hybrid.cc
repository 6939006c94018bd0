#include "dialect/cosmos/plan/hybrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/plan/rewrite.h"
#include "dialect/cosmos/sql/functions/full_text.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos {
namespace {

using sql::make_scalar;
using sql::ScalarList;
using sql::ScalarPtr;
using Members = std::vector<std::pair<std::string, ScalarPtr>>;

// The placeholder that the client replaces by a statistic.
ScalarPtr place_of(std::string_view statistic) {
  return make_scalar(
      sql::Parameter{fmt::format("{{documentdb-formattablehybridsearchquery-{}}}", statistic)});
}

ScalarPtr call_of(std::string name, ScalarList arguments) {
  return make_scalar(sql::ScalarCall{.name = std::move(name), .arguments = std::move(arguments)});
}

ScalarPtr literal(Value value) {
  return make_scalar(sql::Literal{std::move(value)});
}

ScalarPtr score_of(const sql::RankPart& part, std::size_t text) {
  if (part.text == nullptr) return part.distance;
  ScalarList keywords;
  for (const std::string& keyword : part.keywords) keywords.push_back(literal(Value(keyword)));
  return call_of("_FullTextScore",
                 {part.text, make_scalar(sql::ArrayOf{std::move(keywords)}),
                  place_of("totaldocumentcount"), place_of(fmt::format("totalwordcount-{}", text)),
                  place_of(fmt::format("hitcountsarray-{}", text))});
}

// The score, or the worst one for a row without a score, so that it is last.
ScalarPtr or_worst(const sql::RankPart& part, const ScalarPtr& score) {
  const Value worst = part.is_descending ? Value(-1) : Value(std::numeric_limits<double>::max());
  return make_scalar(sql::Binary{sql::BinaryOperator::coalesce, score, literal(worst)});
}

// The query for the statistics. They are those of all documents, whatever the filter.
sql::Query statistics_of(const sql::Query& query, const sql::Ranking& ranking) {
  ScalarList texts;
  for (const sql::RankPart& part : ranking.parts) {
    if (part.text == nullptr) continue;
    ScalarList hits;
    for (const std::string& keyword : part.keywords) {
      const ScalarPtr holds = call_of("FullTextContains", {part.text, literal(Value(keyword))});
      hits.push_back(call_of("COUNTIF", {holds}));
    }
    const ScalarPtr words = call_of("SUM", {call_of("_FullTextWordCount", {part.text})});
    texts.push_back(make_scalar(sql::ObjectOf{Members{
        {"totalWordCount", words}, {"hitCounts", make_scalar(sql::ArrayOf{std::move(hits)})}}}));
  }
  sql::Query statistics;
  statistics.from = {query.from.front()};
  statistics.selection =
      sql::SelectList{{{call_of("COUNT", {literal(Value(1))}), "documentCount"},
                       {make_scalar(sql::ArrayOf{std::move(texts)}), "fullTextStatistics"}}};
  return statistics;
}

Result<void> check_clauses(const sql::Query& query, const std::optional<std::string>& document) {
  if (!document || query.is_distinct || !query.group_by.empty() || sql::selects_aggregates(query)) {
    return tl::unexpected(
        bad_request("ORDER BY RANK sorts documents: it goes with neither DISTINCT nor GROUP BY nor "
                    "aggregates."));
  }
  return {};
}

// With fewer, rows that are good in each part but best in none would be missed.
constexpr std::int64_t part_rows_min = 120;
std::int64_t rows_of_part(std::int64_t rows) {
  return std::min(std::max(2 * rows, part_rows_min), sql::count_max);
}

// The query of one part: its score, and its rows with their scores in every part.
QueryPlan component(const sql::Query& query, const std::string& document, const sql::RankPart& part,
                    const ScalarPtr& score, const ScalarPtr& scores) {
  QueryPlan plan;
  const auto direction =
      part.is_descending ? sql::Direction::descending : sql::Direction::ascending;
  sql::Query ordered = query;
  ordered.order_by = sql::Ordering{sql::Ordering::By::value, {{score, direction}}};
  sql::Query rewritten = rewrite_order(ordered, document);
  ScalarPtr& payload = std::get<sql::SelectList>(rewritten.selection).items.back().value;
  payload = make_scalar(sql::ObjectOf{Members{{"payload", payload}, {"componentScores", scores}}});
  plan.order_by = {direction};
  plan.order_by_expressions = {print(*score, sql::Layout::clauses)};
  plan.has_vector_order = true;
  plan.rewritten_query = std::move(rewritten);
  return plan;
}

void take_rows(const HybridPlan& hybrid, bool is_slice, QueryPlan& plan) {
  sql::Query& query = *plan.rewritten_query;
  if (!hybrid.take) return;
  const std::int64_t rows =
      rows_of_part(std::min(hybrid.skip.value_or(0) + *hybrid.take, sql::count_max));
  if (is_slice) {
    plan.offset = 0;
    plan.limit = rows;
    query.slice = sql::Slice{{std::int64_t{0}, {}}, {rows, {}}};
  } else {
    plan.top = rows;
    query.top = sql::Count{rows, {}};
  }
}

Result<void> check(const sql::Query& query, const sql::QueryInput& input, Instant now) {
  const sql::Target nothing{.rows = query::values({}), .now = now, .random = {}};
  TRY(sql::lower(query, input, nothing));
  return {};
}

}  // namespace

bool asks_for_rank(const sql::Query& query) {
  return query.order_by && query.order_by->by == sql::Ordering::By::rank;
}

Result<HybridPlan> make_hybrid_plan(const sql::Query& query, const sql::QueryInput& input,
                                    const Definition& definition, Instant now) {
  const auto document = sql::document_name(query);
  TRY(check_clauses(query, document));
  sql::Query without_order = query;
  without_order.order_by.reset();
  TRY(check(without_order, input, now));
  const sql::Ranking ranking = TRY(sql::ranking_of(*query.order_by, input, definition.shown, now));
  HybridPlan hybrid{.weights = ranking.weights};
  if (query.slice) {
    hybrid.skip = number_of(query.slice->offset, input);
    hybrid.take = number_of(query.slice->limit, input);
  }
  if (query.top) hybrid.take = number_of(*query.top, input);
  const sql::Query statistics = statistics_of(query, ranking);
  TRY(check(statistics, input, now));
  hybrid.statistics = print(statistics, sql::Layout::clauses);
  ScalarList scores;
  ScalarList all;
  std::size_t texts = 0;
  for (const sql::RankPart& part : ranking.parts) {
    scores.push_back(score_of(part, texts));
    all.push_back(or_worst(part, scores.back()));
    texts += part.text == nullptr ? 0 : 1;
  }
  hybrid.needs_statistics = texts > 0;
  const ScalarPtr every = make_scalar(sql::ArrayOf{std::move(all)});
  for (std::size_t i = 0; i < scores.size(); ++i) {
    QueryPlan plan = component(query, *document, ranking.parts[i], scores[i], every);
    take_rows(hybrid, query.slice.has_value(), plan);
    TRY(check(*plan.rewritten_query, input, now));
    plan.rewritten = print(*plan.rewritten_query, sql::Layout::clauses);
    hybrid.components.push_back(std::move(plan));
  }
  return hybrid;
}

}  // namespace mayfly::cosmos
