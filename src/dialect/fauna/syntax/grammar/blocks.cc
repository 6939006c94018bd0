// The parser's rules for braces: objects and blocks.
#include <fmt/format.h>

#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna {

// Whether it is `{}` or `{ key:`, with the colon on the line of the key.
bool Rules::is_at_object() const {
  Token next = peek();
  if (next.kind == close_brace) return true;
  if (next.kind == quote || next.kind == double_quote) {
    const auto behind = end_of_plain_text(lexer_.text(), next.begin);
    if (!behind) return false;
    next.end = *behind;
  } else if (next.kind != name) {
    return false;
  }
  const Token mark = lexer_.read(next.end);
  return mark.kind == colon && !mark.follows_new_line;
}

Result<ExpressionPtr> Rules::object() {
  const std::uint32_t begin = take().begin;
  ObjectOf whole;
  Keys seen;
  while (!at(close_brace)) {
    ObjectField field = TRY(object_field());
    report_repeated(seen, field.name, field.name_span);
    whole.fields.push_back(std::move(field));
    if (!take_if(comma)) break;
  }
  TRY(expect(close_brace, "`,` or `}`"));
  return make(std::move(whole), since(begin));
}

void Rules::report_repeated(Keys& seen, const std::string& key, Span key_span) {
  const auto [first, is_new] = seen.emplace(key, key_span);
  if (is_new) return;
  Diagnostic repeated = error_at(key_span, "Duplicate key");
  repeated.hints.push_back({"Key originally used here", first->second});
  report(std::move(repeated));
}

Result<ObjectField> Rules::object_field() {
  if (!at(name) && !at(quote) && !at(double_quote)) return expected("`}` or identifier");
  auto [spelled, key_span] = TRY(key());
  TRY(expect(colon, "`:`"));
  ExpressionPtr of = TRY(expression());
  return ObjectField{std::move(spelled), key_span, std::move(of)};
}

// A name, even a keyword, or a text.
Result<std::pair<std::string, Span>> Rules::key() {
  const std::uint32_t begin = token().begin;
  if (at(name)) {
    const Token spelled = take();
    return std::pair(std::string(text(spelled)), span_of(spelled));
  }
  std::string spelled = TRY(plain_text());
  return std::pair(std::move(spelled), since(begin));
}

Result<ExpressionPtr> Rules::block() {
  const std::uint32_t begin = take().begin;
  Block body = TRY(block_body("block"));
  auto* const only = std::get_if<ExpressionPtr>(&body.statements.back());
  const auto* const interpolated = (*only)->as<TextTemplate>();
  if (at(colon) && body.statements.size() == 1 && interpolated != nullptr) {
    Diagnostic refused = error_at((*only)->span, "Object keys do not support interpolation");
    refused.hints.push_back({"Use Object.fromEntries if you need a dynamic key", (*only)->span});
    return refuse(std::move(refused));
  }
  TRY(expect(close_brace, "`}`"));
  return make(std::move(body), since(begin));
}

Result<Block> Rules::block_body(std::string_view missing) {
  Block body;
  while (starts_statement()) {
    if (at_word("let")) {
      body.statements.emplace_back(TRY(let()));
    } else {
      body.statements.emplace_back(TRY(expression()));
    }
    if (!skip_separators()) break;
  }
  if (body.statements.empty() && diagnostics_.empty()) {
    const std::uint32_t at = token().begin;
    return refuse(
        error_at(span(at, at + 1),
                 fmt::format("Unexpected end of {}. Expected statement or expression", missing)));
  }
  if (body.statements.empty()) return expected("expression");
  const auto* const last = std::get_if<Let>(&body.statements.back());
  if (last == nullptr) return body;
  const std::uint32_t at = token().begin;
  Diagnostic refused = error_at(span(at, at + 1), "Missing return expression");
  refused.hints.push_back({"Statement does not return a value", last->span, {}, Hint::Kind::cause});
  return refuse(std::move(refused));
}

// Skips new lines and semicolons; false if there were none.
bool Rules::skip_separators() {
  bool is_separated = token().follows_new_line;
  while (take_if(semicolon)) is_separated = true;
  return is_separated;
}

bool Rules::starts_statement() const {
  switch (token().kind) {
    case TokenKind::value:
    case name:
    case number:
    case broken_number:
    case quote:
    case double_quote:
    case heredoc:
    case interpolated_heredoc:
    case open_round:
    case open_square:
    case open_brace:
    case dot:
    case minus:
    case plus:
    case bang:
    case matches_not:
    case tilde: return true;
    default: return false;
  }
}

Result<Let> Rules::let() {
  const std::uint32_t begin = take().begin;
  const Token variable = TRY(expect_identifier());
  if (text(variable) == "FQL" || text(variable) == "_") return refuse_keyword(variable);
  Let whole{std::string(text(variable)), span_of(variable)};
  bool may_have_arguments = false;
  if (take_if(colon)) {
    whole.type = TRY(type());
    const auto* const named = whole.type->as<NamedType>();
    may_have_arguments = named != nullptr && named->arguments.empty();
    if (!take_first('=')) return expected(may_have_arguments ? "`<` or `=`" : "`=`");
  } else if (!take_first('=')) {
    return expected("`:` or `=`");
  }
  whole.value = TRY(expression());
  whole.span = since(begin);
  return whole;
}

}  // namespace mayfly::fauna
