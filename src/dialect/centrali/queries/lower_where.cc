// The `where` of canonical queries: a tree of and, or, not and comparisons.
#include "dialect/centrali/queries/lower.h"

namespace mayfly::centrali {
namespace {

Result<ExprPtr> lower_list(const Value& list, const std::string& place, bool is_and) {
  if (!list.is(Kind::array)) return fail(Code::invalid, place + " takes a list", place);
  ExprList operands;
  for (std::size_t i = 0; i < list.array().size(); ++i) {
    operands.push_back(TRY(lower_where(list.array()[i], place + "." + std::to_string(i))));
  }
  return is_and ? expr::all_of(std::move(operands)) : expr::any_of(std::move(operands));
}

// Operators that take a list refuse a single value, and the other way round.
Result<void> check_operand(const NamedComparison& comparison, const Value& value) {
  const bool is_list = value.is(Kind::array);
  const bool may_be_list =
      comparison.op->takes_list || comparison.op->name == "eq" || comparison.op->name == "ne";
  if (comparison.op->takes_list ? is_list : may_be_list || !is_list) return {};
  return fail(
      Code::invalid,
      "'" + std::string(comparison.op->name) + (is_list ? "' takes one value" : "' takes a list"),
      comparison.field.name);
}

Result<ExprPtr> lower_one(const NamedComparison& comparison, const Value& value) {
  TRY(check_operand(comparison, value));
  // An array that is compared as a whole is one value.
  if (value.is(Kind::array) && !comparison.op->takes_list) {
    return lower(comparison, operand_of_one(value));
  }
  return lower(comparison, operand_of(value));
}

// An object whose members are all operators is a list of comparisons; anything else is a value.
Result<ExprPtr> lower_field(std::string_view name, const Value& wanted) {
  NamedComparison comparison = TRY(parse_comparison(name));
  if (!wanted.is(Kind::object) || name.ends_with(']')) return lower_one(comparison, wanted);
  ExprList all;
  for (const auto& [op, value] : wanted.object()) {
    comparison.op = find_operator(op);
    if (comparison.op == nullptr) {
      return fail(Code::invalid, "'" + op + "' is not an operator; there are " + operator_names(),
                  std::string(name));
    }
    all.push_back(TRY(lower_one(comparison, value)));
  }
  return expr::all_of(std::move(all));
}

}  // namespace

Result<ExprPtr> lower_where(const Value& where, const std::string& place) {
  if (!where.is(Kind::object)) return fail(Code::invalid, place + " must be an object", place);
  ExprList all;
  for (const auto& [name, value] : where.object()) {
    if (name == "and" || name == "or") {
      all.push_back(TRY(lower_list(value, place + "." + name, name == "and")));
    } else if (name == "not") {
      ExprPtr condition = TRY(lower_where(value, place + ".not"));
      all.push_back(expr::negation(expr::if_missing(std::move(condition), expr::literal(false))));
    } else {
      all.push_back(TRY(lower_field(name, value)));
    }
  }
  return expr::all_of(std::move(all));
}

}  // namespace mayfly::centrali
