// Patterns of texts: wildcards, and the regular expressions of Lucene, as patterns of RE2.
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A literal byte; bytes of longer characters need no escape.
void put_literal(std::string& out, char c) {
  const bool is_plain = is_ascii_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80;
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\0') {
    out += "\\x00";
  } else {
    if (!is_plain && c > ' ') out += '\\';
    out += c;
  }
}

Result<void> check_size(std::string_view pattern, const std::string& place) {
  if (pattern.size() <= limits::search_pattern_bytes_max) return {};
  return fail(
      Code::too_large,
      "a pattern has at most " + std::to_string(limits::search_pattern_bytes_max) + " bytes",
      place);
}

}  // namespace

Result<std::string> wildcard_pattern(std::string_view wildcard, const std::string& place) {
  TRY(check_size(wildcard, place));
  std::string out = "(?s)\\A";
  for (std::size_t i = 0; i < wildcard.size(); ++i) {
    const char c = wildcard[i];
    if (c == '*') {
      out += ".*";
    } else if (c == '?') {
      out += '.';
    } else {
      const bool is_escape = c == '\\' && i + 1 < wildcard.size();
      put_literal(out, is_escape ? wildcard[++i] : c);
    }
  }
  return out + "\\z";
}

Result<std::string> regexp_pattern(std::string_view regexp, const std::string& place) {
  TRY(check_size(regexp, place));
  std::string out = "(?s)\\A(?:";
  bool is_in_brackets = false;
  for (std::size_t i = 0; i < regexp.size(); ++i) {
    const char c = regexp[i];
    if (c == '\\' && i + 1 < regexp.size()) {
      const char escaped = regexp[++i];
      // An escaped letter is that letter, not a class.
      put_literal(out, escaped);
    } else if (is_in_brackets) {
      is_in_brackets = c != ']';
      if (c == '[') out += '\\';
      out += c;
    } else if (c == '[') {
      is_in_brackets = true;
      out += c;
    } else if (c == '@') {
      out += ".*";
    } else if (c == '^' || c == '$') {
      put_literal(out, c);  // expressions match the whole text anyway
    } else if (std::string_view("~&<>\"#").find(c) != std::string_view::npos) {
      return fail(Code::unsupported,
                  std::string("the operator ") + c + " of regular expressions is not offered",
                  place);
    } else {
      out += c;
    }
  }
  return out + ")\\z";
}

Result<ExprPtr> matches_pattern(Lowering& lowering, const FieldValues& of,
                                const std::string& pattern, const std::string& place) {
  bool is_understood = true;
  ExprPtr condition = matches(lowering, of, [&](const ExprPtr& x) {
    ExprPtr call = expr::call("matches", {x, expr::literal(pattern)});
    is_understood = call->as<expr::FunctionCall>()->prepared != nullptr;
    return call;
  });
  if (!is_understood) return wrong(place, "is no regular expression that is understood");
  return condition;
}

}  // namespace mayfly::kuzzle::search
