// The tokens of FQL and FSL. Reading one needs nothing but the place where it begins, so a parser
// looks ahead by reading on, and goes back by reading again.
//
//   name    := (letter | _) (letter | digit | _)*            of ASCII; keywords are names, too
//   number  := 0x hex+ | 0o octal+ | 0b binary+
//            | (0 | 1-9 (digit | _)*) [. digit (digit | _)*] [e [+|-] digit+]
//   comment := // to the end of the line | /* … */           which may hold comments
//
// Of a text only the quote is a token, of a heredoc `<<-` or `<<+`: texts.h reads what follows.
// Space and comments lie between tokens. Only the end of a line, or a comment that reaches to it,
// counts as a new line: one within /* … */ does not.
#pragma once

#include <string_view>
#include <variant>

#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {

enum class TokenKind : std::uint8_t {
  end,
  unknown,        // a character without a meaning, a comment that does not end
  broken_number,  // its end is where a digit is missing
  value,          // the mark of a value of the template
  name,
  number,  // without a sign
  quote,
  double_quote,
  heredoc,               // <<-
  interpolated_heredoc,  // <<+

  open_round,
  close_round,
  open_square,
  close_square,
  open_brace,
  close_brace,
  comma,
  semicolon,
  colon,
  dot,
  question_dot,
  ellipsis,
  question,
  at_sign,
  assign,
  lambda_arrow,
  arrow,
  coalesce,
  logical_or,
  logical_and,
  equal,
  not_equal,
  matches,
  matches_not,
  greater,
  less,
  greater_equal,
  less_equal,
  bar,
  caret,
  ampersand,
  plus,
  minus,
  star,
  slash,
  percent,
  power,
  bang,
  tilde
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool follows_new_line = false;  // a new line lies between the token before and this one
};

class Lexer {
 public:
  explicit Lexer(const Template& from) : text_(from.source->text), values_(&from.values) {}

  // The next token that begins at the offset or behind it. Never fails.
  Token read(std::uint32_t offset) const;
  std::string_view text() const { return text_; }
  // Which value has its mark there; only where a token of kind value is.
  std::size_t value_at(std::uint32_t offset) const;

 private:
  std::string_view text_;
  const std::vector<std::uint32_t>* values_;
};

bool is_name_start(char c);
bool is_name_part(char c);
// Whether a text is a name and no keyword: what a variable may be called.
bool is_identifier(std::string_view text);
bool is_keyword(std::string_view name);

// Whether it may stand in texts and comments as it is; others are written as escapes.
bool is_plain_character(char32_t c);

// What a number stands for. A whole number is the narrowest that holds it; a real one is a double.
using Number = std::variant<std::int32_t, std::int64_t, double>;
Number number_of(std::string_view token, bool is_negative);

}  // namespace mayfly::fauna
