// BM25: what a word that was searched for is worth in one text. Of a word that stands `often` times
// in a text of `length` words, and in `having` of `all` texts that are `usual` words long, it is
//
//   ln(1 + (all - having + 0.5) / (having + 0.5)) * 2.2 * often
//     / (often + 1.2 * (0.25 + 0.75 * length / usual))
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mayfly::relevance {

// What is known of all texts.
struct Texts {
  double all = 0;
  double words = 0;  // of all these together
};

double bm25(double often, double length, double having, const Texts& texts);

// How often the words stand side by side; of the last one perhaps only its beginning. It takes as
// many steps as there are words, however many of them the phrase has.
std::uint32_t occurrences(const std::vector<std::string>& phrase, bool ends_in_prefix,
                          const std::vector<std::string>& words);

}  // namespace mayfly::relevance
