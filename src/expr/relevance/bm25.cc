#include "expr/relevance/bm25.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mayfly::relevance {
namespace {

// With `fitting` words of the phrase before it, as many as there are with `word` (Knuth, Morris and
// Pratt).
std::size_t with_next(std::span<const std::string> phrase, const std::vector<std::size_t>& repeated,
                      std::size_t fitting, const std::string& word) {
  if (phrase.empty()) return 0;
  while (fitting > 0 && phrase[fitting] != word) fitting = repeated[fitting - 1];
  return phrase[fitting] == word ? fitting + 1 : 0;
}

// For each beginning of the phrase: how many of its last words are the phrase's first, at most all
// but one.
std::vector<std::size_t> repeated_beginnings(std::span<const std::string> phrase) {
  std::vector<std::size_t> repeated(phrase.size(), 0);
  for (std::size_t i = 1; i < phrase.size(); ++i) {
    repeated[i] = with_next(phrase, repeated, repeated[i - 1], phrase[i]);
  }
  return repeated;
}

}  // namespace

double bm25(double often, double length, double having, const Texts& texts) {
  // The usual constants: how soon a repeated word counts no more, and how much the length does.
  constexpr double k1 = 1.2;
  constexpr double b = 0.75;
  constexpr double half = 0.5;
  if (often == 0) return 0;
  // Texts may be asked for that were not there when all were counted.
  const double all = std::max(texts.all, having);
  const double usual = all > 0 ? texts.words / all : length;
  const double part = usual > 0 ? length / usual : 1;
  const double rarity = std::log1p((all - having + half) / (having + half));
  return rarity * (k1 + 1) * often / (often + k1 * (1 - b + b * part));
}

std::uint32_t occurrences(const std::vector<std::string>& phrase, bool ends_in_prefix,
                          const std::vector<std::string>& words) {
  std::uint32_t found = 0;
  if (phrase.empty() || phrase.size() > words.size()) return found;
  const std::size_t whole = phrase.size() - (ends_in_prefix ? 1 : 0);
  const std::span<const std::string> firsts(phrase.data(), whole);
  const std::vector<std::size_t> repeated = repeated_beginnings(firsts);
  std::size_t fitting = 0;  // so many of the first words stand before `i`
  for (std::size_t i = 0; i <= words.size(); ++i) {
    if (fitting == whole) {
      const bool ends =
          !ends_in_prefix || (i < words.size() && words[i].starts_with(phrase[whole]));
      found += ends ? 1 : 0;
      fitting = whole == 0 ? 0 : repeated[whole - 1];
    }
    if (i < words.size()) fitting = with_next(firsts, repeated, fitting, words[i]);
  }
  return found;
}

}  // namespace mayfly::relevance
