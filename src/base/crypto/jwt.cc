// JSON web tokens, HS256 only: sign_jwt and verify_jwt of crypto.h.
//
//   token     = base64url(header) "." base64url(claims) "." base64url(hmac_sha256(key, all before
//   the last ".")) header    = a JSON object whose "alg" is "HS256" and which has no "crit"
#include <cctype>

#include "base/crypto/crypto.h"
#include "base/limits.h"

namespace mayfly {
namespace {

Result<std::string> refuse(std::string_view why) {
  return fail(Code::unauthenticated, "the token is refused: " + std::string(why));
}

// Reads a header: one JSON object of plain members. Refuses texts with escapes, characters outside
// printable ASCII, and nested values. No honest issuer writes them, and attacks exploit headers
// that two parsers read differently.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view json) : rest_(json) {}

  // Whether this is such an object, with exactly one "alg", which is "HS256", and without "crit".
  bool is_accepted() {
    if (!skip('{')) return false;
    int algorithms = 0;
    do {
      std::string_view name;
      std::string_view value;
      if (!text(name) || !skip(':') || !plain(value)) return false;
      if (name == "crit") return false;
      if (name == "alg" && (++algorithms > 1 || value != "\"HS256\"")) return false;
    } while (skip(','));
    return skip('}') && at_end() && algorithms == 1;
  }

 private:
  void skip_space() {
    const auto start = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }
  bool skip(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool text(std::string_view& inner) {
    if (!skip('"')) return false;
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] >= ' ' && rest_[end] <= '~' && rest_[end] != '"' &&
           rest_[end] != '\\') {
      ++end;
    }
    if (end == rest_.size() || rest_[end] != '"') return false;
    inner = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  // A text with its quotes, a number or a word.
  bool plain(std::string_view& value) {
    skip_space();
    const std::string_view before = rest_;
    std::string_view inner;
    if (!before.empty() && before.front() == '"') {
      if (!text(inner)) return false;
      value = before.substr(0, inner.size() + 2);
      return true;
    }
    std::size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 ||
                                rest_[n] == '-' || rest_[n] == '+' || rest_[n] == '.')) {
      ++n;
    }
    value = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return value == "true" || value == "false" || value == "null" || is_number(value);
  }

  // number := "-"? (0 | [1-9][0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
  static bool is_number(std::string_view text) {
    const auto take = [&text](std::string_view any) {
      const bool has = !text.empty() && any.find(text.front()) != std::string_view::npos;
      if (has) text.remove_prefix(1);
      return has;
    };
    const auto take_digits = [&take] {
      if (!take("0123456789")) return false;
      while (take("0123456789")) continue;
      return true;
    };
    take("-");
    if (!take("0") && !take_digits()) return false;
    if (take(".") && !take_digits()) return false;
    if (take("eE")) {
      take("+-");
      if (!take_digits()) return false;
    }
    return text.empty();
  }

  std::string_view rest_;
};

}  // namespace

Result<std::string> sign_jwt(std::string_view claims_json, BytesView key) {
  if (key.empty()) return fail(Code::invalid, "a token cannot be signed with an empty key");
  std::string token =
      encode_base64url(R"({"alg":"HS256","typ":"JWT"})") + "." + encode_base64url(claims_json);
  token += "." + encode_base64url(hmac_sha256(key, token));
  if (token.size() > limits::token_bytes_max) {
    return fail(Code::too_large, "a token may have " + std::to_string(limits::token_bytes_max) +
                                     " bytes (token_bytes_max)");
  }
  return token;
}

Result<std::string> verify_jwt(std::string_view token, BytesView key) {
  if (key.empty()) return fail(Code::invalid, "a token cannot be verified with an empty key");
  if (token.size() > limits::token_bytes_max) {
    return refuse("it is larger than " + std::to_string(limits::token_bytes_max) +
                  " bytes (token_bytes_max)");
  }
  const auto first = token.find('.');
  const auto last = token.rfind('.');
  if (first == last || token.find('.', first + 1) != last) return refuse("it has not three parts");
  const Result<Bytes> signature = decode_base64url(token.substr(last + 1));
  const Bytes expected = hmac_sha256(key, token.substr(0, last));
  if (!signature || !constant_time_equal(*signature, expected)) {
    return refuse("its signature is wrong");
  }
  const Result<Bytes> header = decode_base64url(token.substr(0, first));
  if (!header || !HeaderReader(*header).is_accepted())
    return refuse("its header is not one of HS256");
  Result<Bytes> claims = decode_base64url(token.substr(first + 1, last - first - 1));
  if (!claims) return refuse("its claims are not base64url");
  return claims;
}

}  // namespace mayfly
