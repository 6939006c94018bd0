#include "dialect/fauna/syntax/tokens/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace mayfly::fauna {
namespace {

struct SymbolRow {
  std::string_view text;
  TokenKind kind;
};

// Longer ones first, because the first match wins.
constexpr std::array symbols{
    SymbolRow{"...", TokenKind::ellipsis},
    SymbolRow{"<<-", TokenKind::heredoc},
    SymbolRow{"<<+", TokenKind::interpolated_heredoc},
    SymbolRow{"?.", TokenKind::question_dot},
    SymbolRow{"??", TokenKind::coalesce},
    SymbolRow{"=>", TokenKind::lambda_arrow},
    SymbolRow{"->", TokenKind::arrow},
    SymbolRow{"||", TokenKind::logical_or},
    SymbolRow{"&&", TokenKind::logical_and},
    SymbolRow{"==", TokenKind::equal},
    SymbolRow{"!=", TokenKind::not_equal},
    SymbolRow{"=~", TokenKind::matches},
    SymbolRow{"!~", TokenKind::matches_not},
    SymbolRow{">=", TokenKind::greater_equal},
    SymbolRow{"<=", TokenKind::less_equal},
    SymbolRow{"**", TokenKind::power},
    SymbolRow{"'", TokenKind::quote},
    SymbolRow{"\"", TokenKind::double_quote},
    SymbolRow{"(", TokenKind::open_round},
    SymbolRow{")", TokenKind::close_round},
    SymbolRow{"[", TokenKind::open_square},
    SymbolRow{"]", TokenKind::close_square},
    SymbolRow{"{", TokenKind::open_brace},
    SymbolRow{"}", TokenKind::close_brace},
    SymbolRow{",", TokenKind::comma},
    SymbolRow{";", TokenKind::semicolon},
    SymbolRow{":", TokenKind::colon},
    SymbolRow{".", TokenKind::dot},
    SymbolRow{"?", TokenKind::question},
    SymbolRow{"@", TokenKind::at_sign},
    SymbolRow{"=", TokenKind::assign},
    SymbolRow{">", TokenKind::greater},
    SymbolRow{"<", TokenKind::less},
    SymbolRow{"|", TokenKind::bar},
    SymbolRow{"^", TokenKind::caret},
    SymbolRow{"&", TokenKind::ampersand},
    SymbolRow{"+", TokenKind::plus},
    SymbolRow{"-", TokenKind::minus},
    SymbolRow{"*", TokenKind::star},
    SymbolRow{"/", TokenKind::slash},
    SymbolRow{"%", TokenKind::percent},
    SymbolRow{"!", TokenKind::bang},
    SymbolRow{"~", TokenKind::tilde},
};

constexpr std::array keywords{"at",  "case",  "else", "false", "if", "isa", "join",
                              "let", "match", "null", "of",    "on", "true"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_digit_of(int radix, char c) {
  const int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
  return c != '_' && digit >= 0 && digit < radix;
}

int radix_of(std::string_view number) {
  if (number.size() < 2 || number[0] != '0') return 10;
  switch (number[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
  }
}

// The end of the digits and underscores.
std::size_t end_of_digits(std::string_view text, std::size_t at, int radix = 10) {
  while (at < text.size() && (text[at] == '_' || is_digit_of(radix, text[at]))) ++at;
  return at;
}

bool is_digit_at(std::string_view text, std::size_t at, int radix = 10) {
  return at < text.size() && is_digit_of(radix, text[at]);
}

struct ReadNumber {
  std::size_t end;
  bool is_whole_token = true;
};

ReadNumber read_number(std::string_view text) {
  if (const int radix = radix_of(text); radix != 10) {
    return {end_of_digits(text, 2, radix), is_digit_at(text, 2, radix)};
  }
  std::size_t end = text[0] == '0' ? 1 : end_of_digits(text, 1);
  if (end < text.size() && text[end] == '.' && is_digit_at(text, end + 1)) {
    end = end_of_digits(text, end + 2);
  }
  if (end < text.size() && (text[end] | 0x20) == 'e') {
    ++end;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    if (!is_digit_at(text, end)) return {end, false};
    end = end_of_digits(text, end);
  }
  return {end};
}

// The end of the comment at the offset; nullopt if it is unterminated.
std::optional<std::size_t> end_of_line_comment(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') {
    const CodePoint c = code_point_at(text, at);
    if (!is_plain_character(c.value)) return std::nullopt;
    at += c.size;
  }
  return at;
}

std::optional<std::size_t> end_of_block_comment(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*" || two == "*/") {
      depth += two == "/*" ? 1 : -1;
      at += 2;
      if (depth == 0) return at;
      continue;
    }
    const CodePoint c = code_point_at(text, at);
    if (!is_plain_character(c.value)) return std::nullopt;
    at += c.size;
  }
  return std::nullopt;
}

