// Lowers scalar expressions of SQL to expressions of the core.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "dialect/cosmos/containers/computed.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {
namespace {

// The function of the library for each operator.
struct LoweredOperator {
  BinaryOperator op;
  std::string_view function;
};
constexpr LoweredOperator operators[] = {
    {BinaryOperator::multiply, "multiply"},
    {BinaryOperator::divide, "divide"},
    {BinaryOperator::modulo, "modulo"},
    {BinaryOperator::add, "add"},
    {BinaryOperator::subtract, "subtract"},
    {BinaryOperator::shift_left, "shift_left"},
    {BinaryOperator::shift_right, "shift_right"},
    {BinaryOperator::shift_right_zero, "shift_right_unsigned"},
    {BinaryOperator::less, "less"},
    {BinaryOperator::less_equal, "less_or_equal"},
    {BinaryOperator::greater, "greater"},
    {BinaryOperator::greater_equal, "greater_or_equal"},
    {BinaryOperator::equal, "equal"},
    {BinaryOperator::not_equal, "not_equal"},
    {BinaryOperator::bitwise_and, "bits_and"},
    {BinaryOperator::bitwise_xor, "bits_xor"},
    {BinaryOperator::bitwise_or, "bits_or"},
    {BinaryOperator::concat, "concat"},
};

// An array of literals becomes one literal.
ExprPtr array_of(ExprList items) {
  const bool are_literals = std::all_of(items.begin(), items.end(), [](const ExprPtr& item) {
    return item->as<expr::Literal>() != nullptr;
  });
  if (!are_literals) return expr::call("array", std::move(items));
  Array values;
  for (const ExprPtr& item : items) values.push_back(item->as<expr::Literal>()->value);
  std::erase_if(values, [](const Value& v) { return v.is_missing(); });
  return expr::literal(Value(std::move(values)));
}

Value value_of_step(const Step& step) {
  if (const auto* text = std::get_if<std::string>(&step)) return Value(*text);
  return Value(static_cast<std::int64_t>(std::get<std::size_t>(step)));
}

}  // namespace

std::optional<Step> constant_step(const Scalar& index) {
  const auto* literal = index.as<Literal>();
  if (literal == nullptr) return std::nullopt;
  const Value& value = literal->value;
  if (value.is(Kind::text)) return Step(value.text());
  if (value.is(Kind::integer) && value.integer() >= 0) {
    return Step(static_cast<std::size_t>(value.integer()));
  }
  return std::nullopt;
}

ExprPtr walk(ExprPtr from, const std::vector<Step>& steps) {
  if (const auto* field = from->as<expr::FieldOf>(); field != nullptr && !steps.empty()) {
    if (field->field.part == Part::body) {
      Field longer = field->field;
      longer.path.steps.insert(longer.path.steps.end(), steps.begin(), steps.end());
      return expr::field(std::move(longer), field->slot);
    }
  }
  for (const Step& step : steps) {
    from = expr::call("member", {std::move(from), expr::literal(value_of_step(step))});
  }
  return from;
}

Steps steps_of(const ScalarPtr& scalar) {
  Steps path{scalar, {}};
  while (true) {
    if (const auto* member = path.from->as<Member>()) {
      path.steps.emplace_back(member->name);
      path.from = member->of;
    } else if (const auto* index = path.from->as<Index>()) {
      const auto step = constant_step(*index->index);
      if (!step) break;
      path.steps.push_back(*step);
      path.from = index->of;
    } else {
      break;
    }
  }
  std::reverse(path.steps.begin(), path.steps.end());
  return path;
}

const Lowering::Binding* Lowering::find(std::string_view name) const {
  for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
    if (binding->name == name) return &*binding;
  }
  return nullptr;
}

Value Lowering::parameter(const std::string& name) const {
  const Value* value = asked_.parameters.find(name);
  return value == nullptr ? Value() : *value;
}

const Object& Lowering::container_definition() const {
  static const Object nothing;
  return target_.container != nullptr ? target_.container->definition.shown : nothing;
}

tl::unexpected<Error> Lowering::refuse(std::string_view code, std::string message,
                                       TextRange range) const {
  return tl::unexpected(
      refusal(Code::invalid, asked_.text, {Value(code), std::move(message), range}));
}

