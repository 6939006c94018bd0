// Texts against patterns. RE2 runs in time linear in the text, whatever the pattern.
#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string>

#include "expr/functions/families.h"
#include "expr/functions/utf8.h"
#include "expr/patterns.h"

namespace mayfly {
namespace {

constexpr std::int64_t pattern_bytes_max = 1 << 20;  // what a compiled pattern may take

struct Pattern final : expr::Prepared {
  explicit Pattern(const std::string& text, const RE2::Options& options) : re(text, options) {}
  RE2 re;
};
using PatternPtr = std::shared_ptr<const Pattern>;

// Null where RE2 does not understand it.
PatternPtr compile(const std::string& expression, bool ignores_case) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(pattern_bytes_max);
  options.set_case_sensitive(!ignores_case);
  auto compiled = std::make_shared<const Pattern>(expression, options);
  return compiled->re.ok() ? compiled : nullptr;
}

// --- regular expressions ---

// Without white space and comments (# to the end of the line), unless escaped or in brackets.
std::string without_white_space(std::string_view pattern) {
  std::string out;
  bool is_in_brackets = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      out += c;
      out += pattern[++i];
      continue;
    }
    if (c == '[') is_in_brackets = true;
    if (c == ']') is_in_brackets = false;
    if (!is_in_brackets && c == '#') {
      i = std::min(pattern.find('\n', i), pattern.size());
    } else if (is_in_brackets || std::string_view(" \t\n\r\f\v").find(c) == std::string::npos) {
      out += c;
    }
  }
  return out;
}

// Null where the pattern or its flags are malformed.
PatternPtr compile_flagged(std::string_view pattern, std::string_view flags) {
  std::string inline_flags;
  bool ignores_case = false;
  bool is_spaced = false;
  for (const char flag : flags) {
    if (flag == 'i') {
      ignores_case = true;
    } else if (flag == 'x') {
      is_spaced = true;
    } else if (flag == 'm' || flag == 's') {
      inline_flags += flag;
    } else {
      return nullptr;
    }
  }
  if (!inline_flags.empty()) inline_flags = "(?" + inline_flags + ")";
  return compile(inline_flags + (is_spaced ? without_white_space(pattern) : std::string(pattern)),
                 ignores_case);
}

PatternPtr compile_expression(const Value& pattern, const Value* flags) {
  if (!pattern.is(Kind::text) || (flags != nullptr && !flags->is(Kind::text))) return nullptr;
  return compile_flagged(pattern.text(), flags ? std::string_view(flags->text()) : "");
}

// --- LIKE ---

void put_literal(std::string& out, std::string_view character) {
  if (character.size() == 1) {
    out += RE2::QuoteMeta(character);
  } else {
    out += character;
  }
}

// The brackets that begin at `at`, as a class of RE2, and `at` moved behind them; nothing where
// they are not closed.
std::optional<std::string> class_of(std::string_view pattern, std::size_t& at,
                                    std::string_view escape) {
  std::size_t i = at + 1;
  const bool is_negated = i < pattern.size() && pattern[i] == '^';
  if (is_negated) ++i;
  std::string inside;
  while (i < pattern.size() && pattern[i] != ']') {
    std::size_t end = skip_code_points(pattern, 1, i);
    std::string_view character = pattern.substr(i, end - i);
    if (character == escape && end < pattern.size()) {
      i = end;
      end = skip_code_points(pattern, 1, i);
      put_literal(inside, pattern.substr(i, end - i));
    } else if (character == "-" && !inside.empty() && end < pattern.size() && pattern[end] != ']') {
      inside += '-';
    } else {
      put_literal(inside, character);
    }
    i = end;
  }
  if (i >= pattern.size()) return std::nullopt;
  at = i + 1;
  if (inside.empty()) return std::string(is_negated ? "." : "[^\\x00-\\x{10FFFF}]");
  return (is_negated ? "[^" : "[") + inside + "]";
}

