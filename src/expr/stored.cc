// REACHES DISK. An expression is stored as JSON:
//
//   {"literal": value} | {"field": path} | {"call": function, "of": [expression …]}
//   {"and": [expression …]} | {"or": […]} | {"not": [expression]} | {"if_missing": [first, other]}
//
// Literals that JSON cannot distinguish from others:
//
//   {"real": whole number} | {"time": RFC 3339} | {"list": [literal …]}
#include "expr/stored.h"

#include <algorithm>
#include <cmath>

#include "expr/analyse.h"
#include "expr/function.h"
#include "expr/limits.h"
#include "expr/render.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

tl::unexpected<Error> cannot_be_stored(const std::string& what) {
  return fail(Code::invalid, what + " cannot stand in an expression that is kept", "expression");
}

tl::unexpected<Error> is_damaged() {
  return fail(Code::invalid, "this is no expression", "expression");
}

Result<Value> row_of_expr(const Expr& expr);

Result<Array> rows_of_operands(const ExprList& operands) {
  Array rows;
  for (const ExprPtr& operand : operands) rows.push_back(TRY(row_of_expr(*operand)));
  return rows;
}

// Whether parsing its JSON gives a value of the same kinds.
bool is_json(const Value& value) {
  if (value.is(Kind::array)) return std::ranges::all_of(value.array(), is_json);
  const bool is_plain =
      value.is_null() || value.is(Kind::boolean) || value.is_number() || value.is(Kind::text);
  if (!is_plain) return false;
  const auto again = parse_json(render_json(value));
  return again && again->kind() == value.kind();
}

Value row_of(std::string_view name, Value value) {
  Object row;
  row.append(std::string(name), std::move(value));
  return Value(std::move(row));
}

Result<Value> row_of_literal(const Value& value) {
  if (is_json(value)) return row_of("literal", value);
  if (value.is(Kind::real) && std::isfinite(value.real())) return row_of("real", value);
  if (value.is(Kind::time)) return row_of("time", value);
  if (!value.is(Kind::array)) return cannot_be_stored("the value " + render_literal(value));
  Array rows;
  for (const Value& item : value.array()) rows.push_back(TRY(row_of_literal(item)));
  return row_of("list", Value(std::move(rows)));
}

struct RowOf {
  Result<Value> operator()(const expr::Literal& e) const { return row_of_literal(e.value); }
  Result<Value> operator()(const expr::FieldOf& e) const {
    if (e.slot != 0 || e.field.part != Part::body || e.field.path.steps.empty()) {
      return cannot_be_stored(e.field.render());
    }
    return Value(Object{{"field", Value(e.field.path.render())}});
  }
  Result<Value> operator()(const expr::FunctionCall& e) const {
    Array operands = TRY(rows_of_operands(e.arguments));
    return Value(Object{{"call", Value(e.function->name)}, {"of", Value(std::move(operands))}});
  }
  Result<Value> operator()(const expr::And& e) const { return of("and", e.operands); }
  Result<Value> operator()(const expr::Or& e) const { return of("or", e.operands); }
  Result<Value> operator()(const expr::Not& e) const { return of("not", {e.operand}); }
  Result<Value> operator()(const expr::IfMissing& e) const {
    return of("if_missing", {e.first, e.otherwise});
  }
  Result<Value> operator()(const expr::Must&) const { return cannot_be_stored("what may fail"); }
  Result<Value> operator()(const expr::Each&) const { return cannot_be_stored("a loop"); }
  Result<Value> operator()(const expr::Foreign&) const {
    return cannot_be_stored("what an API computes");
  }

 private:
  static Result<Value> of(std::string_view name, const ExprList& operands) {
    return row_of(name, Value(TRY(rows_of_operands(operands))));
  }
};

Result<Value> row_of_expr(const Expr& expr) {
  return std::visit(RowOf(), expr.node);
}

Result<ExprPtr> expr_of(const Value& row);

Result<ExprList> operands_of(const Value& rows) {
  if (!rows.is(Kind::array)) return is_damaged();
  ExprList operands;
  for (const Value& row : rows.array()) operands.push_back(TRY(expr_of(row)));
  return operands;
}

Result<ExprPtr> call_of(const std::string& name, ExprList arguments) {
  const Function* const function = find_function(name);
  if (function == nullptr || arguments.size() < function->arguments_min ||
      arguments.size() > function->arguments_max) {
    return is_damaged();
  }
  return expr::call(*function, std::move(arguments));
}

// Missing if the row is no literal.
Result<Value> literal_of(const Value& row) {
  if (!row.is(Kind::object) || row.object().size() == 0) return Value();
  const auto& [name, value] = *row.object().begin();
  if (name == "literal") return value;
  if (name == "real" && value.is_number()) return Value(value.number());
  if (name == "time" && value.is(Kind::text)) return Value(TRY(parse_rfc3339(value.text())));
  if (name != "list" || !value.is(Kind::array)) return Value();
  Array items;
  for (const Value& item : value.array()) {
    items.push_back(TRY(literal_of(item)));
    if (items.back().is_missing()) return is_damaged();
  }
  return Value(std::move(items));
}

Result<ExprPtr> expr_of(const Value& row) {
  if (!row.is(Kind::object) || row.object().size() == 0) return is_damaged();
  if (const Value literal = TRY(literal_of(row)); !literal.is_missing()) {
    return expr::literal(literal);
  }
  const auto& [name, value] = *row.object().begin();
  if (name == "field") {
    if (!value.is(Kind::text)) return is_damaged();
    Path path = TRY(Path::parse(value.text()));
    return expr::field({Part::body, std::move(path)});
  }
  if (name == "call") {
    if (!value.is(Kind::text)) return is_damaged();
    return call_of(value.text(), TRY(operands_of(row.member("of"))));
  }
  ExprList operands = TRY(operands_of(value));
  if (name == "and") return expr::all_of(std::move(operands));
  if (name == "or") return expr::any_of(std::move(operands));
  if (name == "not" && operands.size() == 1) return expr::negation(operands[0]);
  if (name == "if_missing" && operands.size() == 2)
    return expr::if_missing(operands[0], operands[1]);
  return is_damaged();
}

}  // namespace

Result<StoredExpression> StoredExpression::of(const ExprPtr& expression) {
  StoredExpression stored{fold(expression), {}};
  TRY(check_size(*stored.expression, {.nodes_max = limits::stored_expression_nodes_max}));
  const Value row = TRY(row_of_expr(*stored.expression));
  stored.text = render_json(row);
  // What cannot be read again, such as lists that are nested too deeply, is refused now.
  const auto again = parse(stored.text);
  if (!again || !are_same(*again->expression, *stored.expression)) {
    return cannot_be_stored("what is nested so deeply");
  }
  return stored;
}

Result<StoredExpression> StoredExpression::parse(std::string_view text) {
  const Value row = TRY(parse_json(text));
  ExprPtr expression = TRY(expr_of(row));
  return StoredExpression{std::move(expression), std::string(text)};
}

bool are_same(const Expr& a, const Expr& b) {
  return &a == &b || render(a) == render(b);
}

}  // namespace mayfly
