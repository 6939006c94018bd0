// Regular expressions on strings, in the syntax of RE2. Features that only Java has (lookahead,
// backreferences) are refused. The time of RE2 is proportional to the length of the text times the
// size of its program; the product is bounded.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/weight.h"
#include "expr/functions/texts/utf8.h"
#include "expr/limits.h"

namespace mayfly::fauna {
namespace {

using RegexPtr = std::unique_ptr<const RE2>;

tl::unexpected<Error> invalid_regex(Run& run, std::string_view reason, std::size_t index) {
  return run.fail("invalid_regex",
                  fmt::format("Invalid regular expression. {} at index {}", reason, index));
}

Result<RegexPtr> compile_regex(Run& run, const std::string& pattern, std::string_view text) {
  if (pattern.size() > limits::pattern_bytes_max) {
    return invalid_regex(run, "Pattern is too large", limits::pattern_bytes_max);
  }
  TRY(run.meter().tick(static_cast<std::uint32_t>(1 + pattern.size())));
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(limits::pattern_program_bytes_max);
  auto compiled = std::make_unique<const RE2>(pattern, options);
  if (!compiled->ok()) {
    const std::size_t at = pattern.find(compiled->error_arg());
    return invalid_regex(run, compiled->error(), at == std::string::npos ? 0 : at);
  }
  const auto instructions = static_cast<std::size_t>(std::max(compiled->ProgramSize(), 1));
  if (text.size() > limits::pattern_work_max / instructions) {
    return run.fail("value_too_large", "Value too large: the string is too long for the pattern");
  }
  return compiled;
}

// Iterates over the matches from the left.
class Matches {
 public:
  Matches(Run& run, const RE2& regex, std::string_view text, std::size_t from = 0)
      : run_(run), regex_(regex), text_(text), from_(from) {}

  // False after the last match.
  Result<bool> next() {
    if (from_ > text_.size()) return false;
    TRY(run_.step());
    TRY(step_bytes(run_, text_.size() - from_));
    const re2::StringPiece all(text_.data(), text_.size());
    re2::StringPiece found;
    if (!regex_.Match(all, from_, text_.size(), RE2::UNANCHORED, &found, 1)) return false;
    begin_ = static_cast<std::size_t>(found.data() - text_.data());
    end_ = begin_ + found.size();
    from_ = !found.empty()        ? end_
            : end_ < text_.size() ? skip_code_points(text_, 1, end_)
                                  : text_.size() + 1;
    return true;
  }
  std::size_t begin() const { return begin_; }  // in bytes
  std::size_t end() const { return end_; }
  std::string_view text() const { return text_.substr(begin_, end_ - begin_); }

 private:
  Run& run_;
  const RE2& regex_;
  const std::string_view text_;
  std::size_t from_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Counts the code points before increasing positions.
class PositionCounter {
 public:
  explicit PositionCounter(std::string_view text) : text_(text) {}
  FqlValue at(std::size_t byte) {
    count_ += count_code_points(text_.substr(counted_, byte - counted_));
    counted_ = byte;
    return whole_number(static_cast<std::int64_t>(count_));
  }

 private:
  const std::string_view text_;
  std::size_t counted_ = 0;
  std::size_t count_ = 0;
};

Result<FqlValue> regex_includes(Run& run, const FqlValue& self, const Arguments& a) {
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), self.text()));
  return FqlValue(TRY(Matches(run, *regex, self.text()).next()));
}

Result<FqlValue> regex_index_of(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), text));
  std::size_t from = 0;
  if (a.has(1)) {
    const std::size_t length = count_code_points(text);
    from = skip_code_points(text, TRY(position_within(run, a[1].whole().number, length)));
  }
  Matches matches(run, *regex, text, from);
  if (!TRY(matches.next())) return null_because(NullCause::no_element);
  return PositionCounter(text).at(matches.begin());
}

Result<FqlValue> regex_matches(Run& run, const FqlValue& self, const Arguments& a) {
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), self.text()));
  FqlArray found;
  for (Matches matches(run, *regex, self.text()); TRY(matches.next());) {
    TRY(run.check_elements(found.size() + 1));
    found.push_back(TRY(make_text(run, std::string(matches.text()))));
  }
  return make_array(run, std::move(found));
}

