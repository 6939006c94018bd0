#include "dialect/fauna/syntax/print.h"

#include <fmt/format.h>

#include "dialect/fauna/syntax/tokens/lexer.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view escaped_in_quotes("\\\0\"\n\r\v\t\b\f#", 10);
constexpr std::string_view codes_in_quotes = "\\0\"nrvtbf#";

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    const std::size_t row = c.size == 1 ? escaped_in_quotes.find(text[at]) : std::string_view::npos;
    if (row != std::string_view::npos) {
      out += '\\';
      out += codes_in_quotes[row];
    } else if (is_plain_character(c.value)) {
      out += text.substr(at, c.size);
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
    }
    at += c.size;
  }
  return out + "\"";
}

std::string key_text(std::string_view key) {
  return is_identifier(key) ? std::string(key) : in_quotes(key);
}

}  // namespace mayfly::fauna
