// The parser's rules of operands.
#include <cmath>
#include <limits>

#include "dialect/cosmos/sql/parser/rules.h"

namespace mayfly::cosmos::sql {
namespace {

using enum TokenKind;

constexpr std::string_view infinity_text = "Infinity";

std::optional<Value> number_named(std::string_view name) {
  if (name == infinity_text) return std::numeric_limits<double>::infinity();
  if (name == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

// The least whole number is the only one whose digits without the sign are out of range.
bool is_beyond_by_one(std::string_view digits) {
  return digits == "9223372036854775808";
}

Value negative(const Value& number) {
  const bool is_whole = number.is(Kind::integer) && number.integer() != 0;
  return is_whole ? Value(-number.integer()) : Value(-number.number());
}

}  // namespace

Result<ScalarPtr> Rules::operand() {
  return steps(TRY(primary()));
}

Result<ScalarPtr> Rules::steps(ScalarPtr of) {
  while (at(dot) || at(open_square)) of = TRY(step(std::move(of)));
  return of;
}

Result<ScalarPtr> Rules::step(ScalarPtr of) {
  const std::uint32_t start = of->range.start;
  if (at(dot)) {
    const Token point = take();
    // A keyword after a space begins the next clause: SELECT c. FROM c
    if (!at_name() && peek().range.start != point.range.end) return tl::unexpected(unexpected());
    std::string name = TRY(expect_word());
    return make(Member{std::move(of), std::move(name)}, since(start));
  }
  take();
  ScalarPtr index = TRY(scalar());
  TRY(expect(close_square));
  return make(Index{std::move(of), std::move(index)}, since(start));
}

Result<ScalarPtr> Rules::primary() {
  switch (peek().kind) {
    case number:
    case minus: return numeral();
    case TokenKind::text: {
      const TextRange range = peek().range;
      auto text = TRY(expect_text());
      return make(Literal{std::move(text)}, range);
    }
    case word_true: return constant(true);
    case word_false: return constant(false);
    case word_null: return constant(nullptr);
    case word_undefined: return constant(Missing{});
    case parameter: {
      const Token token = take();
      return make(Parameter{std::string(raw(token))}, token.range);
    }
    case order_by_filter: return make(OrderByFilter{}, take().range);
    case open_square: return array();
    case open_brace: return object();
    case open_round: {
      if (peek(1).kind == word_select) return subquery(SubqueryKind::scalar);
      take();
      ScalarPtr inner = TRY(scalar());
      TRY(expect(close_round));
      return inner;
    }
    default: return named();
  }
}

bool Rules::at_negative_number() const {
  const Token& next = peek(1);
  const bool is_number = next.kind == number || raw(next) == infinity_text;
  return at(minus) && is_number && peek().range.end == next.range.start;
}

Result<ScalarPtr> Rules::numeral() {
  if (at(minus) && !at_negative_number()) return tl::unexpected(unexpected());
  const std::uint32_t start = peek().range.start;
  const bool is_negative = take_if(minus);
  const std::string_view digits = raw(take());
  const std::optional<Value> named = number_named(digits);
  if (is_negative && is_beyond_by_one(digits)) {
    return make(Literal{std::numeric_limits<std::int64_t>::min()}, since(start));
  }
  const Value value = named ? *named : read_number_token(digits);
  return make(Literal{is_negative ? negative(value) : value}, since(start));
}

Result<ScalarPtr> Rules::constant(Value value) {
  return make(Literal{std::move(value)}, take().range);
}

// Operands that begin with a word.
Result<ScalarPtr> Rules::named() {
  const TokenKind kind = peek().kind;
  const bool opens = peek(1).kind == open_round;
  const bool opens_query = opens && peek(2).kind == word_select;
  if (kind == word_exists) return subquery(SubqueryKind::exists);
  if (kind == word_array) return subquery(SubqueryKind::array);
  if (kind == word_all && opens_query) return subquery(SubqueryKind::all);
  if (kind == word_first && opens_query) return subquery(SubqueryKind::first);
  if (kind == word_last && opens_query) return subquery(SubqueryKind::last);
  if ((kind == word_left || kind == word_right) && opens) return call();
  if (!at_name()) return tl::unexpected(unexpected());
  const bool is_user_defined = raw(peek()) == "udf" && peek(1).kind == dot &&
                               is_spelled_as_name(peek(2).kind) && peek(3).kind == open_round;
  if (opens || is_user_defined) return call();
  if (auto named = number_named(raw(peek()))) return constant(std::move(*named));
  const Token token = take();
  return make(Name{std::string(raw(token))}, token.range);
}

Result<ScalarPtr> Rules::call() {
  const std::uint32_t start = peek().range.start;
  ScalarCall call;
  call.is_user_defined = peek(1).kind == dot;
  if (call.is_user_defined) next_ += 2;
  call.name_range = peek().range;
  call.name = raw(take());
  TRY(expect(open_round));
  call.arguments = TRY(list_until(close_round));
  return make(std::move(call), since(start));
}

Result<ScalarPtr> Rules::subquery(SubqueryKind kind) {
  const std::uint32_t start = peek().range.start;
  if (kind != SubqueryKind::scalar) take();
  QueryPtr inner = TRY(query_in_brackets());
  return make(Subquery{kind, std::move(inner)}, since(start));
}

Result<ScalarPtr> Rules::array() {
  const std::uint32_t start = take().range.start;
  ScalarList items = TRY(list_until(close_square));
  return make(ArrayOf{std::move(items)}, since(start));
}

Result<ScalarPtr> Rules::object() {
  const std::uint32_t start = take().range.start;
  ObjectOf object;
  if (!at(close_brace)) {
    do {
      std::string name = at(TokenKind::text) ? TRY(expect_text()) : TRY(expect_word());
      TRY(expect(colon));
      object.members.emplace_back(std::move(name), TRY(scalar()));
    } while (take_if(comma));
  }
  TRY(expect(close_brace));
  return make(std::move(object), since(start));
}

Result<ScalarList> Rules::list_until(TokenKind close) {
  ScalarList list;
  if (!at(close)) list = TRY(scalars());
  TRY(expect(close));
  return list;
}

}  // namespace mayfly::cosmos::sql
