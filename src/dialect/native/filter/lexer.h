// The tokens of a filter. Names are letters, digits, _, $ and -, and do not begin with a digit or
// -; texts stand in double or single quotes with JSON's escapes; numbers are JSON's.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::native {

enum class TokenKind { end, name, text, number, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view raw = {};  // as it stands in the filter
  std::size_t at = 0;         // its first byte
  Value value = {};           // of a text or number

  bool is(std::string_view word) const {
    return (kind == TokenKind::symbol || kind == TokenKind::name) && raw == word;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  // Fails with invalid (diagnose).
  Result<Token> next();

 private:
  Result<Token> text_token();
  Result<Token> number_token();

  std::string_view text_;
  std::size_t at_ = 0;
};

// The error that says what is wrong where: the message, the part of the text around the place, and
// a caret below it.
Error diagnose(std::string_view text, std::size_t at, std::string message);

}  // namespace mayfly::native
