// The parser's access to tokens, and its errors.
#include "dialect/fauna/syntax/grammar/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace mayfly::fauna {

Rules::Rules(const Template& from)
    : source_(from.source.get()), lexer_(from), token_(lexer_.read(0)) {}

Token Rules::take() {
  const Token taken = token_;
  last_end_ = taken.end;
  token_ = lexer_.read(taken.end);
  return taken;
}

bool Rules::take_if(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Rules::take_first(char c) {
  const bool is_symbol = token_.kind >= open_round;
  if (!is_symbol || lexer_.text()[token_.begin] != c) return false;
  go_to(token_.begin + 1);
  return true;
}

void Rules::go_to(std::uint32_t offset) {
  last_end_ = offset;
  token_ = lexer_.read(offset);
}

Result<void> Rules::expect(TokenKind kind, std::string_view expectation) {
  if (take_if(kind)) return {};
  return expected(expectation);
}

Result<Token> Rules::expect_name() {
  if (at(name)) return take();
  return expected("identifier");
}

Result<Token> Rules::expect_identifier() {
  if (!at(name)) return expected("identifier");
  if (is_keyword(text_of_token())) return refuse_keyword(token_);
  return take();
}

tl::unexpected<Error> Rules::expected(std::string_view what) {
  std::string message = fmt::format("Expected {}", what);
  if (diagnostics_.empty()) {
    const std::uint32_t size = code_point_at(lexer_.text(), token_.begin).size;
    const std::uint32_t end = token_.begin + std::max<std::uint32_t>(size, 1);
    diagnostics_.push_back(error_at(span(token_.begin, end), message));
  }
  return fail(Code::invalid, std::move(message));
}

void Rules::report(Diagnostic diagnostic) {
  if (diagnostics_.size() < limits::fql_errors_max) diagnostics_.push_back(std::move(diagnostic));
}

tl::unexpected<Error> Rules::refuse(Diagnostic diagnostic) {
  std::string message = diagnostic.message;
  report(std::move(diagnostic));
  return fail(Code::invalid, std::move(message));
}

tl::unexpected<Error> Rules::refuse_keyword(const Token& word) {
  Diagnostic diagnostic = error_at(span_of(word), "Invalid identifier");
  diagnostic.annotation = fmt::format("`{}` is a keyword", text(word));
  return refuse(std::move(diagnostic));
}

tl::unexpected<Error> Rules::refuse_text(const TextFault& fault) {
  Diagnostic diagnostic = error_at(span(fault.begin, fault.end), std::string(fault.message));
  diagnostic.annotation = fault.annotation;
  return refuse(std::move(diagnostic));
}

Result<void> Rules::Level::check() const {
  if (rules_.depth_ <= limits::fql_depth_max) return {};
  return rules_.refuse(
      error_at(rules_.span_of(rules_.token_),
               fmt::format("Expressions are nested more than {} deep", limits::fql_depth_max)));
}

Result<ExpressionPtr> Rules::make(Expression::Node node, Span span) {
  auto made = std::make_unique<Expression>(Expression{std::move(node), span});
  made->height = height_of(made->node);
  if (made->height > limits::fql_depth_max) {
    return refuse(error_at(
        span, fmt::format("The expression is more than {} levels high", limits::fql_depth_max)));
  }
  if (++nodes_ > limits::fql_nodes_max) {
    return refuse(error_at(
        span, fmt::format("The text has more than {} expressions", limits::fql_nodes_max)));
  }
  return made;
}

Result<ExpressionPtr> Rules::whole_query() {
  const std::uint32_t begin = token_.begin;
  Block body = TRY(block_body("query"));
  const std::uint32_t behind = last_end_;
  if (!at(end)) return expected("end-of-input");
  return make(std::move(body), span(begin, behind));
}

Result<ExpressionPtr> Rules::whole_expression() {
  ExpressionPtr tree = TRY(expression());
  if (!at(end)) return expected("end-of-input");
  return tree;
}

Result<ExpressionPtr> Rules::whole_lambda() {
  const std::uint32_t begin = token_.begin;
  Block body = TRY(block_body("query"));
  if (!at(end)) return expected("end-of-input");
  auto* const only =
      body.statements.size() == 1 ? std::get_if<ExpressionPtr>(&body.statements[0]) : nullptr;
  if (only != nullptr && (*only)->as<Lambda>() != nullptr) return std::move(*only);
  Diagnostic diagnostic = error_at(since(begin), "Body must be a lambda expression.");
  diagnostic.annotation = "Expression is not a lambda.";
  if (only != nullptr) {
    diagnostic.hints.push_back({"Declare a lambda.", span(begin, begin), "() => "});
  }
  return refuse(std::move(diagnostic));
}

Result<TypePtr> Rules::whole_type() {
  TypePtr whole = TRY(type());
  if (!at(end)) return expected("end-of-input");
  return whole;
}

}  // namespace mayfly::fauna
