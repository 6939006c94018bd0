// The internals of the parser: a function for each rule of the grammar (parser.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/cosmos/sql/ast.h"
#include "dialect/cosmos/sql/parser/lexer.h"

namespace mayfly::cosmos::sql {

class Rules {
 public:
  explicit Rules(std::string_view text) : text_(text), tokens_(lex(text)) {}

  // Parses the whole text as one query.
  Result<QueryPtr> whole_text();

 private:
  // --- tokens.cc: tokens, errors and bounds ---
  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at_name() const;
  std::string_view raw(const Token& token) const;
  Token take() { return tokens_[next_++]; }
  bool take_if(TokenKind kind);
  Result<Token> expect(TokenKind kind);
  Result<std::string> expect_name();
  Result<std::string> expect_word();
  Result<std::string> expect_text();
  // From `start` to the end of the token taken last.
  TextRange since(std::uint32_t start) const { return {start, tokens_[next_ - 1].range.end}; }
  // The error that the next token is not expected here.
  Error unexpected() const;
  Error too_large(std::string message) const;
  // Both check the bounds of the tree.
  Result<ScalarPtr> make(Scalar::Node node, TextRange range);
  Result<QueryPtr> make(Query query);

  // Counts a level of recursion while it lives.
  class Level {
   public:
    explicit Level(Rules& rules) : rules_(rules) { ++rules_.levels_; }
    ~Level() { --rules_.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Result<void> check() const;

   private:
    Rules& rules_;
  };

  // --- parser.cc: queries ---
  struct CountRule;
  Result<QueryPtr> query();
  Result<Count> count(const CountRule& rule);
  Result<Selection> selection();
  Result<SelectItem> select_item();
  Result<std::vector<Source>> from();
  Result<Source> source();
  Result<std::variant<ScalarPtr, QueryPtr>> collection();
  Result<ScalarPtr> collection_path();
  Result<std::optional<std::string>> alias();
  Result<Ordering> order_by();
  Result<OrderItem> order_item(Ordering::By by);
  Result<ScalarList> scalars();
  Result<QueryPtr> query_in_brackets();

  // --- operations.cc: operators ---
  struct Pending;
  Result<ScalarPtr> scalar();
  Result<ScalarPtr> scalar_from(ScalarPtr first);
  Result<ScalarPtr> operation(ScalarPtr first, int rank_min);
  Result<ScalarPtr> prefixed_operand(std::vector<Pending>& pending);
  Result<ScalarPtr> fold(std::vector<Pending>& pending, ScalarPtr operand, int rank_min);
  Result<ScalarPtr> apply(Pending pending, ScalarPtr right);
  Result<void> push(std::vector<Pending>& pending, int rank, ScalarPtr left);
  bool at_predicate() const;
  Result<ScalarPtr> predicate(ScalarPtr value);
  Result<ScalarPtr> between(bool is_negated, ScalarPtr value);
  Result<ScalarPtr> in(bool is_negated, ScalarPtr value);
  Result<ScalarPtr> like(bool is_negated, ScalarPtr value);

  // --- operands.cc ---
  bool at_negative_number() const;
  Result<ScalarPtr> operand();
  Result<ScalarPtr> steps(ScalarPtr of);
  Result<ScalarPtr> step(ScalarPtr of);
  Result<ScalarPtr> primary();
  Result<ScalarPtr> numeral();
  Result<ScalarPtr> constant(Value value);
  Result<ScalarPtr> named();
  Result<ScalarPtr> call();
  Result<ScalarPtr> subquery(SubqueryKind kind);
  Result<ScalarPtr> array();
  Result<ScalarPtr> object();
  Result<ScalarList> list_until(TokenKind close);

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  std::size_t levels_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace mayfly::cosmos::sql
