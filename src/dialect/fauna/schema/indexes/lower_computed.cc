#include "dialect/fauna/schema/indexes/lower_computed.h"

#include <algorithm>
#include <optional>

#include "dialect/fauna/library/method.h"
#include "dialect/fauna/schema/indexes/comparison_functions.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

enum class ResultKind : std::uint8_t { nothing, boolean, number, text, various };

// A lowered expression; its value is missing where FQL fails.
struct Lowered {
  ExprPtr expression;
  ResultKind kind = ResultKind::various;
  bool may_be_null = false;
  bool may_fail = false;

  bool is_number() const { return kind == ResultKind::number && !may_be_null; }
  bool is_text() const { return kind == ResultKind::text && !may_be_null; }
  bool is_condition() const { return kind == ResultKind::boolean && !may_be_null && !may_fail; }
};

struct CalculationRow {
  BinaryOperator op;
  std::string_view name;
};
constexpr CalculationRow calculations[] = {
    {BinaryOperator::add, "add"},
    {BinaryOperator::subtract, "subtract"},
    {BinaryOperator::multiply, "multiply"},
};

// Methods of texts that the core has as well. If arrays have the method too, the receiver must be
// known to be a text.
struct TextMethod {
  std::string_view name;
  std::string_view function;
  std::size_t arguments;  // texts
  ResultKind kind;
  bool needs_text;
};
constexpr TextMethod text_methods[] = {
    {"toLowerCase", "lower", 0, ResultKind::text, false},
    {"toUpperCase", "upper", 0, ResultKind::text, false},
    {"startsWith", "starts_with", 1, ResultKind::boolean, false},
    {"endsWith", "ends_with", 1, ResultKind::boolean, false},
    {"includes", "contains", 1, ResultKind::boolean, true},
};

class ComputedLowering {
 public:
  explicit ComputedLowering(const std::function<bool(std::string_view)>& is_computed)
      : is_computed_(is_computed) {}

  const Expression* culprit() const { return culprit_; }

  std::optional<Lowered> lower(const Expression& e) {
    auto lowered = lower_node(e);
    if (!lowered && culprit_ == nullptr) culprit_ = &e;
    return lowered;
  }

 private:
  std::optional<Lowered> lower_node(const Expression& e) {
    if (const auto* literal = e.as<Literal>()) return of(*literal);
    if (const auto* block = e.as<Block>()) return of(*block);
    if (const auto* choice = e.as<If>()) return of(*choice);
    if (const auto* chain = e.as<Chain>()) return of(*chain);
    if (const auto* text = e.as<TextTemplate>()) return of(*text);
    if (const auto* operations = e.as<Operations>()) return of(*operations);
    const auto* unary = e.as<Unary>();
    if (unary == nullptr || unary->op != UnaryOperator::logical_not) return std::nullopt;
    auto operand = lower(*unary->operand);
    if (!operand || !operand->is_condition()) return std::nullopt;
    return Lowered{expr::negation(operand->expression), ResultKind::boolean};
  }

