// The grammar of JSON over tokens.
#include "value/json/cursor.h"

#include <fmt/format.h>

namespace mayfly {

bool JsonCursor::text(std::string_view& raw) {
  const std::size_t start = position();
  if (peek() != '"') return refuse(start, "a text in double quotes is expected");
  const std::string_view token = take();
  if (token.size() < 2 || token.back() != '"') return refuse(start, "this text is never closed");
  raw = token.substr(1, token.size() - 2);
  return true;
}

bool JsonCursor::literal(std::string_view word) {
  const std::size_t start = position();
  return take() == word || refuse(start, "a value is expected");
}

bool JsonCursor::number(std::string_view token, Value& out) {
  switch (read_number(token, out)) {
    case NumberFault::none: return true;
    case NumberFault::malformed: return refuse(position_of(next_ - 1), "a value is expected");
    case NumberFault::too_great:
      return refuse(position_of(next_ - 1), "this number is too great for a double");
  }
  return false;
}

bool JsonCursor::scalar(Value& out) {
  switch (peek()) {
    case 'n': out = Null(); return literal("null");
    case 'f': out = false; return literal("false");
    case 't': out = true; return literal("true");
    case '\0': return refuse(position(), "a value is expected, and the text ends");
    default: return number(take(), out);
  }
}

bool JsonCursor::enter() {
  if (++depth_ > depth_max_) {
    return refuse(Error{Code::too_large, fmt::format("JSON nested deeper than {} at byte {}",
                                                     depth_max_, position())});
  }
  ++next_;
  return true;
}

bool JsonCursor::more(char close, bool first) {
  if (failed_) return false;
  const char c = peek();
  if (c == close) {
    ++next_;
    --depth_;
    return false;
  }
  if (first) return true;
  if (c != ',') {
    return refuse(position(),
                  close == '}' ? "a comma or } is expected" : "a comma or ] is expected");
  }
  ++next_;
  return true;
}

bool JsonCursor::colon() {
  if (peek() != ':') return refuse(position(), "a colon is expected");
  ++next_;
  return true;
}

bool JsonCursor::end_of_text() {
  return next_ >= tokens_.count || refuse(position(), "the value has ended, and more follows");
}

bool JsonCursor::refuse(std::size_t position, std::string_view what) {
  return refuse(Error{Code::invalid, fmt::format("not JSON at byte {}: {}", position, what)});
}

bool JsonCursor::refuse(Error error) {
  if (!failed_) error_ = std::move(error);
  failed_ = true;
  return false;
}

}  // namespace mayfly
