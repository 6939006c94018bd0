// Clauses of a query: FROM, GROUP BY, SELECT, ORDER BY, TOP and OFFSET.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "dialect/cosmos/documents/feed.h"
#include "dialect/cosmos/sql/lowering.h"
#include "dialect/cosmos/sql/ordering.h"
#include "dialect/cosmos/sql/parser.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr std::int64_t count_max = 4'294'967'295;

bool selects_aggregates(const Query& query) {
  bool holds = false;
  const auto look = [&holds](const ScalarPtr& scalar) {
    holds = holds || holds_aggregate(*scalar);
  };
  if (const auto* value = std::get_if<SelectValue>(&query.selection)) look(value->value);
  if (const auto* list = std::get_if<SelectList>(&query.selection)) {
    for (const SelectItem& item : list->items) look(item.value);
  }
  return holds;
}

ExprPtr exists(const ExprPtr& value) {
  return expr::call("exists", {value});
}

}  // namespace

Result<query::QueryPtr> lower(const Query& query, const Asked& asked, const Target& target) {
  return Lowering(asked, target).query(query);
}

Result<query::QueryPtr> Lowering::query(const Query& query) {
  Clauses lowered = TRY(clauses(query, true));
  // Without a FROM clause there is one row, and nothing in it.
  if (query.from.empty())
    return to_query(std::move(lowered), query::values({Value(nullptr)}), false);
  return to_query(std::move(lowered), target_.rows, target_.container != nullptr);
}

void Lowering::bind_row(std::string name) {
  bindings_.push_back({std::move(name), nullptr});
}

Result<Clauses> Lowering::clauses(const Query& query, bool is_outermost) {
  Clauses clauses;
  Grouping* outer_grouping = std::exchange(grouping_, nullptr);
  const std::size_t outer_bindings = bindings_.size();
  for (std::size_t i = 0; i < query.from.size(); ++i) {
    if (is_outermost && i == 0) {
      TRY(bind_first(query.from[i], clauses));
    } else {
      TRY(take_source(query.from[i], clauses));
    }
  }
  if (query.where) clauses.conditions.push_back(TRY(scalar(query.where)));
  Grouping grouping;
  clauses.is_grouped = !query.group_by.empty() || selects_aggregates(query);
  if (clauses.is_grouped) {
    clauses.group_slot = is_outermost ? 0 : next_slot_++;
    TRY(take_groups(query, clauses));
    for (const ScalarPtr& key : query.group_by) grouping.keys.push_back(print(*key));
    grouping.clauses = &clauses;
    grouping_ = &grouping;
  }
  TRY(take_selection(query, clauses));
  TRY(take_order(query, is_outermost, clauses));
  TRY(take_slice(query, clauses));
  clauses.is_distinct = query.is_distinct;
  grouping_ = outer_grouping;
  bindings_.resize(outer_bindings);
  return clauses;
}

// The first source of the whole query is the container, under whatever name.
Result<void> Lowering::bind_first(const Source& source, Clauses& clauses) {
  const auto* collection = std::get_if<ScalarPtr>(&source.collection);
  if (collection == nullptr || (*collection)->as<ArrayOf>() != nullptr) {
    return take_source(source, clauses);
  }
  const Steps path = steps_of(*collection);
  const auto* base = path.from->as<Name>();
  if (base == nullptr) return take_source(source, clauses);
  if (path.steps.empty() && source.binding == Source::Binding::whole) {
    bind_row(source.alias.value_or(base->name));
    return {};
  }
  bind_row(base->name);
  return take_source(source, clauses);
}

Result<void> Lowering::take_source(const Source& source, Clauses& clauses) {
  const std::string name = name_of(source).value_or("");
  const bool is_each = source.binding == Source::Binding::items;
  const auto* collection = std::get_if<ScalarPtr>(&source.collection);
  if (!is_each && collection != nullptr && is_row_itself(*collection)) {
    bind_row(name);
    return {};
  }
  ExprPtr over;
  if (const auto* query = std::get_if<QueryPtr>(&source.collection)) {
    over = TRY(array_of_rows(*query, SubqueryKind::array));
  } else {
    over = TRY(scalar(*collection));
  }
  const bool is_subquery = std::holds_alternative<QueryPtr>(source.collection);
  if (!is_each && !is_subquery) {
    clauses.conditions.push_back(exists(over));
    bindings_.push_back({name, std::move(over)});
    return {};
  }
  if (is_each && is_subquery) {  // the items of each row that is an array
    const Slot row = next_slot_++;
    clauses.steps.push_back({row, std::move(over)});
    over = expr::slot(row);
  }
  const Slot slot = next_slot_++;
  clauses.steps.push_back({slot, std::move(over)});
  bindings_.push_back({name, expr::slot(slot)});
  return {};
}

Result<void> Lowering::take_groups(const Query& query, Clauses& clauses) {
  for (std::size_t i = 0; i < query.group_by.size(); ++i) {
    clauses.keys.push_back({fmt::format("k{}", i), TRY(scalar(query.group_by[i]))});
  }
  return {};
}

