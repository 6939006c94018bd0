#include "dialect/cosmos/merging/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/lower.h"

namespace mayfly::cosmos {
namespace {

std::size_t aggregates_in_rows(const QueryPlan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.group_by_aliases.begin(), plan.group_by_aliases.end(),
                    [](const QueryPlan::Alias& alias) { return !alias.aggregate.empty(); }));
}

bool has_aggregate(const QueryPlan& plan, std::initializer_list<std::string_view> names) {
  const auto is_one = [&](std::string_view aggregate) {
    return std::find(names.begin(), names.end(), aggregate) != names.end();
  };
  return std::any_of(plan.aggregates.begin(), plan.aggregates.end(), is_one) ||
         std::any_of(plan.group_by_aliases.begin(), plan.group_by_aliases.end(),
                     [&](const QueryPlan::Alias& alias) { return is_one(alias.aggregate); });
}

// SELECT COUNT(1) FROM (SELECT DISTINCT …): the same value may be in several partitions.
bool counts_distinct(const sql::Query& query) {
  if (query.from.empty() || !sql::selects_aggregates(query)) return false;
  const auto* inner = std::get_if<sql::QueryPtr>(&query.from.front().collection);
  return inner != nullptr && (*inner)->is_distinct;
}

struct Feature {
  std::string_view name;
  bool (*is_needed)(const sql::Query& query, const QueryPlan& plan);
};
using Q = sql::Query;
using P = QueryPlan;
constexpr Feature features[] = {
    {"Top", [](const Q&, const P& plan) { return plan.top.has_value(); }},
    {"OffsetAndLimit", [](const Q&, const P& plan) { return plan.offset.has_value(); }},
    {"OrderBy", [](const Q&, const P& plan) { return plan.order_by.size() == 1; }},
    {"MultipleOrderBy", [](const Q&, const P& plan) { return plan.order_by.size() > 1; }},
    {"NonStreamingOrderBy", [](const Q&, const P& plan) { return plan.has_vector_order; }},
    {"Distinct", [](const Q&, const P& plan) { return plan.distinct != P::Distinct::none; }},
    {"DCount", [](const Q& query, const P&) { return counts_distinct(query); }},
    {"GroupBy", [](const Q&, const P& plan) { return !plan.group_by_expressions.empty(); }},
    {"Aggregate", [](const Q&, const P& plan) { return !plan.aggregates.empty(); }},
    {"NonValueAggregate", [](const Q&, const P& plan) { return aggregates_in_rows(plan) > 0; }},
    {"MultipleAggregates", [](const Q&, const P& plan) { return aggregates_in_rows(plan) > 1; }},
    {"ListAndSetAggregate",
     [](const Q&, const P& plan) { return has_aggregate(plan, {"MakeList", "MakeSet"}); }},
    {"HybridSearch", [](const Q&, const P& plan) { return plan.hybrid != nullptr; }},
    {"WeightedRankFusion",
     [](const Q&, const P& plan) {
       return plan.hybrid != nullptr && !plan.hybrid->weights.empty();
     }},
    {"CountIf", [](const Q&, const P& plan) { return has_aggregate(plan, {"CountIf"}); }},
};

bool is_listed(std::string_view name, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, end);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Clients before a version, with the features of the last of them.
struct OldClients {
  std::string_view before;
  std::string_view features;
};
constexpr OldClients old_clients[] = {
    {"2018-06-18", "Top, OrderBy, MultipleOrderBy, Aggregate"},
    {"2018-12-31", "Top, OrderBy, MultipleOrderBy, Aggregate, OffsetAndLimit, Distinct"},
};

}  // namespace

Result<void> check_features(const sql::Query& query, const QueryPlan& plan,
                            std::string_view supported) {
  std::string lacking;
  for (const Feature& feature : features) {
    if (!feature.is_needed(query, plan) || is_listed(feature.name, supported)) continue;
    lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", feature.name);
  }
  if (lacking.empty()) return {};
  return tl::unexpected(bad_request(fmt::format(
      "Query contains 1 or more unsupported features. Upgrade your SDK to a version that does "
      "support the requested features: Query contained {}, which the calling client does not "
      "support.",
      lacking)));
}

std::optional<std::string_view> features_of_version(std::string_view api_version) {
  if (api_version.empty()) return std::nullopt;
  for (const OldClients& row : old_clients) {
    if (api_version < row.before) return row.features;
  }
  return std::nullopt;
}

}  // namespace mayfly::cosmos
