// Subqueries: queries of the core within an expression, and the value of their rows.
#include <fmt/format.h>

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/print.h"
#include "query/planning/planner.h"
#include "query/running/nested.h"

namespace mayfly::cosmos::sql {
namespace {

// The number of rows that the value depends on.
std::size_t rows_needed(SubqueryKind kind) {
  switch (kind) {
    case SubqueryKind::exists:
    case SubqueryKind::first:
    case SubqueryKind::scalar: return 1;
    default: return SIZE_MAX;
  }
}

Result<Value> value_of(SubqueryKind kind, std::vector<Value> rows) {
  switch (kind) {
    case SubqueryKind::exists: return Value(!rows.empty());
    case SubqueryKind::array: return Value(Array(std::move(rows)));
    case SubqueryKind::all:
      return Value(
          std::all_of(rows.begin(), rows.end(), [](const Value& v) { return v.is_true(); }));
    case SubqueryKind::first: return rows.empty() ? Value() : std::move(rows.front());
    case SubqueryKind::last: return rows.empty() ? Value() : std::move(rows.back());
    case SubqueryKind::scalar: break;
  }
  return rows.empty() ? Value() : std::move(rows.front());
}

bool says_one(const std::optional<Count>& count, const Object& parameters) {
  if (!count) return false;
  if (const auto* rows = std::get_if<std::int64_t>(&count->rows)) return *rows <= 1;
  const Value* value = parameters.find(std::get<Parameter>(count->rows).name);
  return value != nullptr && value->is(Kind::integer) && value->integer() <= 1;
}

bool has_one_row(const Query& query, const Object& parameters);

bool gives_one_row(const Source& source, const Object& parameters) {
  if (const auto* inner = std::get_if<QueryPtr>(&source.collection)) {
    return source.binding == Source::Binding::whole && has_one_row(**inner, parameters);
  }
  if (source.binding == Source::Binding::whole) return true;
  const auto* array = std::get<ScalarPtr>(source.collection)->as<ArrayOf>();
  return array != nullptr && array->items.size() <= 1;
}

// Whether the query has at most one row, whatever the documents contain.
bool has_one_row(const Query& query, const Object& parameters) {
  if (says_one(query.top, parameters)) return true;
  if (query.slice && says_one(query.slice->limit, parameters)) return true;
  if (!query.group_by.empty()) return false;
  return selects_aggregates(query) ||
         std::all_of(query.from.begin(), query.from.end(),
                     [&](const Source& source) { return gives_one_row(source, parameters); });
}

}  // namespace

Result<ExprPtr> Lowering::subquery(const Subquery& subquery) {
  if (subquery.kind == SubqueryKind::scalar && !has_one_row(*subquery.query, asked_.parameters)) {
    return tl::unexpected(
        bad_request("The cardinality of a scalar subquery result set cannot be greater than one."));
  }
  return array_of_rows(subquery.query, subquery.kind);
}

Result<ExprPtr> Lowering::array_of_rows(const QueryPtr& query, SubqueryKind kind) {
  Clauses lowered = TRY(clauses(*query, false));
  // The unchanged row is the value of its binding.
  if (!lowered.selected) lowered.selected = TRY(name({bindings_.front().name}, query->range));
  TRY(check_sizes(lowered, query->range));
  const query::QueryPtr nested = to_query(std::move(lowered), query::outer(), false);
  const auto run = [plan = query::plan_nested(*nested), kind](
                       const Scope& scope, std::span<const Value>, Meter& meter) -> Result<Value> {
    return value_of(kind, TRY(query::run_nested(*plan, scope, meter, rows_needed(kind))));
  };
  return expr::foreign(fmt::format("subquery {} {}", static_cast<int>(kind), print(*query)),
                       Effect::reads, run, {}, sha256(query::identity(*nested)));
}

}  // namespace mayfly::cosmos::sql