Result<ExprList> Lowering::all(const ScalarList& scalars) {
  ExprList lowered;
  for (const ScalarPtr& one : scalars) lowered.push_back(TRY(scalar(one)));
  return lowered;
}

Result<ExprPtr> Lowering::scalar(const ScalarPtr& scalar) {
  if (ExprPtr key = key_of(*scalar)) return key;
  if (goes_by_steps(scalar)) {  // each step may complete a key
    const auto* member = scalar->as<Member>();
    const ScalarPtr& before = member != nullptr ? member->of : scalar->as<Index>()->of;
    ExprPtr of = TRY(this->scalar(before));
    take_ungrouped(*before, *scalar);
    return walk(std::move(of), {steps_of(scalar).steps.back()});
  }
  if (scalar->as<Member>() != nullptr || scalar->as<Index>() != nullptr) return path(*scalar);
  return node(*scalar);
}

Result<ExprPtr> Lowering::node(const Scalar& scalar) {
  if (const auto* literal = scalar.as<Literal>()) return expr::literal(literal->value);
  if (const auto* parameter = scalar.as<Parameter>())
    return expr::literal(this->parameter(parameter->name));
  if (const auto* name = scalar.as<Name>()) return this->name(*name, scalar.range);
  if (scalar.as<Member>() != nullptr || scalar.as<Index>() != nullptr) return path(scalar);
  if (const auto* array = scalar.as<ArrayOf>()) return this->array(*array);
  if (const auto* object = scalar.as<ObjectOf>()) {
    ExprList members;
    for (const auto& [name, value] : object->members) {
      members.push_back(expr::literal(Value(name)));
      members.push_back(TRY(this->scalar(value)));
    }
    return expr::call("object", std::move(members));
  }
  if (const auto* unary = scalar.as<Unary>()) {
    ExprPtr operand = TRY(this->scalar(unary->operand));
    switch (unary->op) {
      case UnaryOperator::plus: return expr::call("add", {expr::literal(0), std::move(operand)});
      case UnaryOperator::minus: return expr::call("negate", {std::move(operand)});
      case UnaryOperator::bitwise_not: return expr::call("bits_not", {std::move(operand)});
      case UnaryOperator::logical_not: return expr::negation(std::move(operand));
    }
  }
  if (const auto* binary = scalar.as<Binary>()) {
    ExprPtr left = TRY(this->scalar(binary->left));
    ExprPtr right = TRY(this->scalar(binary->right));
    if (binary->op == BinaryOperator::coalesce) {
      return expr::if_missing(std::move(left), std::move(right));
    }
    const auto* row = std::find_if(std::begin(operators), std::end(operators),
                                   [&](const LoweredOperator& r) { return r.op == binary->op; });
    return expr::call(row->function, {std::move(left), std::move(right)});
  }
  if (const auto* logical = scalar.as<Logical>()) {
    ExprList operands = TRY(all(logical->operands));
    return logical->op == LogicalOperator::logical_and ? expr::all_of(std::move(operands))
                                                       : expr::any_of(std::move(operands));
  }
  if (const auto* between = scalar.as<Between>()) return this->between(*between);
  if (const auto* in = scalar.as<In>()) return this->in(*in);
  if (const auto* like = scalar.as<Like>()) return this->like(*like);
  if (const auto* conditional = scalar.as<Conditional>()) {
    ExprPtr condition = TRY(this->scalar(conditional->condition));
    ExprPtr yes = TRY(this->scalar(conditional->yes));
    ExprPtr no = TRY(this->scalar(conditional->no));
    return expr::call("when", {std::move(condition), std::move(yes), std::move(no)});
  }
  if (const auto* call = scalar.as<ScalarCall>()) return this->call(*call, scalar.range);
  if (const auto* subquery = scalar.as<Subquery>()) return this->subquery(*subquery);
  return expr::literal(true);  // the placeholder of a filter that resumes a sorted query
}

Result<ExprPtr> Lowering::between(const Between& between) {
  const ExprPtr value = TRY(scalar(between.value));
  TRY(check_copied(value, between.value->range));
  ExprPtr low = TRY(scalar(between.low));
  ExprPtr high = TRY(scalar(between.high));
  ExprPtr within = expr::all_of({expr::call("greater_or_equal", {value, std::move(low)}),
                                 expr::call("less_or_equal", {value, std::move(high)})});
  TRY(check_copied(within, between.value->range));  // it contains the value twice
  return between.is_negated ? expr::negation(std::move(within)) : within;
}