struct Space {
  std::size_t end;
  bool has_new_line = false;
  bool is_broken = false;  // an unterminated comment, or one with a forbidden character
};

Space read_space(std::string_view text, std::size_t at) {
  Space space{at};
  for (;; at = space.end) {
    if (at >= text.size()) return space;
    const char c = text[at];
    const std::string_view two = text.substr(at, 2);
    const bool is_line_comment = two == "//";
    if (is_line_comment || two == "/*") {
      const auto end =
          is_line_comment ? end_of_line_comment(text, at) : end_of_block_comment(text, at);
      space.is_broken = !end;
      if (!end) return space;
      space.end = *end;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++space.end;
    } else {
      return space;
    }
    space.has_new_line = space.has_new_line || is_line_comment || c == '\n' || c == '\r';
  }
}

std::string without_low_lines(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

Number narrowest(std::uint64_t magnitude, bool is_negative) {
  constexpr auto long_max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  constexpr auto int_max = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (magnitude > long_max + (is_negative ? 1 : 0)) {
    return is_negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  }
  const auto number = static_cast<std::int64_t>(is_negative ? 0 - magnitude : magnitude);
  if (magnitude <= int_max + (is_negative ? 1 : 0)) return static_cast<std::int32_t>(number);
  return number;
}

double huge_number(std::string_view digits, int radix) {
  double sum = 0;
  for (const char c : digits) sum = sum * radix + (is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  return sum;
}

}  // namespace

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

bool is_keyword(std::string_view name) {
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) &&
         std::all_of(text.begin(), text.end(), is_name_part) && !is_keyword(text);
}

// Characters that change the writing direction, or that are invisible, could disguise a text.
bool is_plain_character(char32_t c) {
  if (c < 0x20) return c >= '\t' && c <= '\r';
  const bool is_hidden =
      (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) || (c >= 0x2060 && c <= 0x206F);
  return c != 0x7F && !is_hidden && c != 0xFEFF && !(c >= 0xFFF0 && c <= 0xFFFF);
}

Token Lexer::read(std::uint32_t offset) const {
  const Space space = read_space(text_, offset);
  const auto begin = static_cast<std::uint32_t>(space.end);
  const auto token = [&](TokenKind kind, std::size_t size) {
    return Token{kind, begin, static_cast<std::uint32_t>(begin + size), space.has_new_line};
  };
  const std::string_view rest = text_.substr(begin);
  if (space.is_broken) return token(TokenKind::unknown, 2);
  if (rest.empty()) return token(TokenKind::end, 0);
  if (is_name_start(rest[0])) {
    return token(TokenKind::name,
                 std::find_if_not(rest.begin(), rest.end(), is_name_part) - rest.begin());
  }
  if (is_digit(rest[0])) {
    const ReadNumber number_read = read_number(rest);
    return token(number_read.is_whole_token ? TokenKind::number : TokenKind::broken_number,
                 number_read.end);
  }
  if (std::binary_search(values_->begin(), values_->end(), begin)) {
    return token(TokenKind::value, value_name(value_at(begin)).size());
  }
  const auto fits = [&](const SymbolRow& row) {
    return rest[0] == row.text[0] && rest.starts_with(row.text);
  };
  const auto* const row = std::find_if(symbols.begin(), symbols.end(), fits);
  if (row != symbols.end()) return token(row->kind, row->text.size());
  return token(TokenKind::unknown, code_point_at(text_, begin).size);
}

std::size_t Lexer::value_at(std::uint32_t offset) const {
  return std::lower_bound(values_->begin(), values_->end(), offset) - values_->begin();
}

Number number_of(std::string_view token, bool is_negative) {
  const int radix = radix_of(token);
  const std::string digits = without_low_lines(radix == 10 ? token : token.substr(2));
  const char* const last = digits.data() + digits.size();
  std::uint64_t magnitude = 0;
  const auto whole = std::from_chars(digits.data(), last, magnitude, radix);
  if (whole.ec == std::errc() && whole.ptr == last) return narrowest(magnitude, is_negative);
  double real = 0;
  if (radix != 10) {
    real = huge_number(digits, radix);
  } else if (std::from_chars(digits.data(), last, real).ec == std::errc::result_out_of_range) {
    // Underflow gives zero, overflow infinity.
    const bool is_tiny = digits.find("e-") != std::string::npos ||
                         digits.find("E-") != std::string::npos || digits[0] == '0';
    real = is_tiny ? 0 : std::numeric_limits<double>::infinity();
  }
  return is_negative ? -real : real;
}

}  // namespace mayfly::fauna