  static std::optional<Lowered> of(const Literal& literal) {
    return std::visit(
        [](const auto& value) -> std::optional<Lowered> {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, std::monostate>) {
            return Lowered{expr::literal(mayfly::Value(nullptr)), ResultKind::nothing, true};
          } else if constexpr (std::is_same_v<T, bool>) {
            return Lowered{expr::literal(mayfly::Value(value)), ResultKind::boolean};
          } else if constexpr (std::is_same_v<T, std::string>) {
            return Lowered{expr::literal(mayfly::Value(value)), ResultKind::text};
          } else if constexpr (std::is_same_v<T, double>) {
            return Lowered{expr::literal(mayfly::Value(value)), ResultKind::number};
          } else {
            const auto whole = static_cast<std::int64_t>(value);
            return Lowered{expr::literal(mayfly::Value(whole)), ResultKind::number};
          }
        },
        literal.value);
  }

  // A single expression in parentheses or braces.
  std::optional<Lowered> of(const Block& block) {
    const bool is_single = block.statements.size() == 1;
    const auto* only = is_single ? std::get_if<ExpressionPtr>(&block.statements[0]) : nullptr;
    return only == nullptr ? std::nullopt : lower(**only);
  }

  std::optional<Lowered> of(const If& choice) {
    const auto condition = lower(*choice.condition);
    if (!condition || !condition->is_condition()) return std::nullopt;
    const auto yes = lower(*choice.yes);
    const auto no = choice.no ? lower(*choice.no) : of(Literal{});
    if (!yes || !no) return std::nullopt;
    return Lowered{expr::call("when", {condition->expression, yes->expression, no->expression}),
                   yes->kind == no->kind ? yes->kind : ResultKind::various,
                   yes->may_be_null || no->may_be_null, yes->may_fail || no->may_fail};
  }

  // `x.a` with the parameter `x`: the stored field of the document.
  std::optional<Field> own_field(const Chain& chain, std::size_t steps) const {
    const auto* variable = chain.receiver->as<Variable>();
    if (variable == nullptr || variable->slot != 0U || chain.steps.size() < steps) {
      return std::nullopt;
    }
    const auto* step = steps == 0 ? nullptr : std::get_if<FieldStep>(&chain.steps[0].what);
    if (step == nullptr || chain.steps[0].is_optional) return std::nullopt;
    constexpr std::string_view metadata[] = {"id", "coll", "ts", "ttl", "data"};
    const bool is_other =
        std::find(std::begin(metadata), std::end(metadata), step->name) != std::end(metadata) ||
        find_method("Document", step->name) != nullptr || is_computed_(step->name);
    return is_other ? std::nullopt : std::optional(Field::body(step->name));
  }
  std::optional<Field> own_field(const Expression& e) const {
    const auto* chain = e.as<Chain>();
    return chain != nullptr && chain->steps.size() == 1 ? own_field(*chain, 1) : std::nullopt;
  }

  // A field or a text, followed by methods of texts.
  std::optional<Lowered> of(const Chain& chain) {
    std::optional<Lowered> value;
    std::size_t next = 0;
    if (const auto field = own_field(chain, 2)) {
      value = of_field(*field);
      next = 1;
    } else {
      const auto* variable = chain.receiver->as<Variable>();
      if (variable == nullptr || variable->slot != 0U) value = lower(*chain.receiver);
    }
    bool may_skip = false;  // an optional step on null skips the following steps
    for (; value && next < chain.steps.size(); ++next) {
      may_skip = may_skip || (chain.steps[next].is_optional && value->may_be_null);
      value = of(chain.steps[next], *value);
      if (value) value->may_be_null = may_skip;
    }
    return value;
  }

  std::optional<Lowered> of(const Step& step, const Lowered& self) {
    if (const auto* field = std::get_if<FieldStep>(&step.what)) {
      if (field->name != "length" || self.kind != ResultKind::text) return std::nullopt;
      return after(self, expr::call("length", {self.expression}), ResultKind::number);
    }
    const auto* call = std::get_if<MethodStep>(&step.what);
    if (call == nullptr || call->is_call_optional) return std::nullopt;
    for (const TextMethod& method : text_methods) {
      if (method.name != call->name || method.arguments != call->arguments.size()) continue;
      if (self.kind != ResultKind::text && (method.needs_text || self.kind != ResultKind::various))
        break;
      ExprList operands{self.expression};
      for (const ExpressionPtr& argument : call->arguments) {
        const auto* literal = argument->as<Literal>();
        const auto lowered = literal == nullptr ? std::nullopt : of(*literal);
        if (!lowered || !lowered->is_text()) return std::nullopt;
        operands.push_back(lowered->expression);
      }
      return after(self, expr::call(method.function, std::move(operands)), method.kind);
    }
    return std::nullopt;
  }

  static Lowered after(const Lowered& self, ExprPtr made, ResultKind kind) {
    const bool may_be_non_text = self.may_be_null || self.kind != ResultKind::text;
    return {std::move(made), kind, false, self.may_fail || may_be_non_text};
  }

  // Numbers and other values would have to be rendered.
  std::optional<Lowered> of(const TextTemplate& text) {
    Lowered made{nullptr, ResultKind::text};
    ExprList parts;
    for (const auto& part : text.parts) {
      if (const auto* plain = std::get_if<std::string>(&part)) {
        parts.push_back(expr::literal(mayfly::Value(*plain)));
        continue;
      }
      const auto value = lower(*std::get<ExpressionPtr>(part));
      if (!value || !value->is_text()) return std::nullopt;
      made.may_fail = made.may_fail || value->may_fail;
      parts.push_back(value->expression);
    }
    made.expression = expr::call("concat", std::move(parts));
    return made;
  }

  std::optional<Lowered> of(const Operations& operations) {
    const BinaryOperator op = operations.rest.front().op;
    if (op == BinaryOperator::logical_and || op == BinaryOperator::logical_or) {
      return logical(operations, op);
    }
    if (op == BinaryOperator::add) return sum(operations);
    if (op == BinaryOperator::subtract || op == BinaryOperator::multiply) {
      return calculation(operations);
    }
    if (operations.rest.size() != 1) return std::nullopt;
    return comparison(*operations.first, op, *operations.rest[0].operand);
  }

  std::optional<Lowered> logical(const Operations& operations, BinaryOperator op) {
    ExprList operands;
    const auto add = [&](const Expression& e) {
      const auto operand = lower(e);
      if (!operand || !operand->is_condition()) return false;
      operands.push_back(operand->expression);
      return true;
    };
    if (!add(*operations.first)) return std::nullopt;
    for (const Operation& operation : operations.rest) {
      if (operation.op != op || !add(*operation.operand)) return std::nullopt;
    }
    return Lowered{op == BinaryOperator::logical_and ? expr::all_of(std::move(operands))
                                                     : expr::any_of(std::move(operands)),
                   ResultKind::boolean};
  }

  // A sum of texts or of numbers. In a sum of texts only the first operand may be a field, because
  // FQL can add any value to a text.
  std::optional<Lowered> sum(const Operations& operations) {
    const auto field = own_field(*operations.first);
    const auto first = field ? of_field(*field) : lower(*operations.first);
    if (first && first->is_number()) return calculation(operations);
    const bool may_be_text =
        first && (first->kind == ResultKind::text || first->kind == ResultKind::various);
    if (!may_be_text) return std::nullopt;
    Lowered made{nullptr, ResultKind::text, false, first->may_fail || !first->is_text()};
    ExprList parts{first->expression};
    for (const Operation& operation : operations.rest) {
      if (operation.op != BinaryOperator::add) return std::nullopt;
      const auto part = lower(*operation.operand);
      if (!part || !part->is_text()) return std::nullopt;
      made.may_fail = made.may_fail || part->may_fail;
      parts.push_back(part->expression);
    }
    made.expression = expr::call("concat", std::move(parts));
    return made;
  }

  // A calculation with numbers. Fields may be operands, because other values than numbers fail.
  // They may not be operands of `+`, which also adds texts.
  std::optional<Lowered> calculation(const Operations& operations) {
    const auto operand = [&](const Expression& e, bool is_added) -> std::optional<Lowered> {
      const auto field = is_added ? std::nullopt : own_field(e);
      auto lowered = field ? of_field(*field) : lower(e);
      return field || (lowered && lowered->is_number()) ? lowered : std::nullopt;
    };
    const bool begins_with_sum = operations.rest.front().op == BinaryOperator::add;
    auto made = operand(*operations.first, begins_with_sum);
    for (const Operation& operation : operations.rest) {
      const auto* const row = std::ranges::find(calculations, operation.op, &CalculationRow::op);
      const auto right = operand(*operation.operand, operation.op == BinaryOperator::add);
      if (row == std::end(calculations) || !made || !right) return std::nullopt;
      made = Lowered{expr::call(row->name, {made->expression, right->expression}),
                     ResultKind::number, false, true};
    }
    return made;
  }

  // A comparison of an own field, or of an expression of own fields, with a literal. Comparisons
  // with null are not lowered, because a field may refer to a document that is missing.
  std::optional<Lowered> comparison(const Expression& left, BinaryOperator op,
                                    const Expression& right) {
    const CoreComparison* const row = find_core_comparison(op);
    if (row == nullptr) return std::nullopt;
    const bool is_left = left.as<Literal>() == nullptr;
    const Expression& compared = is_left ? left : right;
    const auto* literal = (is_left ? right : left).as<Literal>();
    if (literal == nullptr) return std::nullopt;
    const Lowered value = *of(*literal);
    // FQL orders texts by UTF-16 code units, the core by code points.
    const bool is_equality = row->name == "equal";
    if (value.kind == ResultKind::nothing || (value.kind == ResultKind::text && !is_equality)) {
      return std::nullopt;
    }
    const auto field = own_field(compared);
    const auto made = field ? of_field(*field) : lower(compared);
    if (!made || (!field && (made->may_be_null || made->kind != value.kind))) {
      return std::nullopt;
    }
    ExprPtr compared_value = field ? with_ids(*field, value.kind) : made->expression;
    const std::string_view name = is_left ? row->name : row->exchanged;
    ExprPtr result = expr::call(name, {compared_value, value.expression});
    // In FQL, NaN is not less than any number; in the core it is less than all. abs(NaN) is NaN.
    if (value.kind == ResultKind::number && name.starts_with("less")) {
      result = expr::all_of(
          {expr::call("greater_or_equal", {expr::call("abs", {std::move(compared_value)}),
                                           expr::literal(mayfly::Value(0))}),
           std::move(result)});
    }
    // A value of another kind than the literal is neither equal, nor less, nor greater.
    if (field) result = expr::if_missing(result, expr::literal(mayfly::Value(false)));
    if (op == BinaryOperator::not_equal) result = expr::negation(std::move(result));
    return Lowered{std::move(result), ResultKind::boolean, false, !field && made->may_fail};
  }

  // The field; an id in it is converted to the number or text that it is compared with.
  static ExprPtr with_ids(const Field& field, ResultKind compared) {
    if (compared == ResultKind::boolean) return expr::field(field);
    return expr::if_missing(
        expr::call(compared == ResultKind::number ? "referred_number" : "referred_id",
                   {expr::field(field), expr::literal(mayfly::Value(stored_id))}),
        expr::field(field));
  }

  static Lowered of_field(const Field& field) {
    return {expr::field(field), ResultKind::various, true, true};
  }

  const std::function<bool(std::string_view)>& is_computed_;
  const Expression* culprit_ = nullptr;
};

}  // namespace