// Null where the escape is no single character, or stands at the end.
PatternPtr compile_like(const Value& pattern, const Value* escape) {
  if (!pattern.is(Kind::text) || (escape != nullptr && !escape->is(Kind::text))) return nullptr;
  if (escape != nullptr && count_code_points(escape->text()) != 1) return nullptr;
  const std::string_view escaping = escape ? std::string_view(escape->text()) : "";
  const std::string_view like = pattern.text();
  std::string out = "(?s)\\A";
  for (std::size_t at = 0; at < like.size();) {
    const std::size_t end = skip_code_points(like, 1, at);
    const std::string_view character = like.substr(at, end - at);
    if (character == escaping) {
      if (end == like.size()) return nullptr;
      at = skip_code_points(like, 1, end);
      put_literal(out, like.substr(end, at - end));
      continue;
    }
    if (character == "[") {
      if (const auto set = class_of(like, at, escaping)) {
        out += *set;
        continue;
      }
    }
    if (character == "%") {
      out += ".*";
    } else if (character == "_") {
      out += '.';
    } else {
      put_literal(out, character);
    }
    at = end;
  }
  return compile(out + "\\z", false);
}

// --- rows ---

using Compile = PatternPtr (*)(const Value& pattern, const Value* option);

template <Compile compile_it>
std::shared_ptr<const expr::Prepared> prepare_pattern(std::span<const Value* const> literals) {
  if (literals[1] == nullptr || (literals.size() > 2 && literals[2] == nullptr)) return nullptr;
  return compile_it(*literals[1], literals.size() > 2 ? literals[2] : nullptr);
}

template <Compile compile_it>
Result<Value> matches(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  PatternPtr made;
  const auto* pattern = static_cast<const Pattern*>(a.prepared());
  if (pattern == nullptr) {
    made = compile_it(a[1], a.size() > 2 ? &a[2] : nullptr);
    pattern = made.get();
  }
  if (pattern == nullptr) return Value();
  return Value(RE2::PartialMatch(a[0].text(), pattern->re));
}

}  // namespace

std::size_t expr::steps_per_character(const Prepared* pattern) {
  const auto* compiled = dynamic_cast<const Pattern*>(pattern);
  return compiled == nullptr ? 0 : static_cast<std::size_t>(compiled->re.ProgramSize());
}

std::span<const Function> pattern_functions() {
  static const Function table[] = {
      {.name = "matches",
       .summary =
           "Whether the pattern (RE2 syntax) occurs in the text. Flags: i ignores case, m lets "
           "^ and $ match at lines, s lets . match a line's end, x ignores white space in the "
           "pattern. Malformed: missing.",
       .arguments_min = 2,
       .arguments_max = 3,
       .apply = matches<compile_expression>,
       .examples = {{R"("order-17", "^order-[0-9]+$")", "true"},
                    {R"("ABC", "b", "i")", "true"},
                    {R"("a\nb", "^b$", "m")", "true"},
                    {R"("a\nb", "a.b", "s")", "true"},
                    {R"("a b", "a [ ] b # one", "x")", "true"},
                    {R"("ABC", "a b", "ix")", "true"},
                    {R"("abc", "(")", "missing"},
                    {R"("abc", "b", "q")", "missing"},
                    {R"("abc", "b", missing)", "missing"}},
       .gives_truth = true,
       .prepare = prepare_pattern<compile_expression>},
      {.name = "like",
       .summary =
           "Whether the text is of this form: % stands for any characters, _ for one, [a-f] for "
           "one of these, [^a-f] for any other. What stands behind the escape character stands for "
           "itself.",
       .arguments_min = 2,
       .arguments_max = 3,
       .apply = matches<compile_like>,
       .examples = {{R"("order-17", "%o_d%")", "true"},
                    {R"("banana", "[a-c]%")", "true"},
                    {R"("zebra", "[^a-c]%")", "true"},
                    {R"("20%", "20[%]")", "true"},
                    {R"("20%", "20!%", "!")", "true"},
                    {R"("200", "20!%", "!")", "false"},
                    {R"("ABC", "abc")", "false"},
                    {R"("abcd", "abc")", "false"},
                    {R"("a\nb", "a%b")", "true"},
                    {R"("a🦋", "a_")", "true"},
                    {R"("a.c", "a.c")", "true"},
                    {R"("abc", "a.c")", "false"},
                    {R"("a-", "a[x-]")", "true"},
                    {R"("a[b", "a[b")", "true"},
                    {R"("a", "a!", "!")", "missing"},
                    {R"("a", "a", "!!")", "missing"},
                    {R"("a", 1)", "missing"},
                    {R"(1, "1")", "missing"}},
       .symbol = "like",
       .gives_truth = true,
       .prepare = prepare_pattern<compile_like>},
  };
  return table;
}

}  // namespace mayfly
