// The state and the rules of the parser; parser.h has the grammar. A rule consumes the text that it
// matches, or records an error and fails. If parsing can continue after an error, the rule only
// records it. A text with any recorded error is refused at the end.
//
// The rules of FSL are on top of these (fsl/rules.h). The template that is parsed must outlive
// this.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/syntax/tokens/texts.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

class Rules {
 public:
  explicit Rules(const Template& from);

  // Whole texts.
  Result<ExpressionPtr> whole_query();
  Result<ExpressionPtr> whole_lambda();
  Result<ExpressionPtr> whole_expression();
  Result<TypePtr> whole_type();

  Diagnostics take_diagnostics() { return std::move(diagnostics_); }
  bool has_diagnostics() const { return !diagnostics_.empty(); }

 protected:
  using enum TokenKind;

  // Whether the expression may be a short lambda.
  enum class ShortLambda : std::uint8_t { refused, taken };
  enum class Defaults : std::uint8_t { refused, taken };

  // --- tokens ---
  const Token& token() const { return token_; }
  std::string_view text_of_token() const { return text(token_); }
  std::string_view text(const Token& of) const {
    return lexer_.text().substr(of.begin, of.end - of.begin);
  }
  std::string_view lexer_text() const { return lexer_.text(); }
  // The end of the last consumed token or text.
  std::uint32_t last_end() const { return last_end_; }
  Token peek() const { return lexer_.read(token_.end); }
  bool at(TokenKind kind) const { return token_.kind == kind; }
  // The same, only if the token is on the line where the previous one ends.
  bool at_on_same_line(TokenKind kind) const { return at(kind) && !token_.follows_new_line; }
  bool at_word(std::string_view word) const { return at(name) && text_of_token() == word; }
  Token take();
  bool take_if(TokenKind kind);
  // Consumes only the first character of the token if it is `c`: `>` of `>=`.
  bool take_first(char c);
  // Continues at the offset.
  void go_to(std::uint32_t offset);
  Result<void> expect(TokenKind kind, std::string_view expectation);
  Result<Token> expect_name();
  // Expects a name that is no keyword.
  Result<Token> expect_identifier();

  Span span(std::uint32_t begin, std::uint32_t end) const { return {begin, end, source_}; }
  Span span_at(std::size_t at) const {
    return span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at));
  }
  Span span_of(const Token& of) const { return span(of.begin, of.end); }
  // The span from `begin` to last_end().
  Span since(std::uint32_t begin) const { return span(begin, last_end_); }

  // --- failures ---
  //
  // Records "Expected …", unless an error was recorded already.
  tl::unexpected<Error> expected(std::string_view what);
  tl::unexpected<Error> refuse(Diagnostic diagnostic);
  tl::unexpected<Error> refuse_keyword(const Token& word);
  tl::unexpected<Error> refuse_text(const TextFault& fault);
  void report(Diagnostic diagnostic);

  // Scope guard: one level of nesting.
  class Level {
   public:
    explicit Level(Rules& rules) : rules_(rules) { ++rules_.depth_; }
    ~Level() { --rules_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Result<void> check() const;

   private:
    Rules& rules_;
  };

  // --- expressions ---
  Result<ExpressionPtr> expression(ShortLambda rule = ShortLambda::refused);
  // The body of a block, without its braces. `missing` names the expected end in messages.
  Result<Block> block_body(std::string_view missing);
  // From `{` to `}`.
  Result<ExpressionPtr> block();
  Result<std::string> plain_text();  // '…' or "…" without interpolations
  Result<std::optional<Number>> signed_number();

  // --- types ---
  Result<TypePtr> type(Defaults defaults = Defaults::refused);
  // Reports defaults of fields of an object that may itself be missing, or that has a default.
  void report_defaults(const Type& within, const Hint& reason);

 private:
  // An expression whose enclosing short lambda, if any, does not end yet; and whether it uses the
  // hidden parameter.
  struct Part {
    ExpressionPtr tree;
    bool names_hidden = false;
  };
  using Keys =
      std::map<std::string, Span>;  // a tree, not a hash table: no crafted text makes it slow
  struct BinaryRow;
  struct PendingOperator;

  Result<ExpressionPtr> make(Expression::Node node, Span span);
  static Result<Part> part_of(Result<ExpressionPtr> tree, bool names_hidden = false);
  Result<ExpressionPtr> close(Part part, ShortLambda rule);
  Result<ExpressionPtr> hidden_lambda(ExpressionPtr body, Span span);
  Result<Part> part();  // an expression

  Result<ExpressionPtr> if_expression();
  Result<ExpressionPtr> at_expression();
  bool is_at_lambda() const;
  Result<ExpressionPtr> lambda();
  Result<void> lambda_parameters(Lambda& lambda);
  void report_repeated(const std::vector<Parameter>& parameters);

  const BinaryRow* binary_here() const;
  Result<Part> operations(Part first);
  Result<Part> operate(PendingOperator waiting, Part right);
  static void open_brackets(Part& operand);
  Result<Part> operand();
  Result<Part> unary();

  Result<Part> primary();
  Result<ExpressionPtr> word();
  Result<Part> short_chain();
  Result<Part> chain(Part receiver);
  Result<bool> chain_step(std::vector<Step>& steps);
  Result<Step> optional_step(std::uint32_t begin);
  Result<Step> named_step(std::uint32_t begin);
  Result<ExpressionList> arguments(TokenKind close, std::string_view mark);
  Result<ExpressionPtr> array();
  Result<ExpressionPtr> round_brackets();

  Result<Part> projection(Part of);
  Result<ExpressionPtr> projected_element();
  Result<ObjectField> projected_field();

  bool is_at_object() const;
  Result<ExpressionPtr> object();
  void report_repeated(Keys& seen, const std::string& key, Span key_span);
  Result<ObjectField> object_field();
  bool starts_statement() const;
  bool skip_separators();
  Result<Let> let();
  Result<std::pair<std::string, Span>> key();

  Result<ExpressionPtr> text_literal();
  Result<TextTemplate> quoted_parts();
  Result<void> interpolation(TextTemplate& parts, std::uint32_t at);
  Result<ExpressionPtr> heredoc_literal();
  Result<TextTemplate> heredoc_lines(const HeredocHead& head);
  Result<TextTemplate> heredoc_line(std::uint32_t at, bool is_interpolated);
  Result<ExpressionPtr> text_of_parts(TextTemplate parts, std::uint32_t begin);

  struct RoundTypes;
  Result<TypePtr> make_type(Type::Node node, std::uint32_t begin);
  Result<TypePtr> type_from(int rank_min, Defaults defaults);
  Result<TypePtr> type_operand(Defaults defaults);
  Result<TypePtr> literal_type();
  Result<TypePtr> named_type();
  Result<TypePtr> object_type(Defaults defaults);
  Result<void> object_type_member(ObjectType& object, Keys& seen, Defaults defaults);
  Result<TypeList> type_list(TokenKind close, std::string_view mark);
  Result<TypePtr> round_type();
  Result<RoundTypes> round_types();
  Result<TypePtr> function_type(RoundTypes from, std::uint32_t begin);

  const Source* source_;
  Lexer lexer_;
  Token token_;
  std::uint32_t last_end_ = 0;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace mayfly::fauna
