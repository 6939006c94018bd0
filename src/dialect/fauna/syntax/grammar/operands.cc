// The parser's rules for operands: primaries with their steps.
#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna {

Result<Rules::Part> Rules::operand() {
  const bool may_be_signed = at(minus) || at(plus);
  if (const Token next = may_be_signed ? peek() : Token{};
      (next.kind == number || next.kind == broken_number) && !next.follows_new_line) {
    Part first = TRY(primary());
    return chain(std::move(first));
  }
  if (at(minus) || at(tilde) || at(bang) || at(matches_not)) return unary();
  Part first = TRY(primary());
  return chain(std::move(first));
}

// Before an operand, `!~a` is `!` and `~a`.
Result<Rules::Part> Rules::unary() {
  const Level level(*this);
  TRY(level.check());
  const std::uint32_t begin = token().begin;
  const UnaryOperator op = at(minus)   ? UnaryOperator::negate
                           : at(tilde) ? UnaryOperator::bitwise_not
                                       : UnaryOperator::logical_not;
  go_to(begin + 1);
  if (token().follows_new_line) return expected("expression");
  Part of = TRY(operand());
  Unary whole{op, std::move(of.tree)};
  return part_of(make(std::move(whole), since(begin)), of.names_hidden);
}

Result<Rules::Part> Rules::primary() {
  switch (token().kind) {
    case TokenKind::value: {
      const Token mark = take();
      Variable variable{value_name(lexer_.value_at(mark.begin))};
      return part_of(make(std::move(variable), span_of(mark)));
    }
    case name: return part_of(word());
    case quote:
    case double_quote: return part_of(text_literal());
    case heredoc:
    case interpolated_heredoc: return part_of(heredoc_literal());
    case open_brace: return part_of(is_at_object() ? object() : block());
    case open_square: return part_of(array());
    case open_round: return part_of(round_brackets());
    case dot: return short_chain();
    default: break;
  }
  const std::uint32_t begin = token().begin;
  const auto read = TRY(signed_number());
  if (!read) return expected("expression");
  Literal literal;
  std::visit([&](auto of) { literal.value = of; }, *read);
  return part_of(make(std::move(literal), since(begin)));
}

// A number with an optional sign on the same line.
Result<std::optional<Number>> Rules::signed_number() {
  const bool is_negative = at(minus);
  if (is_negative || at(plus)) {
    const Token next = peek();
    if (next.kind != number && next.kind != broken_number) return std::nullopt;
    take();
  }
  if (at(broken_number)) {
    go_to(token().end);
    const std::uint32_t missing = last_end_;
    return refuse(error_at(span(missing, missing + 1), "Expected digit"));
  }
  if (!at(number)) return std::nullopt;
  return number_of(text(take()), is_negative);
}

// A name, or a literal in the form of a name.
Result<ExpressionPtr> Rules::word() {
  const Token read = token();
  const std::string_view spelled = text(read);
  Expression::Node node = Variable{std::string(spelled)};
  if (spelled == "null") {
    node = Literal{};
  } else if (spelled == "true" || spelled == "false") {
    node = Literal{spelled == "true"};
  } else if (is_keyword(spelled)) {
    return refuse_keyword(read);
  }
  take();
  return make(std::move(node), span_of(read));
}

// `.a`, `.(a)`, `.[a]`: the receiver is the hidden parameter.
Result<Rules::Part> Rules::short_chain() {
  const std::uint32_t begin = token().begin;
  const TokenKind next = peek().kind;
  Part receiver =
      TRY(part_of(make(Variable{std::string(hidden_parameter)}, span(begin, begin)), true));
  if (next != open_round && next != open_square) return chain(std::move(receiver));
  go_to(begin + 1);
  // A new line is allowed between the dot and the bracket.
  token_.follows_new_line = false;
  return chain(std::move(receiver));
}

Result<Rules::Part> Rules::chain(Part receiver) {
  const std::uint32_t begin = receiver.tree->span.begin;
  std::vector<Step> steps;
  while (TRY(chain_step(steps))) {
  }
  if (steps.empty()) return receiver;
  Chain whole{std::move(receiver.tree), std::move(steps)};
  return part_of(make(std::move(whole), since(begin)), receiver.names_hidden);
}

