// A plan on the wire.
#include "dialect/cosmos/plan/plan.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr int version = 2;

std::string_view word_of(QueryPlan::Distinct distinct) {
  switch (distinct) {
    case QueryPlan::Distinct::none: return "None";
    case QueryPlan::Distinct::ordered: return "Ordered";
    case QueryPlan::Distinct::unordered: return "Unordered";
  }
  return {};
}

Value number_or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value(nullptr);
}

template <class List>
Value texts(const List& list) {
  Array array;
  for (const auto& text : list) array.push_back(Value(std::string(text)));
  return array;
}

Value directions(const std::vector<sql::Direction>& list) {
  Array array;
  for (const sql::Direction direction : list) {
    array.push_back(direction == sql::Direction::descending ? "Descending" : "Ascending");
  }
  return array;
}

Value info_of(const QueryPlan& plan) {
  Array aliases;
  Object types;
  for (const QueryPlan::Alias& alias : plan.group_by_aliases) {
    aliases.push_back(Value(alias.name));
    types.set(alias.name,
              alias.aggregate.empty() ? Value(nullptr) : Value(std::string(alias.aggregate)));
  }
  return Object{{"distinctType", std::string(word_of(plan.distinct))},
                {"top", number_or_null(plan.top)},
                {"offset", number_or_null(plan.offset)},
                {"limit", number_or_null(plan.limit)},
                {"orderBy", directions(plan.order_by)},
                {"orderByExpressions", texts(plan.order_by_expressions)},
                {"groupByExpressions", texts(plan.group_by_expressions)},
                {"groupByAliases", std::move(aliases)},
                {"aggregates", texts(plan.aggregates)},
                {"groupByAliasToAggregateType", std::move(types)},
                {"rewrittenQuery", plan.rewritten},
                {"hasSelectValue", plan.has_select_value},
                {"dCountInfo", nullptr},
                {"hasNonStreamingOrderBy", plan.has_vector_order}};
}

Value hybrid_info_of(const HybridPlan& hybrid) {
  Array components;
  for (const QueryPlan& component : hybrid.components) components.push_back(info_of(component));
  Array weights;
  for (const double weight : hybrid.weights) weights.push_back(Value(weight));
  return Object{{"globalStatisticsQuery", hybrid.statistics},
                {"componentQueryInfos", std::move(components)},
                {"componentWithoutPayloadQueryInfos", Array()},
                {"projectionQueryInfo", nullptr},
                {"componentWeights", std::move(weights)},
                {"skip", number_or_null(hybrid.skip)},
                {"take", number_or_null(hybrid.take)},
                {"requiresGlobalStatistics", hybrid.needs_statistics}};
}

}  // namespace

std::string render_plan(const QueryPlan& plan) {
  Array ranges;
  for (const EpkRange& range : plan.ranges) {
    ranges.push_back(Object{{"min", range.min},
                            {"max", range.max},
                            {"isMinInclusive", true},
                            {"isMaxInclusive", range.is_max_inclusive}});
  }
  Object told{{"partitionedQueryExecutionInfoVersion", version}};
  if (plan.hybrid) {
    told.set("hybridSearchQueryInfo", hybrid_info_of(*plan.hybrid));
  } else {
    told.set("queryInfo", info_of(plan));
  }
  told.set("queryRanges", std::move(ranges));
  return render_json(told);
}

}  // namespace mayfly::cosmos
