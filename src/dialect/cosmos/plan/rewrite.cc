#include "dialect/cosmos/plan/rewrite.h"

#include "dialect/cosmos/plan/aggregates.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos {
namespace {

using sql::make_scalar;
using sql::ScalarList;
using sql::ScalarPtr;
using Members = std::vector<std::pair<std::string, ScalarPtr>>;

ScalarPtr item_of(const ScalarPtr& value) {
  return make_scalar(sql::ObjectOf{Members{{"item", value}}});
}

ScalarPtr whole_list(const sql::SelectList& list) {
  const std::vector<std::string> names = names_of(list);
  Members members;
  for (std::size_t i = 0; i < names.size(); ++i) {
    members.emplace_back(names[i], list.items[i].value);
  }
  return make_scalar(sql::ObjectOf{std::move(members)});
}

ScalarPtr both(const ScalarPtr& first, ScalarPtr second) {
  if (!first) return second;
  ScalarList operands{first};
  const auto* logical = first->as<sql::Logical>();
  if (logical != nullptr && logical->op == sql::LogicalOperator::logical_and) {
    operands = logical->operands;
  }
  operands.push_back(std::move(second));
  return make_scalar(sql::Logical{sql::LogicalOperator::logical_and, std::move(operands)});
}

// The payload: the value of SELECT VALUE, or an object of the list.
ScalarPtr payload_of_groups(const sql::Selection& selection, QueryPlan& plan) {
  if (const auto* select = std::get_if<sql::SelectValue>(&selection)) {
    const std::string_view aggregate = aggregate_in_plan(*select->value);
    if (aggregate.empty()) return select->value;
    plan.aggregates.push_back(aggregate);
    return make_scalar(sql::ArrayOf{{part_of_aggregate(select->value)}});
  }
  const auto& list = std::get<sql::SelectList>(selection);
  const std::vector<std::string> names = names_of(list);
  Members members;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ScalarPtr& value = list.items[i].value;
    const std::string_view aggregate = aggregate_in_plan(*value);
    plan.group_by_aliases.push_back({names[i], aggregate});
    members.emplace_back(names[i], aggregate.empty() ? value : part_of_aggregate(value));
  }
  return make_scalar(sql::ObjectOf{std::move(members)});
}

}  // namespace

sql::Query rewrite_groups(const sql::Query& query, QueryPlan& plan) {
  sql::Query rewritten = query;
  rewritten.is_distinct = false;
  rewritten.top.reset();
  rewritten.slice.reset();
  const ScalarPtr payload = payload_of_groups(query.selection, plan);
  if (query.group_by.empty() && plan.has_select_value) {
    rewritten.selection = sql::SelectValue{payload};
    return rewritten;
  }
  sql::SelectList select;
  if (!query.group_by.empty()) {
    ScalarList keys;
    for (const ScalarPtr& key : query.group_by) {
      keys.push_back(item_of(key));
      plan.group_by_expressions.push_back(print(*key, sql::Layout::clauses));
    }
    select.items.push_back({make_scalar(sql::ArrayOf{std::move(keys)}), "groupByItems"});
  }
  select.items.push_back({payload, "payload"});
  rewritten.selection = std::move(select);
  return rewritten;
}

sql::Query rewrite_order(const sql::Query& query, const std::string& document) {
  sql::Query rewritten = query;
  rewritten.is_distinct = false;
  ScalarList keys;
  for (const sql::OrderItem& item : query.order_by->items) keys.push_back(item_of(item.value));
  ScalarPtr payload;
  rewritten.where = both(query.where, make_scalar(sql::OrderByFilter{}));
  if (const auto* select = std::get_if<sql::SelectValue>(&query.selection)) {
    payload = select->value;
    rewritten.where =
        both(rewritten.where,
             make_scalar(sql::ScalarCall{.name = "IS_DEFINED", .arguments = {select->value}}));
  } else if (const auto* list = std::get_if<sql::SelectList>(&query.selection)) {
    payload = whole_list(*list);
  } else {
    payload = make_scalar(sql::Name{name_of(query.from.front()).value_or(document)});
  }
  const ScalarPtr whole = make_scalar(sql::Name{document});
  rewritten.selection =
      sql::SelectList{{{make_scalar(sql::Member{whole, "_rid"}), std::nullopt},
                       {make_scalar(sql::ArrayOf{std::move(keys)}), "orderByItems"},
                       {std::move(payload), "payload"}}};
  return rewritten;
}

}  // namespace mayfly::cosmos
