#include "dialect/cosmos/merging/across.h"

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/merging/features.h"
#include "dialect/cosmos/plan/hybrid.h"
#include "dialect/cosmos/plan/key_ranges.h"

namespace mayfly::cosmos {
namespace {

constexpr int plan_is_needed_substatus = 1004;
constexpr std::string_view allowing_header = "x-ms-documentdb-query-enablecrosspartition";
constexpr std::string_view parallel_header = "x-ms-documentdb-query-parallelizecrosspartitionquery";
// Older clients send queries of one key without a range.
constexpr std::string_view first_version_with_ranges = "2018-06-18";

// Whether the request may read several keys and all ranges: it names neither key nor range.
bool is_across(const Container& container, const Restriction& restriction,
               const sql::Query& query) {
  if (container.definition.key.is_system || query.from.empty()) return false;
  if (restriction.has_key() || restriction.range != nullptr) return false;
  return !restriction.requested_epks ||
         container.definition.ranges.around(*restriction.requested_epks) == nullptr;
}

bool is_grouped(const sql::Query& query) {
  return !query.group_by.empty() || sql::selects_aggregates(query);
}

// Whether merging is more than concatenating the rows of the ranges.
bool is_more_than_rows(const sql::Query& query) {
  return query.order_by || query.top || query.slice || query.is_distinct || is_grouped(query);
}

// With a single range, its slice is the slice of the whole query.
bool needs_plan(const QueryPlan& plan, const sql::Query& query, const KeyRanges& ranges) {
  const bool is_slice_only =
      !query.order_by && !query.top && !query.is_distinct && !is_grouped(query);
  if (is_slice_only) return plan.offset && !ranges.is_one();
  return true;
}

Error is_disabled() {
  return bad_request(
      "Cross partition query is required but disabled. Please set "
      "x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, "
      "or revise your query to avoid this exception.");
}

Error needs_client() {
  return bad_request(
      "The provided cross partition query can not be directly served by the gateway.");
}

// Checks the features of older clients. Others send their features when they request a plan.
Result<void> check_features_of_old_client(const CosmosCall& call, const sql::Query& query,
                                          const QueryPlan& plan) {
  const auto features = features_of_version(call.header("x-ms-version"));
  return features ? check_features(query, plan, *features) : Result<void>();
}

// Refuses a rank, also for one key or range, because the statistics are those of all. The client
// queries the scores of each part.
Result<void> refuse_rank(CosmosCall& call, const Container& container, const sql::Query& query,
                         const sql::QueryInput& input, Instant now) {
  const QueryPlan plan = TRY(make_plan(query, input, container.definition, now));
  TRY(check_features_of_old_client(call, query, plan));
  call.substatus = plan_is_needed_substatus;
  call.additional_info = render_plan(plan);
  return tl::unexpected(needs_client());
}

}  // namespace

Result<void> check_cross_partition(CosmosCall& call, const Container& container,
                                   const Restriction& restriction, const sql::Query& query,
                                   const sql::QueryInput& input, Instant now) {
  if (asks_for_rank(query)) return refuse_rank(call, container, query, input, now);
  if (!is_across(container, restriction, query)) return {};
  const bool is_allowed = call.has_flag(allowing_header);
  const bool is_parallel = call.has_flag(parallel_header);
  if (is_allowed && !is_parallel && !is_more_than_rows(query)) return {};
  const Definition& definition = container.definition;
  const bool is_of_one_key = is_one_key(key_ranges(query, input, definition.key, now));
  if (!is_allowed) return is_of_one_key ? Result<void>() : tl::unexpected(is_disabled());
  const std::string_view version = call.header("x-ms-version");
  const bool is_of_old = !version.empty() && version < first_version_with_ranges;
  if (is_of_one_key && is_of_old) return {};
  // A single range orders its groups itself, which no client does.
  if (is_grouped(query) && query.order_by && definition.ranges.is_one()) return {};
  const QueryPlan plan = TRY(make_plan(query, input, definition, now));
  if (!is_parallel && !needs_plan(plan, query, definition.ranges)) return {};
  TRY(check_mergeable(container, query));
  TRY(check_features_of_old_client(call, query, plan));
  call.substatus = plan_is_needed_substatus;
  call.additional_info = render_plan(plan);
  return tl::unexpected(needs_client());
}

Result<void> check_mergeable(const Container& container, const sql::Query& query) {
  if (container.definition.ranges.is_one() || query.from.empty()) return {};
  if (is_grouped(query) && query.order_by) {
    return tl::unexpected(
        bad_request("'ORDER BY' is not allowed with GROUP BY or aggregates across the key ranges "
                    "of a container."));
  }
  const auto* inner = std::get_if<sql::QueryPtr>(&query.from.front().collection);
  const bool is_whole = query.from.front().binding == sql::Source::Binding::whole;
  if (inner == nullptr || !is_whole || !is_more_than_rows(**inner)) return {};
  return tl::unexpected(
      bad_request("A query in FROM across the key ranges of a container cannot sort, count or "
                  "group its rows."));
}

}  // namespace mayfly::cosmos
