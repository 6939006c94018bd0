#include "dialect/native/filter/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "value/json/number.h"
#include "value/json/text.h"

namespace mayfly::native {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_in_name(char c) {
  return begins_name(c) || is_digit(c) || c == '-';
}
bool is_in_number(char c) {
  return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool goes_on(char byte) {  // a continuation byte of UTF-8
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Longer ones first.
constexpr std::array<std::string_view, 14> symbols{"!=", "<=", ">=", "=", "<", ">", "(",
                                                   ")",  "[",  "]",  ",", ".", "@", "-"};

// The text between single quotes as in JSON: \' becomes ', and " becomes \".
std::string with_double_quotes(std::string_view raw) {
  std::string json;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size()) {
      if (raw[i + 1] != '\'') json += raw[i];
      json += raw[++i];
    } else {
      if (raw[i] == '"') json += '\\';
      json += raw[i];
    }
  }
  return json;
}

}  // namespace

Result<Token> Lexer::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return Token{.at = at_};
  const char first = text_[at_];
  if (first == '"' || first == '\'') return text_token();
  const bool is_negative = first == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  if (is_digit(first) || is_negative) return number_token();
  const std::size_t from = at_;
  if (begins_name(first)) {
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    return Token{TokenKind::name, text_.substr(from, at_ - from), from};
  }
  for (const std::string_view symbol : symbols) {
    if (!text_.substr(at_).starts_with(symbol)) continue;
    at_ += symbol.size();
    return Token{TokenKind::symbol, symbol, from};
  }
  return tl::unexpected(diagnose(text_, from, "this character means nothing here"));
}

Result<Token> Lexer::text_token() {
  const std::size_t from = at_;
  const char quote = text_[at_];
  std::size_t end = from + 1;
  while (end < text_.size() && text_[end] != quote) {
    if (static_cast<unsigned char>(text_[end]) < 0x20) break;
    end += text_[end] == '\\' ? 2 : 1;
  }
  if (end >= text_.size() || text_[end] != quote) {
    return tl::unexpected(diagnose(text_, from, "this text is not closed"));
  }
  at_ = end + 1;
  const std::string_view raw = text_.substr(from + 1, end - from - 1);
  auto value = quote == '"' ? unescape_json(raw) : unescape_json(with_double_quotes(raw));
  if (!value) return tl::unexpected(diagnose(text_, from, "this text has a broken escape"));
  return Token{TokenKind::text, text_.substr(from, at_ - from), from, Value(*std::move(value))};
}

Result<Token> Lexer::number_token() {
  const std::size_t from = at_;
  while (at_ < text_.size() && (is_in_number(text_[at_]) || is_in_name(text_[at_]))) ++at_;
  Token token{TokenKind::number, text_.substr(from, at_ - from), from};
  if (read_number(token.raw, token.value) == NumberFault::none) return token;
  return tl::unexpected(diagnose(text_, from, "this is no number"));
}

Error diagnose(std::string_view text, std::size_t at, std::string message) {
  constexpr std::size_t before_max = 60;
  constexpr std::size_t after_max = 40;
  std::size_t from = at > before_max ? at - before_max : 0;
  while (from > 0 && goes_on(text[from])) --from;
  std::size_t to = std::min(text.size(), at + after_max);
  while (to < text.size() && goes_on(text[to])) ++to;
  std::string shown(text.substr(from, to - from));
  std::replace_if(shown.begin(), shown.end(), is_space, ' ');
  const char* const mark = shown.data() + (at - from);
  const auto width = std::count_if(static_cast<const char*>(shown.data()), mark,
                                   [](char byte) { return !goes_on(byte); });
  message += "\n  " + shown + "\n  " + std::string(static_cast<std::size_t>(width), ' ') + "^";
  return {Code::invalid, std::move(message), "filter"};
}

}  // namespace mayfly::native