Result<ExprPtr> Lowering::array(const ArrayOf& array) {
  return array_of(TRY(all(array.items)));
}

Result<void> Lowering::check_copied(const ExprPtr& e, TextRange range) const {
  if (check_size(*e, expression_bounds)) return {};
  return refuse("SC1001", std::string(too_complex), range);
}

// Checks each expression of a subquery, because nothing visits them once they are one call.
Result<void> Lowering::check_sizes(const Clauses& clauses, TextRange range) const {
  TRY(check_copied(clauses.selected, range));
  for (const ExprPtr& condition : clauses.conditions) TRY(check_copied(condition, range));
  for (const Clauses::Step& step : clauses.steps) TRY(check_copied(step.over, range));
  for (const query::Named& key : clauses.keys) TRY(check_copied(key.value, range));
  for (const auto& aggregate : clauses.aggregates) TRY(check_copied(aggregate.value, range));
  for (const query::SortKey& key : clauses.order) TRY(check_copied(key.value, range));
  return {};
}

Result<ExprPtr> Lowering::in(const In& in) {
  ExprPtr value = TRY(scalar(in.value));
  ExprPtr items = array_of(TRY(all(in.items)));
  ExprPtr is_in = expr::call("in", {std::move(value), std::move(items)});
  return in.is_negated ? expr::negation(std::move(is_in)) : is_in;
}

Result<ExprPtr> Lowering::like(const Like& like) {
  ExprPtr value = TRY(scalar(like.value));
  ExprPtr pattern = TRY(scalar(like.pattern));
  ExprList arguments{std::move(value), std::move(pattern)};
  if (like.escape) arguments.push_back(expr::literal(Value(*like.escape)));
  ExprPtr fits = expr::call("like", std::move(arguments));
  return like.is_negated ? expr::negation(std::move(fits)) : fits;
}

Result<ExprPtr> Lowering::name(const Name& name, TextRange range) {
  if (Grouping* grouping = grouping_for(name.name)) {
    grouping->ungrouped.push_back(range);
    return expr::literal(Value());
  }
  const Binding* binding = find(name.name);
  if (binding == nullptr) {
    return refuse("SC2001", fmt::format("Identifier '{}' could not be resolved.", name.name),
                  range);
  }
  if (binding->value != nullptr) return binding->value;
  return target_.container != nullptr ? whole_document(*target_.container) : expr::slot(0);
}

Result<ExprPtr> Lowering::path(const Scalar& whole) {
  const Steps path = steps_of(std::make_shared<const Scalar>(whole));
  if (const auto* base = path.from->as<Name>();
      base != nullptr && grouping_for(base->name) == nullptr) {
    const Binding* binding = find(base->name);
    if (binding != nullptr && binding->value == nullptr && !path.steps.empty()) {
      return member_of_row(path.steps);
    }
  }
  if (path.steps.empty()) {  // an index that depends on the row
    const auto* index = whole.as<Index>();
    ExprPtr of = TRY(scalar(index->of));
    ExprPtr at = TRY(scalar(index->index));
    return expr::call("member", {std::move(of), std::move(at)});
  }
  ExprPtr from = TRY(scalar(path.from));
  take_ungrouped(*path.from, whole);
  return walk(std::move(from), path.steps);
}

Result<ExprPtr> Lowering::member_of_row(const std::vector<Step>& steps) {
  const auto* first = std::get_if<std::string>(&steps.front());
  if (first != nullptr && target_.container != nullptr) {
    if (ExprPtr value = system_property(*target_.container, *first)) {
      return walk(std::move(value), {steps.begin() + 1, steps.end()});
    }
    const auto computed =
        is_computing_ ? std::nullopt : computed_property(*target_.container, *first);
    if (computed) {
      const QueryPtr tree = TRY(parse_query(*computed));
      const auto* selected = std::get_if<SelectValue>(&tree->selection);
      Lowering lowering(asked_, target_);
      lowering.is_computing_ = true;
      lowering.bind_row(tree->from.empty() ? "" : name_of(tree->from.front()).value_or(""));
      ExprPtr value = TRY(lowering.scalar(selected->value));
      return walk(std::move(value), {steps.begin() + 1, steps.end()});
    }
  }
  return expr::field({Part::body, Path{steps}});
}

}  // namespace mayfly::cosmos::sql
