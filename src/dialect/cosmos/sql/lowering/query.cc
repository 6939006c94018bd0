// Clauses of a query: FROM, GROUP BY, SELECT, ORDER BY, TOP and OFFSET.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/ordering.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/print.h"
#include "expr/analyse.h"
#include "expr/function.h"
#include "query/planning/indexable_fields.h"

namespace mayfly::cosmos::sql {
namespace {

ExprPtr exists(const ExprPtr& value) {
  return expr::call("exists", {value});
}

// The value that a condition requires at a path of the document; null if it is another condition.
const Value* value_asked(const Expr& condition, const Path& path) {
  const auto* call = condition.as<expr::FunctionCall>();
  if (call == nullptr || call->function->comparison != Comparison::equal) return nullptr;
  const auto* field = call->arguments[0]->as<expr::FieldOf>();
  const auto* literal = call->arguments[1]->as<expr::Literal>();
  const bool is_of_path = field != nullptr && literal != nullptr && field->slot == 0 &&
                          field->field == Field{Part::body, path};
  if (!is_of_path || literal->value.is_missing()) return nullptr;
  const bool is_scalar = !literal->value.is(Kind::array) && !literal->value.is(Kind::object);
  return is_scalar ? &literal->value : nullptr;
}

// The scan of all partitions, if the rows are one, or one filtered to a range of EPKs.
const query::Scan* scan_of_all(const query::QueryPtr& rows, const Target& target) {
  const auto* filter = target.epks ? rows->as<query::Filter>() : nullptr;
  const auto* scan = (filter ? *filter->input : *rows).as<query::Scan>();
  return scan != nullptr && !scan->routing ? scan : nullptr;
}

// Replaces a scan of all partitions by a scan of one, if only that one can meet the conditions.
query::QueryPtr within_partition(const query::QueryPtr& rows, const ExprList& conditions,
                                 const Target& target) {
  const query::Scan* scan = scan_of_all(rows, target);
  const PartitionKey& key = target.container->definition.key;
  if (scan == nullptr || key.is_system) return rows;
  const ExprList input = conjuncts(expr::all_of(conditions));
  PartitionValues values;
  for (const Path& path : key.paths) {
    for (const ExprPtr& condition : input) {
      const Value* value = value_asked(*condition, path);
      if (value == nullptr) continue;
      values.push_back(*value);
      break;
    }
  }
  if (values.size() != key.paths.size()) return rows;
  auto partition = query::scan(scan->collection, scan->lens, routing_of(key, values));
  if (!target.epks || target.epks->contains(epk_of(values, hash_of(key)))) return partition;
  return query::filter(std::move(partition), expr::literal(Value(false)));
}

}  // namespace

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

Result<query::QueryPtr> lower(const Query& query, const QueryInput& input, const Target& target) {
  const query::QueryPtr lowered = TRY(Lowering(input, target).query(query));
  const auto checked = query::check(*lowered, expression_bounds);
  if (checked) return query::bounded(lowered, expression_bounds);
  if (checked.error().code != Code::too_large) return tl::unexpected(checked.error());
  return tl::unexpected(
      refusal(Code::invalid, input.text, Diagnostic{"SC1001", std::string(too_complex)}));
}

Result<query::QueryPtr> Lowering::query(const Query& query) {
  Clauses lowered = TRY(clauses(query, true));
  if (!is_within_ && lowered.selected) {
    const bool are_finite_rows = are_documents_ || rows_->as<query::Values>() != nullptr;
    TRY(check_copied(lowered.selected, query.range));
    lowered.selected = written(std::move(lowered.selected), lowered, are_finite_rows);
  }
  // Without a FROM clause there is one empty row.
  if (query.from.empty())
    return to_query(std::move(lowered), query::values({Value(nullptr)}), false);
  return to_query(std::move(lowered), rows_, are_documents_);
}

void Lowering::bind_row(std::string name) {
  bindings_.push_back({std::move(name), nullptr});
}

Result<Clauses> Lowering::clauses(const Query& query, bool is_outermost) {
  Clauses clauses;
  ++level_;
  const std::size_t outer_bindings = bindings_.size();
  for (std::size_t i = 0; i < query.from.size(); ++i) {
    if (is_outermost && i == 0) {
      TRY(bind_first(query.from[i], clauses));
    } else {
      TRY(take_source(query.from[i], clauses));
    }
  }
  if (query.where) clauses.conditions.push_back(TRY(scalar(query.where)));
  Grouping grouping{.outer = grouping_, .level = level_, .from = outer_bindings};
  clauses.is_grouped = !query.group_by.empty() || selects_aggregates(query);
  if (clauses.is_grouped) {
    clauses.group_slot = is_outermost ? 0 : next_slot_++;
    TRY(take_groups(query, clauses));
    for (const ScalarPtr& key : query.group_by) {
      grouping.keys.push_back(print(*key, Layout::normal));
    }
    grouping.clauses = &clauses;
    grouping.behind = bindings_.size();
    grouping_ = &grouping;
  }
  TRY(take_selection(query, clauses));
  TRY(take_order(query, is_outermost, clauses));
  TRY(check_ungrouped(grouping));
  TRY(take_slice(query, clauses));
  clauses.is_distinct = query.is_distinct;
  grouping_ = grouping.outer;
  bindings_.resize(outer_bindings);
  --level_;
  return clauses;
}

// The first source of the whole query is the container, whatever its name in the query.
Result<void> Lowering::bind_first(const Source& source, Clauses& clauses) {
  const auto* inner = std::get_if<QueryPtr>(&source.collection);
  if (inner != nullptr && source.binding == Source::Binding::whole) {
    // The rows of a subquery are values, also if they are documents.
    Lowering lowering(asked_, target_);
    lowering.next_slot_ = next_slot_;
    lowering.is_within_ = true;
    rows_ = TRY(lowering.query(**inner));
    next_slot_ = lowering.next_slot_;
    are_documents_ = false;
    bindings_.push_back({name_of(source).value_or(""), expr::slot(0)});
    return {};
  }
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
    ExprPtr key = TRY(scalar(query.group_by[i]));
    clauses.keys.push_back({fmt::format("k{}", i), std::move(key)});
  }
  return {};
}

