#include "dialect/kuzzle/memory/glob.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

// Parses a class after its `[`: returns the position after it, and whether the byte is in it. An
// unclosed class ends with the pattern.
struct ClassMatch {
  std::size_t end;
  bool fits;
};

ClassMatch match_class(std::string_view pattern, std::size_t at, unsigned char byte) {
  const bool is_negated = at < pattern.size() && pattern[at] == '^';
  if (is_negated) ++at;
  bool is_in = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    auto from = static_cast<unsigned char>(pattern[at]);
    unsigned char to = from;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      to = static_cast<unsigned char>(pattern[at + 2]);
      at += 2;
    }
    if (from > to) std::swap(from, to);
    is_in = is_in || (from <= byte && byte <= to);
    ++at;
  }
  return {std::min(at + 1, pattern.size()), is_in != is_negated};
}

// The position after the pattern's next item, if the byte matches it; else npos.
std::size_t step(std::string_view pattern, std::size_t at, char byte) {
  constexpr std::size_t none = std::string_view::npos;
  if (at >= pattern.size()) return none;
  if (pattern[at] == '?') return at + 1;
  if (pattern[at] == '[') {
    const ClassMatch match = match_class(pattern, at + 1, static_cast<unsigned char>(byte));
    return match.fits ? match.end : none;
  }
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  return pattern[at] == byte ? at + 1 : none;
}

}  // namespace

Result<void> check_pattern(std::string_view pattern) {
  if (pattern.size() <= limits::memory_pattern_bytes_max) return {};
  return fail(Code::too_large,
              fmt::format("a pattern has at most {} bytes", limits::memory_pattern_bytes_max));
}

// Only the last star needs backtracking: matching the items after an earlier star as early as
// possible leaves the most text to the later ones.
bool matches(std::string_view pattern, std::string_view text) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  std::size_t behind_star = none;
  std::size_t star_ends = 0;
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      behind_star = ++in_pattern;
      star_ends = in_text;
      continue;
    }
    const std::size_t next = step(pattern, in_pattern, text[in_text]);
    if (next != none) {
      in_pattern = next;
      ++in_text;
    } else if (behind_star != none) {
      in_pattern = behind_star;
      in_text = ++star_ends;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == none;
}

}  // namespace mayfly::kuzzle::memory