// Parses one step; false if there is none.
Result<bool> Rules::chain_step(std::vector<Step>& steps) {
  const std::uint32_t begin = token().begin;
  Step step;
  if (take_if(dot)) {
    step = TRY(named_step(begin));
  } else if (take_if(question_dot)) {
    step = TRY(optional_step(begin));
  } else if (at_on_same_line(open_round)) {
    auto list = TRY(arguments(close_round, "`)`"));
    step.what = CallStep{std::move(list)};
    step.span = since(begin);
  } else if (at_on_same_line(open_square)) {
    auto list = TRY(arguments(close_square, "`]`"));
    step.what = IndexStep{std::move(list)};
    step.span = since(begin);
  } else if (at_on_same_line(bang)) {
    step = {BangStep{}, span_of(take())};
  } else {
    return false;
  }
  steps.push_back(std::move(step));
  return true;
}

Result<Step> Rules::optional_step(std::uint32_t begin) {
  Step step;
  const std::uint32_t bracket = token().begin;
  if (at(open_round)) {
    auto list = TRY(arguments(close_round, "`)`"));
    step.what = CallStep{std::move(list)};
    step.span = since(bracket);
  } else if (at(open_square)) {
    auto list = TRY(arguments(close_square, "`]`"));
    step.what = IndexStep{std::move(list)};
    step.span = since(bracket);
  } else if (at(name)) {
    step = TRY(named_step(begin));
  } else {
    return expected("`(`, `[`, or identifier");
  }
  step.is_optional = true;
  return step;
}

// A field, or a method if parentheses follow.
Result<Step> Rules::named_step(std::uint32_t begin) {
  const Token field = TRY(expect_name());
  const bool is_call_optional = at(question_dot) && peek().kind == open_round;
  if (is_call_optional) take();
  if (!is_call_optional && !at_on_same_line(open_round)) {
    return Step{FieldStep{std::string(text(field)), span_of(field)}, since(begin)};
  }
  const std::uint32_t bracket = token().begin;
  MethodStep method{std::string(text(field)), span_of(field)};
  method.arguments = TRY(arguments(close_round, "`)`"));
  method.is_call_optional = is_call_optional;
  return Step{std::move(method), since(bracket)};
}

// From one bracket to the other; `mark` is the spelling of the closing one.
Result<ExpressionList> Rules::arguments(TokenKind close, std::string_view mark) {
  take();
  ExpressionList list;
  while (!at(close)) {
    if (at(comma) || at(end)) return expected(std::string(mark) + " or expression");
    list.push_back(TRY(expression(ShortLambda::taken)));
    if (!take_if(comma)) break;
  }
  if (!at(close)) {
    const bool is_round = close == close_round;
    return expected(is_round ? "`)` or `,`" : "`,` or `]`");
  }
  take();
  return list;
}

Result<ExpressionPtr> Rules::array() {
  const std::uint32_t begin = take().begin;
  ArrayOf whole;
  while (!at(close_square)) {
    whole.items.push_back(TRY(expression()));
    if (!take_if(comma)) break;
  }
  TRY(expect(close_square, "`,` or `]`"));
  return make(std::move(whole), since(begin));
}

// A single expression in parentheses is itself; several are an array.
Result<ExpressionPtr> Rules::round_brackets() {
  const std::uint32_t begin = take().begin;
  ArrayOf whole;
  while (!at(close_round)) {
    whole.items.push_back(TRY(expression(ShortLambda::taken)));
    if (!take_if(comma)) break;
  }
  TRY(expect(close_round, "`)`, `,`, or `...`"));
  if (whole.items.empty()) return expected("`=>`");
  if (whole.items.size() > 1) return make(std::move(whole), since(begin));
  ExpressionPtr only = std::move(whole.items.front());
  only->span = since(begin);
  only->is_in_brackets = true;
  return only;
}

}  // namespace mayfly::fauna
