// JsonCursor: walks the tokens of a JSON text and checks the grammar. The function that finds an
// error returns false, and the cursor keeps the first error; the caller then stops. Threads: one.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "value/json/number.h"
#include "value/json/tokens.h"

namespace mayfly {

// The tokens must stay valid while it is used (tokens.h).
class JsonCursor {
 public:
  // Arrays and objects nested deeper than `depth_max` are an error: too_large.
  JsonCursor(const Tokens& tokens, std::size_t depth_max)
      : tokens_(tokens), depth_max_(depth_max) {}

  // The first byte of the next token; 0 at the end.
  char peek() const { return next_ < tokens_.count ? tokens_.text[tokens_.starts[next_]] : '\0'; }
  // The byte position of the next token.
  std::size_t position() const { return position_of(next_); }
  // Consumes the next token and returns its text.
  std::string_view take();

  // Consumes a text; `raw` is its bytes between the quotes, still escaped.
  bool text(std::string_view& raw);
  // Consumes null, false, true or a number.
  bool scalar(Value& out);
  bool number(std::string_view token, Value& out);
  bool literal(std::string_view word);

  // Enters an array or object; more() finds its end.
  bool enter();
  // Within one: whether an item follows. Consumes the comma before the item, or the end. Returns
  // false at the end and at an error: check failed(). `first` says that no item has been consumed
  // yet.
  bool more(char close, bool first);
  // Consumes a member's name and the colon.
  bool name(std::string_view& raw) { return text(raw) && colon(); }
  bool end_of_text();

  bool refuse(std::size_t position, std::string_view what);
  bool refuse(Error error);
  bool failed() const { return failed_; }
  Error& error() { return error_; }

 private:
  std::size_t position_of(std::size_t token) const {
    return token < tokens_.count ? tokens_.starts[token] : tokens_.text.size();
  }
  bool colon();
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

  Tokens tokens_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  std::size_t depth_max_;
  bool failed_ = false;
  Error error_;
};

// Inline because it is called for every token.
inline std::string_view JsonCursor::take() {
  const std::size_t start = position_of(next_);
  ++next_;
  std::size_t end = position_of(next_);
  while (end > start && is_space(tokens_.text[end - 1])) --end;
  return tokens_.text.substr(start, end - start);
}

}  // namespace mayfly
