// The parser's rules of operations. Operators that wait for their right operand are on a stack of
// their own (Pending), not on the thread's, so a text of many operators is no deep recursion. The
// same holds for brackets at the beginning of an expression, as in printed chains.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/parser/rules.h"

namespace mayfly::cosmos::sql {
namespace {

using enum TokenKind;
using Operator = std::variant<UnaryOperator, BinaryOperator, LogicalOperator>;

// The precedence of an operator.
enum Rank : int {
  rank_coalesce = 1,
  rank_or,
  rank_and,
  rank_not,
  rank_predicate,  // BETWEEN, IN and LIKE
  rank_concat,
  rank_bitwise_or,
  rank_bitwise_xor,
  rank_bitwise_and,
  rank_equality,
  rank_relation,
  rank_shift,
  rank_sum,
  rank_product,
  rank_sign
};

struct OperatorRow {
  TokenKind token;
  Rank rank;
  Operator op;
};

constexpr std::array infixes{
    OperatorRow{TokenKind::coalesce, rank_coalesce, BinaryOperator::coalesce},
    OperatorRow{word_or, rank_or, LogicalOperator::logical_or},
    OperatorRow{word_and, rank_and, LogicalOperator::logical_and},
    OperatorRow{TokenKind::concat, rank_concat, BinaryOperator::concat},
    OperatorRow{bar, rank_bitwise_or, BinaryOperator::bitwise_or},
    OperatorRow{caret, rank_bitwise_xor, BinaryOperator::bitwise_xor},
    OperatorRow{ampersand, rank_bitwise_and, BinaryOperator::bitwise_and},
    OperatorRow{TokenKind::equal, rank_equality, BinaryOperator::equal},
    OperatorRow{TokenKind::not_equal, rank_equality, BinaryOperator::not_equal},
    OperatorRow{TokenKind::less, rank_relation, BinaryOperator::less},
    OperatorRow{TokenKind::less_equal, rank_relation, BinaryOperator::less_equal},
    OperatorRow{TokenKind::greater, rank_relation, BinaryOperator::greater},
    OperatorRow{TokenKind::greater_equal, rank_relation, BinaryOperator::greater_equal},
    OperatorRow{TokenKind::shift_left, rank_shift, BinaryOperator::shift_left},
    OperatorRow{TokenKind::shift_right, rank_shift, BinaryOperator::shift_right},
    OperatorRow{TokenKind::shift_right_zero, rank_shift, BinaryOperator::shift_right_zero},
    OperatorRow{TokenKind::plus, rank_sum, BinaryOperator::add},
    OperatorRow{TokenKind::minus, rank_sum, BinaryOperator::subtract},
    OperatorRow{star, rank_product, BinaryOperator::multiply},
    OperatorRow{slash, rank_product, BinaryOperator::divide},
    OperatorRow{percent, rank_product, BinaryOperator::modulo},
};

constexpr std::array prefixes{
    OperatorRow{word_not, rank_not, UnaryOperator::logical_not},
    OperatorRow{TokenKind::plus, rank_sign, UnaryOperator::plus},
    OperatorRow{TokenKind::minus, rank_sign, UnaryOperator::minus},
    OperatorRow{tilde, rank_sign, UnaryOperator::bitwise_not},
};

template <class Rows>
const OperatorRow* find_operator(const Rows& rows, TokenKind kind) {
  const auto is_it = [kind](const OperatorRow& row) { return row.token == kind; };
  const auto found = std::find_if(rows.begin(), rows.end(), is_it);
  return found == rows.end() ? nullptr : &*found;
}

bool is_predicate(TokenKind kind) {
  return kind == word_between || kind == word_in || kind == word_like;
}

// One character of UTF-8, whatever its length.
bool is_one_character(std::string_view text) {
  const auto begins = [](char c) { return static_cast<std::uint8_t>(c) >> 6 != 2; };
  return std::count_if(text.begin(), text.end(), begins) == 1;
}

}  // namespace

// An operator whose right operand is being read. It has no left operand, one, or several: AND and
// OR collect theirs.
struct Rules::Pending {
  int rank;
  Operator op;
  ScalarList left;
  std::uint32_t start;
};

Result<ScalarPtr> Rules::scalar() {
  const Level level(*this);
  TRY(level.check());
  std::size_t open = 0;
  for (; at(open_round) && peek(1).kind != word_select; ++open) take();
  ScalarPtr value;
  for (;;) {
    value = TRY(scalar_from(std::move(value)));
    if (open == 0) return value;
    TRY(expect(close_round));
    --open;
    value = TRY(steps(std::move(value)));
  }
}

Result<ScalarPtr> Rules::scalar_from(ScalarPtr first) {
  ScalarPtr condition = TRY(operation(std::move(first), rank_coalesce));
  if (!take_if(question)) return condition;
  const std::uint32_t start = condition->range.start;
  ScalarPtr yes = TRY(scalar());
  TRY(expect(colon));
  ScalarPtr no = TRY(scalar());
  return make(Conditional{std::move(condition), std::move(yes), std::move(no)}, since(start));
}

// `first` is the first operand, if it has been read. Stops before an operator below `rank_min`.
Result<ScalarPtr> Rules::operation(ScalarPtr first, int rank_min) {
  std::vector<Pending> pending;
  ScalarPtr left = first != nullptr ? std::move(first) : TRY(prefixed_operand(pending));
  for (bool is_decided = false;;) {  // by BETWEEN, IN or LIKE
    if (at_predicate() && rank_predicate >= rank_min) {
      if (is_decided) return tl::unexpected(unexpected());
      left = TRY(fold(pending, std::move(left), rank_predicate + 1));
      left = TRY(predicate(std::move(left)));
      is_decided = true;
      continue;
    }
    const OperatorRow* row = find_operator(infixes, peek().kind);
    if (row == nullptr || row->rank < rank_min) break;
    if (is_decided && row->rank > rank_predicate) return tl::unexpected(unexpected());
    const bool gathers = std::holds_alternative<LogicalOperator>(row->op);
    left = TRY(fold(pending, std::move(left), gathers ? row->rank + 1 : row->rank));
    TRY(push(pending, row->rank, std::move(left)));
    left = TRY(prefixed_operand(pending));
    is_decided = false;
  }
  return fold(pending, std::move(left), 0);
}

Result<ScalarPtr> Rules::prefixed_operand(std::vector<Pending>& pending) {
  while (!at_negative_number()) {
    const OperatorRow* row = find_operator(prefixes, peek().kind);
    if (row == nullptr) break;
    pending.push_back({row->rank, row->op, {}, take().range.start});
  }
  return operand();
}

// Applies the pending operators of rank_min or higher to their right operand.
Result<ScalarPtr> Rules::fold(std::vector<Pending>& pending, ScalarPtr operand, int rank_min) {
  while (!pending.empty() && pending.back().rank >= rank_min) {
    Pending last = std::move(pending.back());
    pending.pop_back();
    operand = TRY(apply(std::move(last), std::move(operand)));
  }
  return operand;
}

Result<ScalarPtr> Rules::apply(Pending pending, ScalarPtr right) {
  const TextRange range = since(pending.start);
  if (const auto* op = std::get_if<UnaryOperator>(&pending.op)) {
    return make(Unary{*op, std::move(right)}, range);
  }
  if (const auto* op = std::get_if<BinaryOperator>(&pending.op)) {
    return make(Binary{*op, std::move(pending.left.front()), std::move(right)}, range);
  }
  pending.left.push_back(std::move(right));
  return make(Logical{std::get<LogicalOperator>(pending.op), std::move(pending.left)}, range);
}

// Takes the next token, an infix operator.
Result<void> Rules::push(std::vector<Pending>& pending, int rank, ScalarPtr left) {
  const Operator op = find_operator(infixes, take().kind)->op;
  const bool is_gathered = !pending.empty() && pending.back().rank == rank &&
                           std::holds_alternative<LogicalOperator>(op);
  const auto* same = left->as<Logical>();
  const std::uint32_t start = left->range.start;
  if (is_gathered) {
    pending.back().left.push_back(std::move(left));
  } else if (same != nullptr && op == Operator(same->op)) {
    pending.push_back({rank, op, same->operands, start});
  } else {
    pending.push_back({rank, op, {std::move(left)}, start});
  }
  if (pending.back().left.size() < limits::sql_logical_terms_max) return {};
  return tl::unexpected(too_large(
      fmt::format("AND or OR has more than {} operands.", limits::sql_logical_terms_max)));
}

bool Rules::at_predicate() const {
  return is_predicate(peek().kind) || (at(word_not) && is_predicate(peek(1).kind));
}

Result<ScalarPtr> Rules::predicate(ScalarPtr value) {
  const bool is_negated = take_if(word_not);
  switch (take().kind) {
    case word_between: return between(is_negated, std::move(value));
    case word_in: return in(is_negated, std::move(value));
    default: return like(is_negated, std::move(value));
  }
}

Result<ScalarPtr> Rules::between(bool is_negated, ScalarPtr value) {
  const std::uint32_t start = value->range.start;
  ScalarPtr low = TRY(operation(nullptr, rank_predicate + 1));
  TRY(expect(word_and));
  ScalarPtr high = TRY(operation(nullptr, rank_predicate + 1));
  return make(Between{is_negated, std::move(value), std::move(low), std::move(high)}, since(start));
}

Result<ScalarPtr> Rules::in(bool is_negated, ScalarPtr value) {
  const std::uint32_t start = value->range.start;
  TRY(expect(open_round));
  ScalarList items = TRY(scalars());
  if (items.size() > limits::sql_in_items_max) {
    return tl::unexpected(
        too_large(fmt::format("IN has more than {} items.", limits::sql_in_items_max)));
  }
  TRY(expect(close_round));
  return make(In{is_negated, std::move(value), std::move(items)}, since(start));
}

Result<ScalarPtr> Rules::like(bool is_negated, ScalarPtr value) {
  const std::uint32_t start = value->range.start;
  ScalarPtr pattern = TRY(operation(nullptr, rank_predicate + 1));
  std::optional<std::string> escape;
  if (take_if(word_escape)) {
    const std::size_t place = next_;
    escape = TRY(expect_text());
    if (!is_one_character(*escape)) {
      next_ = place;
      return tl::unexpected(unexpected());
    }
  }
  return make(Like{is_negated, std::move(value), std::move(pattern), std::move(escape)},
              since(start));
}

}  // namespace mayfly::cosmos::sql
