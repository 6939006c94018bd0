// The parser's rules for expressions: if, at, lambdas, operators, projections. Operators that wait
// for their right operand are on an explicit stack, not on the thread's.
#include <algorithm>
#include <array>

#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna {

struct Rules::BinaryRow {
  TokenKind token;  // `isa` is a word
  int rank;         // precedence: higher binds tighter
  BinaryOperator op;
  // Whether it may start a line.
  bool follows_new_line = false;
};

// An operator whose right operand is being read.
struct Rules::PendingOperator {
  Part left;
  const BinaryRow* row;
  Span op_span;

  bool takes_before(const BinaryRow* next) const;
};

namespace {

constexpr int rank_power = 12;

constexpr int rank_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::coalesce: return 1;
    case BinaryOperator::logical_or: return 2;
    case BinaryOperator::logical_and: return 3;
    case BinaryOperator::equal:
    case BinaryOperator::not_equal:
    case BinaryOperator::matches:
    case BinaryOperator::matches_not: return 4;
    case BinaryOperator::greater:
    case BinaryOperator::less:
    case BinaryOperator::greater_equal:
    case BinaryOperator::less_equal: return 5;
    case BinaryOperator::isa: return 6;
    case BinaryOperator::bitwise_or: return 7;
    case BinaryOperator::bitwise_xor: return 8;
    case BinaryOperator::bitwise_and: return 9;
    case BinaryOperator::add:
    case BinaryOperator::subtract: return 10;
    case BinaryOperator::multiply:
    case BinaryOperator::divide:
    case BinaryOperator::remainder: return 11;
    case BinaryOperator::power: return rank_power;
  }
  return 0;
}

}  // namespace

const Rules::BinaryRow* Rules::binary_here() const {
  constexpr auto row = [](TokenKind kind, BinaryOperator op, bool follows_new_line = false) {
    return BinaryRow{kind, rank_of(op), op, follows_new_line};
  };
  static constexpr std::array rows{
      row(coalesce, BinaryOperator::coalesce, true),
      row(logical_or, BinaryOperator::logical_or, true),
      row(logical_and, BinaryOperator::logical_and, true),
      row(equal, BinaryOperator::equal),
      row(not_equal, BinaryOperator::not_equal),
      row(matches, BinaryOperator::matches),
      row(matches_not, BinaryOperator::matches_not),
      row(greater, BinaryOperator::greater),
      row(less, BinaryOperator::less),
      row(greater_equal, BinaryOperator::greater_equal),
      row(less_equal, BinaryOperator::less_equal),
      row(bar, BinaryOperator::bitwise_or, true),
      row(caret, BinaryOperator::bitwise_xor, true),
      row(ampersand, BinaryOperator::bitwise_and, true),
      row(plus, BinaryOperator::add),
      row(minus, BinaryOperator::subtract),
      row(star, BinaryOperator::multiply),
      row(slash, BinaryOperator::divide),
      row(percent, BinaryOperator::remainder),
      row(power, BinaryOperator::power),
  };
  static constexpr BinaryRow isa = row(name, BinaryOperator::isa);
  if (at_word("isa")) return token().follows_new_line ? nullptr : &isa;
  const auto fits = [this](const BinaryRow& candidate) { return at(candidate.token); };
  const auto* const found = std::find_if(rows.begin(), rows.end(), fits);
  if (found == rows.end()) return nullptr;
  return token().follows_new_line && !found->follows_new_line ? nullptr : found;
}

Result<ExpressionPtr> Rules::expression(ShortLambda rule) {
  Part read = TRY(part());
  return close(std::move(read), rule);
}

Result<Rules::Part> Rules::part_of(Result<ExpressionPtr> tree, bool names_hidden) {
  ExpressionPtr taken = TRY(std::move(tree));
  return Part{std::move(taken), names_hidden};
}

Result<ExpressionPtr> Rules::close(Part part, ShortLambda rule) {
  if (!part.names_hidden) return std::move(part.tree);
  const Span whole = part.tree->span;
  if (rule == ShortLambda::refused) {
    Diagnostic refused = error_at(whole, "Invalid anonymous field access");
    refused.hints.push_back({"Put it in parentheses, or write a lambda: `x => x.field`", whole});
    report(std::move(refused));
  }
  return hidden_lambda(std::move(part.tree), whole);
}

