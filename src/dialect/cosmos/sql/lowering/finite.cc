// The values of a row in JSON, which has no form for NaN and infinite numbers. They are left out,
// as undefined is. Within a query they are numbers.
#include <algorithm>
#include <cmath>
#include <set>

#include "dialect/cosmos/sql/lowering/lowering.h"
#include "expr/analyse.h"
#include "expr/function.h"

namespace mayfly::cosmos::sql {
namespace {

bool is_infinite(const Value& value) {
  if (value.is(Kind::real)) return !std::isfinite(value.real());
  if (value.is(Kind::array)) {
    return std::any_of(value.array().begin(), value.array().end(), is_infinite);
  }
  if (!value.is(Kind::object)) return false;
  return std::any_of(value.object().begin(), value.object().end(),
                     [](const auto& member) { return is_infinite(member.second); });
}

Value finite(const Value& value) {
  if (!is_infinite(value)) return value;
  if (value.is(Kind::array)) {
    Array kept;
    for (const Value& item : value.array()) {
      kept.push_back(finite(item));
      if (kept.back().is_missing()) kept.pop_back();
    }
    return Value(std::move(kept));
  }
  if (!value.is(Kind::object)) return Value();
  Object kept;
  for (const auto& [name, member] : value.object()) {
    Value own = finite(member);
    if (!own.is_missing()) kept.append(name, std::move(own));
  }
  return Value(std::move(kept));
}

// Whether the function computes numbers that may be infinite.
bool makes_numbers(const Function& function) {
  static const auto makers = [] {
    std::set<std::string_view> names;
    for (const Family& family : function_families()) {
      for (const Function& row : family.functions) {
        if (family.may_be_infinite && !row.is_finite) names.insert(row.name);
      }
    }
    return names;
  }();
  return makers.contains(function.name);
}

bool counts(const query::NamedAggregate& aggregate) {
  return aggregate.aggregate->name == "count" || aggregate.aggregate->name == "count_true";
}

// Whether rows, groups or items may contain such numbers before any computation.
bool may_begin_infinite(const Clauses& clauses) {
  bool may_be = false;
  for (const Clauses::Step& step : clauses.steps) may_be = may_be || may_be_infinite(*step.over);
  for (const query::Named& key : clauses.keys) may_be = may_be || may_be_infinite(*key.value);
  for (const auto& aggregate : clauses.aggregates) may_be = may_be || !counts(aggregate);
  return may_be;
}

}  // namespace

bool may_be_infinite(const Expr& e) {
  if (const auto* literal = e.as<expr::Literal>()) return is_infinite(literal->value);
  if (const auto* call = e.as<expr::FunctionCall>(); call && makes_numbers(*call->function))
    return true;
  const auto* foreign = e.as<expr::Foreign>();
  if (foreign && (foreign->name.starts_with("subquery ") || foreign->name.starts_with("udf."))) {
    return true;
  }
  bool may_be = false;
  for_each_operand(e, [&](const Expr& operand) { may_be = may_be || may_be_infinite(operand); });
  return may_be;
}

ExprPtr written(ExprPtr selected, const Clauses& clauses, bool are_finite_rows) {
  if (are_finite_rows && !may_be_infinite(*selected) && !may_begin_infinite(clauses))
    return selected;
  const auto call = [](const Scope&, std::span<const Value> values, Meter&) -> Result<Value> {
    return finite(values.front());
  };
  return expr::foreign("finite", Effect::pure, call, {std::move(selected)});
}

}  // namespace mayfly::cosmos::sql
