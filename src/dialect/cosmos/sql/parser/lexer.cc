#include "dialect/cosmos/sql/parser/lexer.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/check.h"
#include "value/json/number.h"
#include "value/json/text.h"

namespace mayfly::cosmos::sql {
namespace {

using enum TokenKind;

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

// If one is a prefix of another, the longer one is first.
constexpr std::array symbols{
    Spelling{order_by_filter_text, order_by_filter},
    Spelling{">>>", shift_right_zero},
    Spelling{">>", shift_right},
    Spelling{">=", greater_equal},
    Spelling{"<<", shift_left},
    Spelling{"<=", less_equal},
    Spelling{"<>", not_equal},
    Spelling{"!=", not_equal},
    Spelling{"||", concat},
    Spelling{"??", coalesce},
    Spelling{"*", star},
    Spelling{",", comma},
    Spelling{".", dot},
    Spelling{":", colon},
    Spelling{"?", question},
    Spelling{"(", open_round},
    Spelling{")", close_round},
    Spelling{"[", open_square},
    Spelling{"]", close_square},
    Spelling{"{", open_brace},
    Spelling{"}", close_brace},
    Spelling{"+", plus},
    Spelling{"-", minus},
    Spelling{"/", slash},
    Spelling{"%", percent},
    Spelling{"~", tilde},
    Spelling{"&", ampersand},
    Spelling{"^", caret},
    Spelling{"|", bar},
    Spelling{"=", equal},
    Spelling{"<", less},
    Spelling{">", greater},
};

constexpr std::array words{
    Spelling{"all", word_all},
    Spelling{"and", word_and},
    Spelling{"array", word_array},
    Spelling{"as", word_as},
    Spelling{"asc", word_asc},
    Spelling{"between", word_between},
    Spelling{"by", word_by},
    Spelling{"desc", word_desc},
    Spelling{"distinct", word_distinct},
    Spelling{"escape", word_escape},
    Spelling{"exists", word_exists},
    Spelling{"first", word_first},
    Spelling{"from", word_from},
    Spelling{"group", word_group},
    Spelling{"in", word_in},
    Spelling{"join", word_join},
    Spelling{"last", word_last},
    Spelling{"left", word_left},
    Spelling{"like", word_like},
    Spelling{"limit", word_limit},
    Spelling{"not", word_not},
    Spelling{"offset", word_offset},
    Spelling{"or", word_or},
    Spelling{"order", word_order},
    Spelling{"rank", word_rank},
    Spelling{"right", word_right},
    Spelling{"select", word_select},
    Spelling{"top", word_top},
    Spelling{"value", word_value},
    Spelling{"where", word_where},
};

constexpr std::array literals{
    Spelling{"true", word_true},
    Spelling{"false", word_false},
    Spelling{"null", word_null},
    Spelling{"undefined", word_undefined},
};

constexpr std::size_t longest_word = 9;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

TokenKind kind_of_name(std::string_view name) {
  if (name.size() > longest_word) return TokenKind::name;
  for (const Spelling& row : literals) {
    if (name == row.text) return row.kind;
  }
  const auto same = [](char written, char spelled) { return lower(written) == spelled; };
  for (const Spelling& row : words) {
    if (std::equal(name.begin(), name.end(), row.text.begin(), row.text.end(), same)) {
      return row.kind;
    }
  }
  return TokenKind::name;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    skip_blank();
    const std::size_t start = at_;
    const TokenKind kind = take();
    return {kind, {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at_)}};
  }

  // Skips letters, digits and underscores. Returns whether there were any that may begin a name.
  bool take_name();
  bool done() const { return at_ >= text_.size(); }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_blank();
  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }
  bool take_letter(bool may_be_digit);
  TokenKind take();
  TokenKind take_number();
  TokenKind take_text(char quote);

  std::string_view text_;
  std::size_t at_ = 0;
  bool comments_end_ =
      true;  // false: an unclosed comment has been found, so no later one is closed
};

