// The tokens of a filter. Names are letters, digits, _, $, - and all characters outside ASCII, and
// do not begin with a digit or -. Texts are in double or single quotes with the escapes of JSON;
// numbers are as in JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::native {

enum class TokenKind { end, name, text, number, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view raw = {};  // its text in the filter
  std::size_t at = 0;         // position of its first byte
  Value value = {};           // value of a text or number

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

// An error with a position: the message, the text around the position, and a caret below it.
Error diagnose(std::string_view text, std::size_t at, std::string message);

}  // namespace mayfly::native
