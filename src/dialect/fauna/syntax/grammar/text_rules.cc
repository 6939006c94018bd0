// The parser's rules for texts and heredocs. Inside them, only interpolations contain tokens.
#include <algorithm>

#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna {
namespace {

// Joins adjacent pieces of text.
void add_piece(TextTemplate& parts, std::string_view piece) {
  if (piece.empty()) return;
  if (parts.parts.empty() || !std::holds_alternative<std::string>(parts.parts.back())) {
    parts.parts.emplace_back(std::string());
  }
  std::get<std::string>(parts.parts.back()) += piece;
}

void add_parts(TextTemplate& parts, TextTemplate more) {
  for (auto& part : more.parts) {
    if (const auto* const piece = std::get_if<std::string>(&part)) {
      add_piece(parts, *piece);
    } else {
      parts.parts.push_back(std::move(part));
    }
  }
}

// A line that starts with an interpolation has no indentation.
std::size_t indentation_of_line(const TextTemplate& line) {
  const auto* const piece =
      line.parts.empty() ? nullptr : std::get_if<std::string>(&line.parts.front());
  return piece == nullptr ? 0 : indentation_of(*piece);
}

void remove_indentation(TextTemplate& line, std::size_t indentation) {
  if (line.parts.empty()) return;
  if (auto* const piece = std::get_if<std::string>(&line.parts.front())) {
    piece->erase(0, indentation);
  }
}

}  // namespace

Result<std::string> Rules::plain_text() {
  const std::string_view source = lexer_.text();
  const char quote_char = source[token().begin];
  std::string read;
  std::uint32_t at = token().end;
  while (source.substr(at, 1) != std::string_view(&quote_char, 1)) {
    if (quote_char == '"' && source.substr(at, 2) == "#{") {
      return refuse(error_at(span(at, at + 2), "Cannot interpolate values in a string literal"));
    }
    TextPiece piece = read_text_character(source, at);
    if (piece.fault) return refuse_text(*piece.fault);
    read += piece.text;
    at = piece.end;
  }
  go_to(at + 1);
  return read;
}

Result<ExpressionPtr> Rules::text_literal() {
  const std::uint32_t begin = token().begin;
  if (at(quote)) {
    std::string read = TRY(plain_text());
    return make(Literal{std::move(read)}, since(begin));
  }
  TextTemplate parts = TRY(quoted_parts());
  return text_of_parts(std::move(parts), begin);
}

Result<TextTemplate> Rules::quoted_parts() {
  const std::string_view source = lexer_.text();
  TextTemplate parts;
  std::uint32_t at = token().end;
  while (source.substr(at, 1) != "\"") {
    if (source.substr(at, 2) == "#{") {
      TRY(interpolation(parts, at));
      at = last_end_;
      continue;
    }
    const TextPiece piece = read_text_character(source, at);
    if (piece.fault) return refuse_text(*piece.fault);
    add_piece(parts, piece.text);
    at = piece.end;
  }
  go_to(at + 1);
  return parts;
}

// From `#{` to `}`; sets last_end_ to the end.
Result<void> Rules::interpolation(TextTemplate& parts, std::uint32_t at) {
  go_to(at + 2);
  ExpressionPtr tree = TRY(expression());
  if (!this->at(close_brace)) return expected("`}`");
  last_end_ = token().end;
  parts.parts.emplace_back(std::move(tree));
  return {};
}

Result<ExpressionPtr> Rules::text_of_parts(TextTemplate parts, std::uint32_t begin) {
  const Span whole = since(begin);
  if (parts.parts.empty()) return make(Literal{std::string()}, whole);
  auto* const only = std::get_if<std::string>(&parts.parts.front());
  if (only != nullptr && parts.parts.size() == 1) return make(Literal{std::move(*only)}, whole);
  return make(std::move(parts), whole);
}

Result<ExpressionPtr> Rules::heredoc_literal() {
  const std::uint32_t begin = token().begin;
  const HeredocHead head = read_heredoc_head(lexer_.text(), token().end);
  if (head.fault) return refuse_text(*head.fault);
  TextTemplate parts = TRY(heredoc_lines(head));
  return text_of_parts(std::move(parts), begin);
}

// The smallest indentation of all lines is removed from each.
Result<TextTemplate> Rules::heredoc_lines(const HeredocHead& head) {
  const std::string_view source = lexer_.text();
  const bool is_interpolated = at(interpolated_heredoc);
  std::vector<std::pair<TextTemplate, std::string_view>> lines;  // with its line end
  std::size_t indentation = std::string_view::npos;
  std::uint32_t at = head.body;
  auto behind = end_of_heredoc_name(source, at, head.name);
  for (; !behind; behind = end_of_heredoc_name(source, at, head.name)) {
    TextTemplate line = TRY(heredoc_line(at, is_interpolated));
    indentation = std::min(indentation, indentation_of_line(line));
    const std::uint32_t line_end = last_end_;
    for (at = line_end; is_line_end(source, at);) ++at;
    lines.emplace_back(std::move(line), source.substr(line_end, at - line_end));
  }
  go_to(*behind);
  TextTemplate parts;
  for (auto& [line, line_end] : lines) {
    remove_indentation(line, indentation);
    add_parts(parts, std::move(line));
    add_piece(parts, line_end);
  }
  return parts;
}

// One line; sets last_end_ to its end. A heredoc that ends here has no closing name.
Result<TextTemplate> Rules::heredoc_line(std::uint32_t at, bool is_interpolated) {
  const std::string_view source = lexer_.text();
  TextTemplate line;
  while (!is_line_end(source, at)) {
    if (is_interpolated && source.substr(at, 2) == "#{") {
      TRY(interpolation(line, at));
      at = last_end_;
      continue;
    }
    const TextPiece piece = read_plain_character(source, at);
    if (piece.fault) return refuse_text(*piece.fault);
    add_piece(line, piece.text);
    at = piece.end;
  }
  last_end_ = at;
  return line;
}

}  // namespace mayfly::fauna