bool Lowering::is_row_itself(const ScalarPtr& value) const {
  const auto* name = value->as<Name>();
  const Binding* binding = name == nullptr ? nullptr : find(name->name);
  return binding != nullptr && binding->value == nullptr && grouping_for(name->name) == nullptr;
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
  const std::vector<std::string> names = names_of(list);
  ExprList members;
  for (std::size_t i = 0; i < names.size(); ++i) {
    members.push_back(expr::literal(Value(names[i])));
    members.push_back(TRY(scalar(list.items[i].value)));
  }
  return expr::call("object", std::move(members));
}

// Aggregates without groups are one row, so the order has no effect, but it may be invalid.
Result<void> Lowering::check_order_of_one_row(const Ordering& ordering) {
  Grouping* grouping = std::exchange(grouping_, grouping_->outer);
  Result<void> checked;
  for (const OrderItem& item : ordering.items) {
    if (!checked || holds_aggregate(*item.value)) continue;
    const auto lowered = scalar(item.value);
    if (!lowered) checked = tl::unexpected(lowered.error());
  }
  grouping_ = grouping;
  return checked;
}

Result<void> Lowering::take_order(const Query& query, bool is_outermost, Clauses& clauses) {
  if (!query.order_by) return {};
  const Ordering& ordering = *query.order_by;
  if (ordering.by == Ordering::By::rank) {
    return tl::unexpected(bad_request(std::string(rank_is_of_plans)));
  }
  if (clauses.is_grouped && query.group_by.empty()) return check_order_of_one_row(ordering);
  for (const OrderItem& item : ordering.items) {
    const bool is_descending = sorts_descending(item, asked_, container_definition());
    ExprPtr key = TRY(scalar(item.value));
    clauses.order.push_back({std::move(key), is_descending});
  }
  if (!is_outermost || !are_documents_ || clauses.is_grouped) return {};
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

query::QueryPtr Lowering::in_order_of_target(query::QueryPtr rows, const Clauses& clauses) const {
  const Container& container = *target_.container;
  if (target_.order != DocumentOrder::of_values) {
    return in_order(std::move(rows), target_.order, container.definition.key);
  }
  if (!clauses.is_distinct || !clauses.steps.empty() || clauses.selected == nullptr) {
    return in_order(std::move(rows), order_of(container), container.definition.key);
  }
  return query::sort(std::move(rows),
                     {{query::sole_member(clauses.selected)}, {expr::metadata("created_at")}},
                     query::Ties::ascending);
}

query::QueryPtr Lowering::to_query(Clauses clauses, query::QueryPtr rows,
                                   bool has_documents) const {
  const bool is_nested = rows->as<query::Outer>() != nullptr;
  if (has_documents && !clauses.conditions.empty()) {
    rows = within_partition(rows, clauses.conditions, target_);
  }
  if (has_documents && clauses.order.empty() && !clauses.is_grouped) {
    rows = in_order_of_target(std::move(rows), clauses);
  }
  for (Clauses::Step& step : clauses.steps)
    rows = query::unnest(rows, step.slot, std::move(step.over));
  if (!clauses.conditions.empty()) {
    rows = query::filter(rows, expr::all_of(std::move(clauses.conditions)));
  }
  if (clauses.is_grouped) {
    rows = query::group(rows, std::move(clauses.keys), std::move(clauses.aggregates),
                        clauses.group_slot);
  }
  if (!clauses.order.empty()) {
    const bool is_descending = clauses.order.front().is_descending;
    if (has_documents && !clauses.is_grouped) {
      clauses.order.push_back({expr::metadata("created_at"), is_descending});
    }
    const bool are_ties_reversed = is_descending && !is_nested;
    rows = query::sort(rows, std::move(clauses.order),
                       are_ties_reversed ? query::Ties::descending : query::Ties::ascending);
  }
  if (clauses.selected) rows = query::project(rows, std::move(clauses.selected));
  if (clauses.is_distinct) rows = query::distinct(rows);
  if (clauses.offset > 0 || clauses.limit) rows = query::slice(rows, clauses.offset, clauses.limit);
  return rows;
}

}  // namespace mayfly::cosmos::sql
