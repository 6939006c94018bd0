// Matches texts with regular expressions. RE2 takes time linear in the text, times the size of the
// compiled program. Both are bounded, and so is their product.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <string>

#include "expr/evaluation/patterns.h"
#include "expr/functions/families.h"
#include "expr/functions/texts/like.h"
#include "expr/limits.h"

namespace mayfly {
namespace {

struct Pattern final : expr::Prepared {
  explicit Pattern(const std::string& text, const RE2::Options& options) : re(text, options) {}
  RE2 re;
};
using PatternPtr = std::shared_ptr<const Pattern>;

Error pattern_is_too_large() {
  return {Code::too_large,
          fmt::format("A regular expression is longer than pattern_bytes_max ({} bytes), or its "
                      "program takes more than pattern_program_bytes_max ({}).",
                      limits::pattern_bytes_max, limits::pattern_program_bytes_max)};
}

// Null if RE2 refuses it. Fails with too_large.
Result<PatternPtr> compile(const std::string& expression, bool ignores_case) {
  if (expression.size() > limits::pattern_bytes_max) return tl::unexpected(pattern_is_too_large());
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(limits::pattern_program_bytes_max);
  options.set_case_sensitive(!ignores_case);
  auto compiled = std::make_shared<const Pattern>(expression, options);
  if (compiled->re.ok()) return PatternPtr(compiled);
  if (compiled->re.error_code() == RE2::ErrorPatternTooLarge)
    return tl::unexpected(pattern_is_too_large());
  return PatternPtr();
}

// --- regular expressions ---

// The pattern without white space and comments (# to the end of the line), unless escaped or in
// brackets.
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

// Null if the pattern or its flags are malformed.
Result<PatternPtr> compile_flagged(std::string_view pattern, std::string_view flags) {
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
      return PatternPtr();
    }
  }
  if (!inline_flags.empty()) inline_flags = "(?" + inline_flags + ")";
  return compile(inline_flags + (is_spaced ? without_white_space(pattern) : std::string(pattern)),
                 ignores_case);
}

Result<PatternPtr> compile_expression(const Value& pattern, const Value* flags) {
  if (!pattern.is(Kind::text) || (flags != nullptr && !flags->is(Kind::text))) return PatternPtr();
  if (pattern.text().size() > limits::pattern_bytes_max) {
    return tl::unexpected(pattern_is_too_large());
  }
  return compile_flagged(pattern.text(), flags ? std::string_view(flags->text()) : "");
}

// --- rows ---

std::shared_ptr<const expr::Prepared> prepare_pattern(std::span<const Value* const> literals) {
  if (literals[1] == nullptr || (literals.size() > 2 && literals[2] == nullptr)) return nullptr;
  return compile_expression(*literals[1], literals.size() > 2 ? literals[2] : nullptr)
      .value_or(nullptr);
}

// RE2 may run its whole program for each byte.
Result<void> check_pattern_work(const std::string& text, const RE2& re) {
  const auto work = text.size() * static_cast<std::size_t>(std::max(re.ProgramSize(), 1));
  if (work <= limits::pattern_work_max) return {};
  return fail(Code::too_large,
              fmt::format("A regular expression of {} instructions over a text of {} bytes takes "
                          "more than pattern_work_max ({}); simplify it.",
                          re.ProgramSize(), text.size(), limits::pattern_work_max));
}

Result<Value> matches(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  PatternPtr made;
  const auto* pattern = static_cast<const Pattern*>(a.prepared());
  if (pattern == nullptr) {
    made = TRY(compile_expression(a[1], a.size() > 2 ? &a[2] : nullptr));
    pattern = made.get();
  }
  if (pattern == nullptr) return Value();
  TRY(check_pattern_work(a[0].text(), pattern->re));
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
       .apply = matches,
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
       .prepare = prepare_pattern},
      like_function(),
  };
  return table;
}

}  // namespace mayfly
