#include "expr/relevance/bm25.h"

#include <algorithm>
#include <cmath>

namespace mayfly::relevance {

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
  if (phrase.empty()) return found;
  for (std::size_t begin = 0; begin + phrase.size() <= words.size(); ++begin) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < phrase.size(); ++i) {
      const std::string& word = words[begin + i];
      const bool is_beginning = ends_in_prefix && i + 1 == phrase.size();
      fits = is_beginning ? word.starts_with(phrase[i]) : word == phrase[i];
    }
    found += fits ? 1 : 0;
  }
  return found;
}

}  // namespace mayfly::relevance