bool Lowering::is_row_itself(const ScalarPtr& value) const {
  const auto* name = value->as<Name>();
  const Binding* binding = name == nullptr ? nullptr : find(name->name);
  return binding != nullptr && binding->value == nullptr;
}

Result<void> Lowering::take_selection(const Query& query, Clauses& clauses) {
  if (const auto* all_of_it = std::get_if<SelectAll>(&query.selection)) {
    if (clauses.is_grouped) {
      return refuse("SC2041", "'SELECT *' is not allowed with GROUP BY.", all_of_it->range);
    }
    if (query.from.empty()) {
      return refuse("SC2039", "'SELECT *' is not valid if FROM clause is omitted.",
                    all_of_it->range);
    }
    if (query.from.size() > 1) {
      return refuse("SC2040", "'SELECT *' is only valid with a single input set.",
                    all_of_it->range);
    }
    const Binding& only = bindings_.back();
    clauses.selected = only.value != nullptr ? only.value : nullptr;
    return {};
  }
  if (const auto* value = std::get_if<SelectValue>(&query.selection)) {
    if (!clauses.is_grouped && is_row_itself(value->value)) return {};
    clauses.selected = TRY(scalar(value->value));
    return {};
  }
  clauses.selected = TRY(selected_list(std::get<SelectList>(query.selection)));
  return {};
}

Result<ExprPtr> Lowering::selected_list(const SelectList& list) {
  ExprList members;
  std::size_t unnamed = 0;
  for (const SelectItem& item : list.items) {
    std::optional<std::string> name = item.alias;
    if (!name) name = implied_name(*item.value);
    if (!name) name = fmt::format("${}", ++unnamed);
    members.push_back(expr::literal(Value(*std::move(name))));
    members.push_back(TRY(scalar(item.value)));
  }
  return expr::call("object", std::move(members));
}

Result<void> Lowering::take_order(const Query& query, bool is_outermost, Clauses& clauses) {
  if (!query.order_by) return {};
  const Ordering& ordering = *query.order_by;
  for (const OrderItem& item : ordering.items) {
    clauses.order.push_back({TRY(scalar(item.value)), item.direction == Direction::descending});
  }
  if (!is_outermost || target_.container == nullptr || clauses.is_grouped) return {};
  const OrderCheck checked = TRY(check_ordering(*target_.container, ordering, asked_.text));
  if (!checked.keeps_missing) clauses.conditions.push_back(exists(clauses.order.front().value));
  return {};
}

Result<std::size_t> Lowering::rows_of(const Count& count, std::string_view clause,
                                      std::string_view code) {
  const auto* number = std::get_if<std::int64_t>(&count.rows);
  Value value;
  if (number != nullptr) {
    value = *number;
  } else {
    value = parameter(std::get<Parameter>(count.rows).name);
  }
  const bool is_whole = value.is(Kind::integer) && value.integer() >= 0;
  if (is_whole && value.integer() <= count_max) return static_cast<std::size_t>(value.integer());
  const std::string message =
      clause == "TOP" ? "The count value provided for a TOP clause must be an integer."
      : is_whole
          ? fmt::format("The {} count value exceeds the maximum allowed value.", clause)
          : fmt::format("The count value provided for a {} clause must be an integer.", clause);
  return refuse(code, message, count.range);
}

Result<void> Lowering::take_slice(const Query& query, Clauses& clauses) {
  if (query.top) clauses.limit = TRY(rows_of(*query.top, "TOP", "SC2060"));
  if (!query.slice) return {};
  clauses.offset = TRY(rows_of(query.slice->offset, "OFFSET", "SC2062"));
  const std::size_t limit = TRY(rows_of(query.slice->limit, "LIMIT", "SC2061"));
  clauses.limit = clauses.limit ? std::min(*clauses.limit, limit) : limit;
  return {};
}

query::QueryPtr Lowering::to_query(Clauses clauses, query::QueryPtr rows, bool has_documents) {
  if (has_documents && clauses.order.empty() && !clauses.is_grouped)
    rows = in_order_of_creation(rows);
  for (Clauses::Step& step : clauses.steps)
    rows = query::unnest(rows, step.slot, std::move(step.over));
  if (!clauses.conditions.empty()) {
    rows = query::filter(rows, expr::all_of(std::move(clauses.conditions)));
  }
  if (clauses.is_grouped) {
    rows = query::group(rows, std::move(clauses.keys), std::move(clauses.aggregates));
  }
  if (!clauses.order.empty()) {
    const bool is_descending = clauses.order.front().is_descending;
    if (has_documents && !clauses.is_grouped) {
      clauses.order.push_back({expr::metadata("created_at"), is_descending});
    }
    rows = query::sort(rows, std::move(clauses.order),
                       is_descending ? query::Ties::descending : query::Ties::ascending);
  }
  if (clauses.selected) rows = query::project(rows, std::move(clauses.selected));
  if (clauses.is_distinct) rows = query::distinct(rows);
  if (clauses.offset > 0 || clauses.limit) rows = query::slice(rows, clauses.offset, clauses.limit);
  return rows;
}

}  // namespace mayfly::cosmos::sql
