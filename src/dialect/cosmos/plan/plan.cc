// Making plans. Any single partition answers a query without FROM completely, so the client has no
// work. If the filter restricts a query to one key, the partition also does OFFSET and LIMIT,
// unless the query has an order.
#include "dialect/cosmos/plan/plan.h"

#include <algorithm>

#include "dialect/cosmos/plan/aggregates.h"
#include "dialect/cosmos/plan/hybrid.h"
#include "dialect/cosmos/plan/key_ranges.h"
#include "dialect/cosmos/plan/rewrite.h"
#include "dialect/cosmos/sql/ordering.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view composition =
    R"({"Errors":["Compositions of aggregates and other expressions are not allowed."]})";

// Partitions return parts of aggregates, and nothing can be computed from those before they are
// merged.
Result<void> check_compositions(const sql::Query& query) {
  const auto check = [](const sql::ScalarPtr& value) -> Result<void> {
    if (!holds_aggregate(*value) || !aggregate_in_plan(*value).empty()) return {};
    return fail(Code::invalid, std::string(composition));
  };
  if (const auto* select = std::get_if<sql::SelectValue>(&query.selection)) {
    return check(select->value);
  }
  if (const auto* list = std::get_if<sql::SelectList>(&query.selection)) {
    for (const sql::SelectItem& item : list->items) TRY(check(item.value));
  }
  return {};
}

// Accepts any user-defined function: they are looked up when the query runs.
Result<std::optional<sql::UserFunction>> any_function(const std::string&) {
  return sql::UserFunction{[](const Scope&, std::span<const Value>, Meter&) { return Value(); },
                           {}};
}

// Lowers the query to find its errors; the rows do not matter.
Result<void> check(const sql::Query& query, bool is_grouped, const sql::QueryInput& input,
                   Instant now) {
  const sql::Target nothing{
      .rows = query::values({}), .now = now, .random = {}, .user_functions = any_function};
  TRY(sql::lower(query, input, nothing));
  TRY(check_compositions(query));
  if (query.order_by && !is_grouped) {
    TRY(sql::check_order_items(*query.order_by, input.text));
  }
  return {};
}

QueryPlan::Distinct distinct_of(const sql::Query& query) {
  if (!query.is_distinct) return QueryPlan::Distinct::none;
  const auto* select = std::get_if<sql::SelectValue>(&query.selection);
  const bool is_in_order = select != nullptr && query.order_by &&
                           query.order_by->items.size() == 1 &&
                           print(*select->value) == print(*query.order_by->items.front().value);
  return is_in_order ? QueryPlan::Distinct::ordered : QueryPlan::Distinct::unordered;
}

void take_order(const sql::Query& query, const sql::QueryInput& input, const Definition& definition,
                QueryPlan& plan) {
  for (const sql::OrderItem& item : query.order_by->items) {
    const bool is_descending = sql::sorts_descending(item, input, definition.shown);
    plan.order_by.push_back(is_descending ? sql::Direction::descending : sql::Direction::ascending);
    plan.order_by_expressions.push_back(print(*item.value, sql::Layout::clauses));
    plan.has_vector_order = plan.has_vector_order || sql::is_vector_distance(*item.value);
  }
}

// Widens the slice to the rows that the client can need from one partition.
void widen_slice(sql::Query& query, const QueryPlan& plan) {
  const std::int64_t rows = std::min(*plan.offset + *plan.limit, sql::count_max);
  query.slice = sql::Slice{{std::int64_t{0}, {}}, {rows, {}}};
}

void drop_counts(sql::Query& query) {
  query.top.reset();
  query.slice.reset();
}

Result<QueryPlan> make_plan_of_rank(const sql::Query& query, const sql::QueryInput& input,
                                    const Definition& definition, Instant now) {
  QueryPlan plan;
  HybridPlan hybrid = TRY(make_hybrid_plan(query, input, definition, now));
  plan.hybrid = std::make_shared<const HybridPlan>(std::move(hybrid));
  plan.ranges = key_ranges(query, input, definition.key, now);
  return plan;
}

}  // namespace

// In a query that has been lowered, every count is a number.
std::int64_t number_of(const sql::Count& count, const sql::QueryInput& input) {
  if (const auto* number = std::get_if<std::int64_t>(&count.rows)) return *number;
  const Value* value = input.parameters.find(std::get<sql::Parameter>(count.rows).name);
  return value == nullptr ? 0 : value->integer();
}

Result<QueryPlan> make_plan(const sql::Query& query, const sql::QueryInput& input,
                            const Definition& definition, Instant now) {
  if (asks_for_rank(query)) return make_plan_of_rank(query, input, definition, now);
  const bool is_grouped = !query.group_by.empty() || sql::selects_aggregates(query);
  TRY(check(query, is_grouped, input, now));
  QueryPlan plan;
  plan.has_select_value = std::holds_alternative<sql::SelectValue>(query.selection);
  plan.ranges = key_ranges(query, input, definition.key, now);
  if (query.from.empty()) return plan;
  plan.distinct = distinct_of(query);
  const std::optional<std::string> document = sql::document_name(query);
  const bool is_ordered = query.order_by && !is_grouped && document;
  const bool is_plain = !is_grouped && !is_ordered && !query.is_distinct;
  if (query.top) plan.top = number_of(*query.top, input);
  if (query.slice && !(is_plain && is_one_key(plan.ranges))) {
    plan.offset = number_of(query.slice->offset, input);
    plan.limit = number_of(query.slice->limit, input);
  }
  if (is_plain && !plan.offset) return plan;
  if (query.is_distinct && !is_grouped && !is_ordered && !plan.top && !plan.offset) return plan;
  sql::Query rewritten = query;
  if (is_grouped) rewritten = rewrite_groups(query, plan);
  if (is_ordered) {
    take_order(query, input, definition, plan);
    rewritten = rewrite_order(query, *document);
  }
  if (is_grouped || query.is_distinct) {
    drop_counts(rewritten);
  } else if (plan.offset) {
    widen_slice(rewritten, plan);
  }
  plan.rewritten = print(rewritten, sql::Layout::clauses);
  return plan;
}

}  // namespace mayfly::cosmos
