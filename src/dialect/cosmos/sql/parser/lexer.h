// The tokens of a query. A token is a kind and a range: the parser reads the value of a number or
// text when it takes the token.
//
//   name      := (letter | _) (letter | digit | _)*      letters and digits of all scripts
//   parameter := @ name
//   number    := digits [. digits*] [e [+|-] digits] | . digits [e …] | 0x hex
//   text      := ' … ' | " … "      with the escapes \' \" \\ \/ \b \f \n \r \t \uXXXX
//   comment   := -- to the end of the line | /* … */
//
// Keywords are recognized in any case; true, false, null and undefined only in lower case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/cosmos/sql/diagnostic.h"
#include "value/value.h"

namespace mayfly::cosmos::sql {

enum class TokenKind : std::uint8_t {
  end,
  unknown,      // no token of the language: a character that has no meaning, a malformed number
  broken_text,  // a text whose closing quote is missing
  name,
  parameter,
  number,
  text,
  order_by_filter,  // the placeholder in a rewritten query for the client's position

  star,
  comma,
  dot,
  colon,
  question,
  coalesce,
  open_round,
  close_round,
  open_square,
  close_square,
  open_brace,
  close_brace,
  plus,
  minus,
  slash,
  percent,
  tilde,
  ampersand,
  caret,
  bar,
  concat,
  shift_left,
  shift_right,
  shift_right_zero,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,

  word_all,  // the first of the keywords
  word_and,
  word_array,
  word_as,
  word_asc,
  word_between,
  word_by,
  word_desc,
  word_distinct,
  word_escape,
  word_exists,
  word_false,
  word_first,
  word_from,
  word_group,
  word_in,
  word_join,
  word_last,
  word_left,
  word_like,
  word_limit,
  word_not,
  word_null,
  word_offset,
  word_or,
  word_order,
  word_rank,
  word_right,
  word_select,
  word_top,
  word_true,
  word_undefined,
  word_value,
  word_where
};

struct Token {
  TokenKind kind = TokenKind::end;
  TextRange range = {};
};

inline constexpr std::string_view order_by_filter_text =
    "{documentdb-formattableorderbyquery-filter}";

// Never fails; the last token is `end`, after the text's last byte.
std::vector<Token> lex(std::string_view text);

// Whether a token has the form of a name: a name or a keyword.
inline bool is_spelled_as_name(TokenKind kind) {
  return kind == TokenKind::name || kind >= TokenKind::word_all;
}
// Whether a text would be one such token.
bool is_name(std::string_view text);

// The value of a number token. Whole numbers within int64 are integers, also hexadecimal ones; a
// number beyond all doubles is infinite.
Value read_number_token(std::string_view raw);
// The value of a text token; nothing if an escape is malformed.
std::optional<std::string> read_text_token(std::string_view raw);

}  // namespace mayfly::cosmos::sql