Result<FqlValue> regex_match_indexes(Run& run, const FqlValue& self, const Arguments& a) {
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), self.text()));
  PositionCounter position(self.text());
  FqlArray found;
  for (Matches matches(run, *regex, self.text()); TRY(matches.next());) {
    TRY(run.check_elements(found.size() + 1));
    const FqlValue match = TRY(make_text(run, std::string(matches.text())));
    found.push_back(TRY(make_array(run, {position.at(matches.begin()), match})));
  }
  return make_array(run, std::move(found));
}

// Replaces the first `count` matches by the literal text.
Result<FqlValue> matches_replaced(Run& run, std::string_view text, const Arguments& a,
                                  std::int64_t count) {
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), text));
  Matches matches(run, *regex, text);
  std::string out;
  std::size_t from = 0;
  for (; count > 0 && TRY(matches.next()); --count) {
    out.append(text, from, matches.begin() - from).append(a[1].text());
    from = matches.end();
    if (out.size() > limits::fql_text_bytes_max) break;
  }
  out.append(text, from);
  return make_text(run, std::move(out));
}

Result<FqlValue> regex_replace(Run& run, const FqlValue& self, const Arguments& a) {
  const std::int64_t count = a.has(2) ? a[2].whole().number : 1;
  if (count < 1) return run.fail_argument("count", "must be greater than or equal to 1");
  return matches_replaced(run, self.text(), a, count);
}

Result<FqlValue> regex_replace_all(Run& run, const FqlValue& self, const Arguments& a) {
  return matches_replaced(run, self.text(), a, INT64_MAX);
}

// An empty match splits only between characters.
Result<FqlValue> regex_split(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const RegexPtr regex = TRY(compile_regex(run, a[0].text(), text));
  FqlArray parts;
  std::size_t from = 0;
  for (Matches matches(run, *regex, text); TRY(matches.next());) {
    const bool is_empty = matches.begin() == matches.end();
    if (is_empty && (matches.begin() == from || matches.begin() == text.size())) continue;
    TRY(run.check_elements(parts.size() + 1));
    parts.push_back(TRY(make_text(run, std::string(text.substr(from, matches.begin() - from)))));
    from = matches.end();
  }
  parts.push_back(TRY(make_text(run, std::string(text.substr(from)))));
  return make_array(run, std::move(parts));
}

}  // namespace

std::span<const Method> regex_methods() {
  static const Method table[] = {
      {"String", "includesRegex", "(regex: String) => Boolean",
       "Whether the regular expression matches somewhere.", R"("fauna".includesRegex("a.n"))",
       "true", regex_includes},
      {"String", "indexOfRegex", "(regex: String, start?: Int) => Int | Null",
       "Where it first matches, at `start` or behind it.", R"("fauna".indexOfRegex("[un]"))", "2",
       regex_index_of},
      {"String", "matches", "(regex: String) => Array<String>", "All its matches.",
       R"("fauna".matches("[aeiou]+").last())", R"("a")", regex_matches},
      {"String", "matchIndexes", "(regex: String) => Array",
       "All its matches, each as an array of its position and its text.",
       R"("fauna".matchIndexes("[aeiou]+").first()![0])", "1", regex_match_indexes},
      {"String", "replaceRegex", "(regex: String, replacement: String, count?: Int) => String",
       "Its first `count` matches replaced; one, where `count` is left out.",
       R"("fauna".replaceRegex("[aeiou]", "*", 2))", R"("f**na")", regex_replace},
      {"String", "replaceAllRegex", "(regex: String, replacement: String) => String",
       "All its matches replaced.", R"("fauna".replaceAllRegex("[aeiou]+", "*"))", R"("f*n*")",
       regex_replace_all},
      {"String", "splitRegex", "(regex: String) => Array<String>", "What lies between its matches.",
       R"("a1b22c".splitRegex("[0-9]+").last())", R"("c")", regex_split},
  };
  return table;
}

}  // namespace mayfly::fauna
