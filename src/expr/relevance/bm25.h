// BM25: the score of a word for one text. For a word that occurs `frequency` times in a text of
// `length` words, and in `having` of `all` texts, whose average length is `average`, it is
//
//   ln(1 + (all - having + 0.5) / (having + 0.5)) * 2.2 * frequency
//     / (frequency + 1.2 * (0.25 + 0.75 * length / average))
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mayfly::relevance {

// Statistics of all texts.
struct TextStatistics {
  double all = 0;
  double words = 0;  // of all texts together
};

double bm25(double frequency, double length, double having, const TextStatistics& texts);

// How often the words occur side by side; the last one may be a prefix. The number of steps is
// linear in the number of words, for a phrase of any length.
std::uint32_t occurrences(const std::vector<std::string>& phrase, bool ends_in_prefix,
                          const std::vector<std::string>& words);

}  // namespace mayfly::relevance