LoweredField lower_computed(const Program& body,
                            const std::function<bool(std::string_view)>& is_computed) {
  const auto* const lambda = body.root->as<Lambda>();
  if (lambda == nullptr || lambda->is_variadic || lambda->parameters.size() != 1) {
    return {{}, std::string(text_of(body.root->span))};
  }
  ComputedLowering lowering(is_computed);
  if (const auto lowered = lowering.lower(*lambda->body)) {
    if (auto stored = StoredExpression::of(lowered->expression)) return {*std::move(stored), {}};
  }
  const Expression* const culprit = lowering.culprit();
  return {{}, std::string(text_of((culprit == nullptr ? *lambda->body : *culprit).span))};
}

void lower_terms(CollectionDefinition& definition) {
  const auto is_computed = [&](std::string_view name) {
    return definition.find_computed(name) != nullptr;
  };
  const auto lower = [&](std::vector<Term>& terms) {
    for (Term& term : terms) {
      const auto* name = std::get_if<std::string>(&term.path.steps.front());
      const auto* field = name == nullptr ? nullptr : definition.find_computed(*name);
      const bool is_whole = term.path.steps.size() == 1 && !term.is_each;
      if (field == nullptr || !is_whole || field->code.program == nullptr) continue;
      term.computed = lower_computed(*field->code.program, is_computed).computed;
    }
  };
  for (IndexDefinition& index : definition.indexes) {
    lower(index.terms);
    lower(index.values);
  }
  for (UniqueDefinition& unique : definition.uniques) lower(unique.terms);
}

}  // namespace mayfly::fauna
