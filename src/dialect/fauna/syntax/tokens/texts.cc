#include "dialect/fauna/syntax/tokens/texts.h"

#include <algorithm>
#include <charconv>

#include "dialect/fauna/syntax/tokens/lexer.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view escape_codes = "\\0'\"`nrvtbf#";
constexpr std::string_view escaped_characters("\\\0'\"`\n\r\v\t\b\f#", 12);

void append_code_point(std::string& out, std::uint32_t c) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

bool is_hexadecimal(std::string_view source, std::uint32_t at) {
  return at < source.size() && std::isxdigit(static_cast<unsigned char>(source[at])) != 0;
}

TextPiece fault_at(std::uint32_t at, std::string_view message) {
  return {at, {}, TextFault{at, at + 1, message}};
}

// The number of hex digits from there on, at most `max`.
std::uint32_t count_hexadecimal(std::string_view source, std::uint32_t at, std::uint32_t max) {
  std::uint32_t count = 0;
  while (count < max && is_hexadecimal(source, at + count)) ++count;
  return count;
}

TextPiece code_point_of(std::string_view digits, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t c = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), c, 16);
  constexpr std::string_view message = "Invalid escape";
  if (c > 0x10FFFF) {
    return {end, {}, TextFault{begin, end, message, "outside of valid unicode range"}};
  }
  if (c >= 0xD800 && c <= 0xDFFF) {
    return {end, {}, TextFault{begin, end, message, "surrogates are disallowed"}};
  }
  TextPiece piece{end};
  append_code_point(piece.text, c);
  return piece;
}

// \x and two digits, \u and four, \u{ and one to six; `at` is at the x or u.
TextPiece read_numeric_escape(std::string_view source, std::uint32_t at) {
  const std::uint32_t begin = at - 1;
  const bool is_braced = source[at] == 'u' && source.substr(at + 1, 1) == "{";
  const std::uint32_t expected = is_braced ? 6 : source[at] == 'u' ? 4 : 2;
  const std::uint32_t first = at + (is_braced ? 2 : 1);
  const std::uint32_t count = count_hexadecimal(source, first, expected);
  const std::uint32_t last = first + count;
  if (is_braced) {
    if (count == 0) return fault_at(last, "Expected hex digit");
    if (source.substr(last, 1) != "}") {
      return fault_at(last, count < expected ? "Expected `}` or hex digit" : "Expected `}`");
    }
    return code_point_of(source.substr(first, count), begin, last + 1);
  }
  if (count < expected) {
    const bool may_be_braced = count == 0 && expected == 4;
    return fault_at(last, may_be_braced ? "Expected `{` or hex digit" : "Expected hex digit");
  }
  return code_point_of(source.substr(first, count), begin, last);
}

TextPiece read_escape(std::string_view source, std::uint32_t at) {
  if (at + 1 >= source.size()) return fault_at(at + 1, "Expected escape code");
  const char code = source[at + 1];
  if (code == 'x' || code == 'u') return read_numeric_escape(source, at + 1);
  const std::size_t row = escape_codes.find(code);
  if (row == std::string_view::npos) return fault_at(at + 1, "Expected escape code");
  return {at + 2, std::string(1, escaped_characters[row])};
}

std::uint32_t skip_spaces(std::string_view source, std::uint32_t at) {
  while (at < source.size() && (source[at] == ' ' || source[at] == '\t')) ++at;
  return at;
}

}  // namespace

TextPiece read_plain_character(std::string_view source, std::uint32_t at) {
  const CodePoint c = code_point_at(source, at);
  const std::uint32_t end = at + std::max<std::uint32_t>(c.size, 1);
  if (c.size > 0 && is_plain_character(c.value)) {
    return {end, std::string(source.substr(at, c.size))};
  }
  if (c.size == 0) return fault_at(at, "Unexpected end of a string");
  return {end, {}, TextFault{at, end, "Invalid character", "it has no place in a string"}};
}

TextPiece read_text_character(std::string_view source, std::uint32_t at) {
  if (source.substr(at, 1) == "\\") return read_escape(source, at);
  return read_plain_character(source, at);
}

std::optional<std::uint32_t> end_of_plain_text(std::string_view source, std::uint32_t at) {
  const char quote = source[at];
  for (++at; at < source.size(); ++at) {
    if (source[at] == quote) return at + 1;
    if (source[at] == '\\') ++at;
    if (quote == '"' && source.substr(at, 2) == "#{") return std::nullopt;
  }
  return std::nullopt;
}

bool is_line_end(std::string_view source, std::uint32_t at) {
  return at < source.size() && (source[at] == '\n' || source[at] == '\r');
}

HeredocHead read_heredoc_head(std::string_view source, std::uint32_t at) {
  at = skip_spaces(source, at);
  const std::uint32_t begin = at;
  if (at >= source.size() || !is_name_start(source[at])) {
    return {{}, at, TextFault{at, at + 1, "Expected identifier"}};
  }
  while (at < source.size() && is_name_part(source[at])) ++at;
  const std::string_view name = source.substr(begin, at - begin);
  if (const std::uint32_t line_end = skip_spaces(source, at); !is_line_end(source, line_end)) {
    return {name, at, TextFault{line_end, line_end + 1, "Expected a new line"}};
  }
  std::uint32_t body = at;
  // Empty lines at the beginning are skipped.
  for (at = skip_spaces(source, at); is_line_end(source, at); at = skip_spaces(source, at)) {
    while (is_line_end(source, at)) ++at;
    body = at;
  }
  return {name, body};
}

std::optional<std::uint32_t> end_of_heredoc_name(std::string_view source, std::uint32_t at,
                                                 std::string_view name) {
  at = skip_spaces(source, at);
  if (!source.substr(at).starts_with(name)) return std::nullopt;
  at += static_cast<std::uint32_t>(name.size());
  if (at < source.size() && is_name_part(source[at])) return std::nullopt;
  return at;
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace mayfly::fauna