void Lexer::skip_blank() {
  for (;;) {
    if (is_space(peek())) {
      ++at_;
    } else if (starts_with("--")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (comments_end_ && starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      comments_end_ = end != std::string_view::npos;
      if (!comments_end_) return;  // no comment
      at_ = end + 2;
    } else {
      return;
    }
  }
}

bool Lexer::take_letter(bool may_be_digit) {
  if (done()) return false;
  std::size_t next = at_;
  UChar32 c = 0;
  U8_NEXT(text_.data(), next, text_.size(), c);
  const bool fits = c == '_' || (c > 0 && (u_isalpha(c) || (may_be_digit && u_isalnum(c))));
  if (fits) at_ = next;
  return fits;
}

bool Lexer::take_name() {
  if (!take_letter(false)) return false;
  while (take_letter(true)) continue;
  return true;
}

TokenKind Lexer::take() {
  if (done()) return end;
  const char c = peek();
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
  if (c == '\'' || c == '"') return take_text(c);
  const std::size_t start = at_;
  if (take_name()) return kind_of_name(text_.substr(start, at_ - start));
  if (c == '@') {
    ++at_;
    return take_name() ? parameter : unknown;
  }
  for (const Spelling& row : symbols) {
    if (!starts_with(row.text)) continue;
    at_ += row.text.size();
    return row.kind;
  }
  U8_FWD_1(text_.data(), at_, text_.size());
  return unknown;
}

TokenKind Lexer::take_number() {
  if (peek() == '0' && lower(peek(1)) == 'x' && is_hex_digit(peek(2))) {
    at_ += 2;
    while (is_hex_digit(peek())) ++at_;
  } else {
    skip_digits();
    if (peek() == '.') {
      ++at_;
      skip_digits();
    }
    const std::size_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if (lower(peek()) == 'e' && is_digit(peek(digits))) {
      at_ += digits;
      skip_digits();
    }
  }
  // Neither a name nor another number may follow without a gap: 12a, 1.2.3, 1.E
  bool is_number = true;
  while (peek() == '.' || take_letter(true)) {
    is_number = false;
    if (peek() == '.') ++at_;
  }
  return is_number ? number : unknown;
}

TokenKind Lexer::take_text(char quote) {
  for (++at_; !done(); ++at_) {
    if (peek() == '\\') {
      ++at_;
    } else if (peek() == quote) {
      ++at_;
      return TokenKind::text;
    }
  }
  at_ = text_.size();
  return broken_text;
}

Value read_hex(std::string_view digits) {
  const char* last = digits.data() + digits.size();
  std::int64_t whole = 0;
  if (std::from_chars(digits.data(), last, whole, 16).ec == std::errc()) return whole;
  double real = std::numeric_limits<double>::infinity();
  std::from_chars(digits.data(), last, real, std::chars_format::hex);
  return real;
}

}  // namespace

std::vector<Token> lex(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != end);
  return tokens;
}

bool is_name(std::string_view text) {
  Lexer lexer(text);
  return lexer.take_name() && lexer.done();
}

Value read_number_token(std::string_view raw) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (raw.size() > 2 && lower(raw[1]) == 'x') return read_hex(raw.substr(2));
  // Converts it to JSON: 007 is 7, .5 is 0.5, and 1. is 1.0
  std::string token(raw.substr(std::min(raw.find_first_not_of('0'), raw.size())));
  if (token.empty() || !is_digit(token.front())) token.insert(0, 1, '0');
  const std::size_t behind_point = token.find('.') + 1;
  if (behind_point > 0 && (behind_point == token.size() || !is_digit(token[behind_point]))) {
    token.insert(behind_point, 1, '0');
  }
  Value value;
  const NumberFault fault = read_number(token, value);
  CHECK(fault != NumberFault::malformed);
  return fault == NumberFault::none ? value : infinity;
}

std::optional<std::string> read_text_token(std::string_view raw) {
  const std::string_view inside = raw.substr(1, raw.size() - 2);
  if (inside.find("\\'") == std::string_view::npos) return unescape_json(inside);
  std::string as_json;  // JSON has no escape of the single quote
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool is_escape = inside[i] == '\\';
    if (is_escape && inside[i + 1] == '\'') ++i;
    as_json.push_back(inside[i]);
    if (is_escape && inside[i] == '\\') as_json.push_back(inside[++i]);
  }
  return unescape_json(as_json);
}

}  // namespace mayfly::cosmos::sql
