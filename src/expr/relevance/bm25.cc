#include "expr/relevance/bm25.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mayfly::relevance {
namespace {

// The length of the longest prefix of the phrase that ends with `word`, after `matched` words
// matched (Knuth, Morris and Pratt).
std::size_t extend_match(std::span<const std::string> phrase,
                         const std::vector<std::size_t>& failures, std::size_t matched,
                         const std::string& word) {
  if (phrase.empty()) return 0;
  while (matched > 0 && phrase[matched] != word) matched = failures[matched - 1];
  return phrase[matched] == word ? matched + 1 : 0;
}

// For each prefix of the phrase: the length of its longest proper suffix that is also a prefix of
// the phrase.
std::vector<std::size_t> failure_table(std::span<const std::string> phrase) {
  std::vector<std::size_t> failures(phrase.size(), 0);
  for (std::size_t i = 1; i < phrase.size(); ++i) {
    failures[i] = extend_match(phrase, failures, failures[i - 1], phrase[i]);
  }
  return failures;
}

}  // namespace

double bm25(double frequency, double length, double having, const TextStatistics& texts) {
  // The usual constants: saturation by repetition, and the influence of the length.
  constexpr double k1 = 1.2;
  constexpr double b = 0.75;
  constexpr double half = 0.5;
  if (frequency == 0) return 0;
  // There may be texts that did not exist when all were counted.
  const double all = std::max(texts.all, having);
  const double average = all > 0 ? texts.words / all : length;
  const double relative_length = average > 0 ? length / average : 1;
  const double rarity = std::log1p((all - having + half) / (having + half));
  return rarity * (k1 + 1) * frequency / (frequency + k1 * (1 - b + b * relative_length));
}

std::uint32_t occurrences(const std::vector<std::string>& phrase, bool ends_in_prefix,
                          const std::vector<std::string>& words) {
  std::uint32_t found = 0;
  if (phrase.empty() || phrase.size() > words.size()) return found;
  const std::size_t whole = phrase.size() - (ends_in_prefix ? 1 : 0);
  const std::span<const std::string> firsts(phrase.data(), whole);
  const std::vector<std::size_t> failures = failure_table(firsts);
  std::size_t matched = 0;  // the matched words of the phrase before `i`
  for (std::size_t i = 0; i <= words.size(); ++i) {
    if (matched == whole) {
      const bool ends =
          !ends_in_prefix || (i < words.size() && words[i].starts_with(phrase[whole]));
      found += ends ? 1 : 0;
      matched = whole == 0 ? 0 : failures[whole - 1];
    }
    if (i < words.size()) matched = extend_match(firsts, failures, matched, words[i]);
  }
  return found;
}

}  // namespace mayfly::relevance