Result<ExpressionPtr> Rules::hidden_lambda(ExpressionPtr body, Span span) {
  Lambda lambda{Lambda::Form::hidden};
  lambda.parameters.push_back({std::string(hidden_parameter), {span.begin, span.begin, source_}});
  lambda.body = std::move(body);
  return make(std::move(lambda), span);
}

Result<Rules::Part> Rules::part() {
  const Level level(*this);
  TRY(level.check());
  if (at_word("if")) return part_of(if_expression());
  if (at_word("at")) return part_of(at_expression());
  if (at_word("match")) return refuse(error_at(span_of(token()), "match expr not supported"));
  if (is_at_lambda()) return part_of(lambda());
  Part left = TRY(operand());
  Part whole = TRY(operations(std::move(left)));
  if (at_on_same_line(open_brace)) return projection(std::move(whole));
  return whole;
}

Result<ExpressionPtr> Rules::if_expression() {
  const std::uint32_t begin = take().begin;
  If whole;
  TRY(expect(open_round, "`(`"));
  whole.condition = TRY(expression());
  TRY(expect(close_round, "`)`"));
  whole.yes = TRY(expression());
  if (at_word("else")) {
    take();
    whole.no = TRY(expression());
  }
  return make(std::move(whole), since(begin));
}

Result<ExpressionPtr> Rules::at_expression() {
  const std::uint32_t begin = take().begin;
  At whole;
  TRY(expect(open_round, "`(`"));
  whole.time = TRY(expression());
  TRY(expect(close_round, "`)`"));
  whole.body = TRY(expression());
  return make(std::move(whole), since(begin));
}

// --- lambdas ---

// Whether it is `name =>`, or names in parentheses and `=>`, with the arrow on the same line.
bool Rules::is_at_lambda() const {
  const auto is_beside = [](const Token& next, TokenKind kind) {
    return next.kind == kind && !next.follows_new_line;
  };
  if (at(name)) return is_beside(peek(), lambda_arrow);
  if (!at(open_round)) return false;
  Token next = peek();
  while (next.kind == name || next.kind == ellipsis) {
    if (next.kind == ellipsis) next = lexer_.read(next.end);
    if (next.kind != name) return false;
    next = lexer_.read(next.end);
    if (next.kind == comma) next = lexer_.read(next.end);
  }
  return next.kind == close_round && is_beside(lexer_.read(next.end), lambda_arrow);
}

Result<ExpressionPtr> Rules::lambda() {
  const std::uint32_t begin = token().begin;
  Lambda whole;
  if (take_if(open_round)) {
    TRY(lambda_parameters(whole));
    TRY(expect(close_round, "`)`"));
  } else {
    const Token only = TRY(expect_identifier());
    whole.parameters.push_back({std::string(text(only)), span_of(only)});
  }
  TRY(expect(lambda_arrow, "`=>`"));
  report_repeated(whole.parameters);
  for (Parameter& parameter : whole.parameters) {
    if (parameter.name == "_") parameter.name.clear();
  }
  whole.body = TRY(expression());
  return make(std::move(whole), since(begin));
}

Result<void> Rules::lambda_parameters(Lambda& lambda) {
  while (!at(close_round)) {
    lambda.is_variadic = take_if(ellipsis);
    const Token parameter = TRY(expect_identifier());
    lambda.parameters.push_back({std::string(text(parameter)), span_of(parameter)});
    if (lambda.is_variadic) return {};
    if (!at(close_round)) TRY(expect(comma, "`)` or `,`"));
  }
  return {};
}

void Rules::report_repeated(const std::vector<Parameter>& parameters) {
  std::map<std::string_view, Span> seen;
  for (const Parameter& parameter : parameters) {
    if (parameter.name == "_") continue;
    const auto [first, is_new] = seen.emplace(parameter.name, parameter.span);
    if (is_new) continue;
    Diagnostic repeated = error_at(parameter.span, "Duplicate lambda argument");
    repeated.hints.push_back({"Argument originally defined here", first->second});
    report(std::move(repeated));
  }
}

// --- operators ---

