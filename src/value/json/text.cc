// Escaping and unescaping of JSON texts.
#include "value/json/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "value/json/json.h"

namespace mayfly {
namespace {

// 0: unescaped; 'u': written as \u00XX; else the letter after the backslash.
constexpr std::array<char, 256> escapes = [] {
  std::array<char, 256> table{};
  for (int c = 0; c < 0x20; ++c) table[c] = 'u';
  table['\b'] = 'b';
  table['\t'] = 't';
  table['\n'] = 'n';
  table['\f'] = 'f';
  table['\r'] = 'r';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

char escape_of(char c) {
  return escapes[static_cast<std::uint8_t>(c)];
}

// Four hexadecimal digits at `at`, or -1.
int hex_at(std::string_view raw, std::size_t at) {
  if (raw.size() < 4 || at > raw.size() - 4) return -1;
  int code = 0;
  for (const char c : raw.substr(at, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

void put_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint8_t lead_bytes[] = {0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(lead_bytes[more] | code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) {
    out.push_back(static_cast<char>(0x80 | (code >> (6 * i) & 0x3F)));
  }
}

// The code point of \uXXXX or of a surrogate pair whose first digits are at `at`; moves `at` behind
// it. Nullopt if it is invalid.
std::optional<std::uint32_t> take_code_point(std::string_view raw, std::size_t& at) {
  const int first = hex_at(raw, at);
  at += 4;
  if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF)) return std::nullopt;
  if (first < 0xD800 || first > 0xDBFF) return first;
  if (raw.substr(at, 2) != "\\u") return std::nullopt;
  const int second = hex_at(raw, at + 2);
  at += 6;
  if (second < 0xDC00 || second > 0xDFFF) return std::nullopt;
  return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
}

bool unescape_one(std::string_view raw, std::size_t& at, std::string& out) {
  if (at >= raw.size()) return false;
  const char letter = raw[at++];
  switch (letter) {
    case '"':
    case '\\':
    case '/': out.push_back(letter); return true;
    case 'b': out.push_back('\b'); return true;
    case 'f': out.push_back('\f'); return true;
    case 'n': out.push_back('\n'); return true;
    case 'r': out.push_back('\r'); return true;
    case 't': out.push_back('\t'); return true;
    case 'u': break;
    default: return false;
  }
  const auto code = take_code_point(raw, at);
  if (code) put_utf8(out, *code);
  return code.has_value();
}

}  // namespace

std::optional<std::string> unescape_json(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t plain_end = std::min(raw.find('\\', at), raw.size());
    text.append(raw, at, plain_end - at);
    at = plain_end;
    if (at < raw.size() && !unescape_one(raw, ++at, text)) return std::nullopt;
  }
  return text;
}

bool needs_escapes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return escape_of(c) != 0; });
}

void put_escaped_json(std::string& out, std::string_view text) {
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char escape = escape_of(text[at]);
    if (escape == 0) continue;
    out.append(text, from, at - from);
    from = at + 1;
    out.push_back('\\');
    out.push_back(escape);
    if (escape != 'u') continue;
    constexpr char hex[] = "0123456789abcdef";
    out.append("00").push_back(hex[text[at] >> 4]);
    out.push_back(hex[text[at] & 15]);
  }
  out.append(text, from);
}

void render_json_text(std::string_view text, std::string& out) {
  out.push_back('"');
  put_escaped_json(out, text);
  out.push_back('"');
}

}  // namespace mayfly
