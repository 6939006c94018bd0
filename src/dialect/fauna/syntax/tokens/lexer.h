// The tokens of FQL and FSL. Reading a token depends only on its offset, so a parser can look ahead
// and go back by reading at any offset.
//
//   name    := (letter | _) (letter | digit | _)*            of ASCII; keywords are names, too
//   number  := 0x hex+ | 0o octal+ | 0b binary+
//            | (0 | 1-9 (digit | _)*) [. digit (digit | _)*] [e [+|-] digit+]
//   comment := // to the end of the line | /* … */           which may hold comments
//
// The token of a text is only its opening quote, that of a heredoc only `<<-` or `<<+`; texts.h
// reads the rest. White space and comments separate tokens. The end of a line or of a `//` comment
// counts as a new line; a line break within /* … */ does not.
#pragma once

#include <string_view>
#include <variant>

#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {

enum class TokenKind : std::uint8_t {
  end,
  unknown,        // an invalid character, an unterminated comment
  broken_number,  // ends where a digit is missing
  value,          // the placeholder of a value of the template
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
  bool follows_new_line = false;  // a new line precedes this token
};

class Lexer {
 public:
  // The template must outlive the lexer.
  explicit Lexer(const Template& from) : text_(from.source->text), values_(&from.values) {}

  // The first token at or after the offset. Never fails.
  Token read(std::uint32_t offset) const;
  std::string_view text() const { return text_; }
  // The index of the value at the offset; only for a token of kind `value`.
  std::size_t value_at(std::uint32_t offset) const;

 private:
  std::string_view text_;
  const std::vector<std::uint32_t>* values_;
};

bool is_name_start(char c);
bool is_name_part(char c);
// Whether a text is a name and no keyword, so that a variable may have it.
bool is_identifier(std::string_view text);
bool is_keyword(std::string_view name);

// Whether it may appear unescaped in texts and comments.
bool is_plain_character(char32_t c);

// The value of a number token. A whole number has the narrowest type that holds it; a real one is a
// double.
using Number = std::variant<std::int32_t, std::int64_t, double>;
Number number_of(std::string_view token, bool is_negative);

}  // namespace mayfly::fauna