// Whether it takes the operand between it and the next operator, if any.
bool Rules::PendingOperator::takes_before(const BinaryRow* next) const {
  if (next == nullptr || row->rank > next->rank) return true;
  return row->rank == next->rank && row->rank != rank_power;
}

Result<Rules::Part> Rules::operations(Part first) {
  std::vector<PendingOperator> waiting;
  for (Part right = std::move(first);;) {
    const BinaryRow* const next = binary_here();
    for (; !waiting.empty() && waiting.back().takes_before(next); waiting.pop_back()) {
      right = TRY(operate(std::move(waiting.back()), std::move(right)));
    }
    if (next == nullptr) return right;
    const Span op_span = span_of(take());
    waiting.push_back({std::move(right), next, op_span});
    right = TRY(operand());
  }
}

// A short lambda in parentheses as an operand is no lambda of its own: the whole operation is one.
void Rules::open_brackets(Part& operand) {
  auto* const lambda = std::get_if<Lambda>(&operand.tree->node);
  if (lambda == nullptr || lambda->form != Lambda::Form::hidden) return;
  ExpressionPtr body = std::move(lambda->body);
  body->span = operand.tree->span;
  body->is_in_brackets = true;
  operand = {std::move(body), true};
}

Result<Rules::Part> Rules::operate(PendingOperator waiting, Part right) {
  auto& [left, row, op_span] = waiting;
  open_brackets(left);
  open_brackets(right);
  const bool names_hidden = left.names_hidden || right.names_hidden;
  const Span whole = joined(left.tree->span, right.tree->span);
  auto* const chain = std::get_if<Operations>(&left.tree->node);
  const bool goes_on = chain != nullptr && !left.tree->is_in_brackets && row->rank != rank_power &&
                       rank_of(chain->rest.front().op) == row->rank;
  if (!goes_on) {
    Operations operations{std::move(left.tree)};
    operations.rest.push_back({row->op, op_span, std::move(right.tree)});
    return part_of(make(std::move(operations), whole), names_hidden);
  }
  const std::uint32_t height = std::max(left.tree->height, right.tree->height + 1);
  chain->rest.push_back({row->op, op_span, std::move(right.tree)});
  left.tree->span = whole;
  left.tree->height = height;
  return Part{std::move(left.tree), names_hidden};
}

// --- projections ---

Result<Rules::Part> Rules::projection(Part of) {
  const Level level(*this);
  TRY(level.check());
  const std::uint32_t begin = of.tree->span.begin;
  ExpressionPtr element = TRY(projected_element());
  Projection whole{std::move(of.tree), std::move(element)};
  return part_of(make(std::move(whole), since(begin)), of.names_hidden);
}

Result<ExpressionPtr> Rules::projected_element() {
  const std::uint32_t begin = take().begin;
  if (at(star)) return refuse(error_at(span_of(token()), "project expr not supported"));
  if (!at(name)) return expected("`*` or identifier");
  ObjectOf fields;
  while (at(name)) {
    fields.fields.push_back(TRY(projected_field()));
    const bool is_separated = take_if(comma) || take_if(semicolon) || token().follows_new_line;
    if (!is_separated) break;
  }
  TRY(expect(close_brace, "`,` or `}`"));
  ExpressionPtr body = TRY(make(std::move(fields), since(begin)));
  const Span whole = body->span;
  return hidden_lambda(std::move(body), whole);
}

Result<ObjectField> Rules::projected_field() {
  const Token field = TRY(expect_identifier());
  ObjectField whole{std::string(text(field)), span_of(field)};
  if (at_on_same_line(colon)) {
    take();
    Part read = TRY(part());
    whole.value = std::move(read.tree);
    return whole;
  }
  const Span before = span(field.begin, field.begin);
  Chain access;
  access.receiver = TRY(make(Variable{std::string(hidden_parameter)}, before));
  access.steps.push_back({FieldStep{whole.name, whole.name_span}, whole.name_span});
  Part read = TRY(part_of(make(std::move(access), whole.name_span), true));
  if (at_on_same_line(open_brace)) read = TRY(projection(std::move(read)));
  whole.value = std::move(read.tree);
  return whole;
}

}  // namespace mayfly::fauna
